"""A CLIP small enough to train on a laptop: an image tower, a text tower, one shared space."""
import torch
import torch.nn as nn
import torch.nn.functional as F

try:
    from flash_attn import flash_attn_func
except ImportError:
    flash_attn_func = None


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.unbind(dim=2)
        if flash_attn_func is not None and x.is_cuda and mask is None:
            y = flash_attn_func(q, k, v)
        else:
            y = F.scaled_dot_product_attention(
                q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), attn_mask=mask)
            y = y.transpose(1, 2)
        return self.out(y.reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class ImageEncoder(nn.Module):
    """Images [n, 3, 32, 32] to unit vectors [n, width]."""

    def __init__(self, width=64, heads=4, layers=2):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, width // 2, 3, padding=1, bias=False),
            nn.BatchNorm2d(width // 2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Conv2d(width // 2, width, 4, stride=4),
        )
        self.position = nn.Parameter(torch.zeros(1, 16, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, images):
        x = self.stem(images).flatten(2).transpose(1, 2) + self.position
        for block in self.blocks:
            x = block(x)
        return F.normalize(self.norm(x.mean(dim=1)), dim=-1)


class TextEncoder(nn.Module):
    """Token ids [n, length] to unit vectors [n, width]."""

    def __init__(self, vocabulary, width=64, heads=4, layers=2, length=8):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.token(tokens) + self.position(places)
        for block in self.blocks:
            x = block(x)
        return F.normalize(self.norm(x[:, 0]), dim=-1)


class TinyCLIP(nn.Module):
    def __init__(self, vocabulary, width=64):
        super().__init__()
        self.image = ImageEncoder(width)
        self.text = TextEncoder(vocabulary, width)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, images, tokens):
        return self.scale.exp() * self.image(images) @ self.text(tokens).t()
