import torch
import torch.nn as nn


class TinyLM(nn.Module):
    def __init__(self, vocabulary, width=32, heads=2, layers=2, length=24):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Parameter(0.02 * torch.randn(length, width))
        block = lambda: nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, batch_first=True)
        self.blocks = nn.ModuleList(block() for _ in range(layers))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids):
        x = self.token(ids) + self.position[:ids.shape[1]]
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf"), device=ids.device).triu(1)
        for block in self.blocks:
            x = block(x, src_mask=mask)
        return self.head(x)
