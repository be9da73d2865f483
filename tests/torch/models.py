"""Small models of the kinds that people train, written for the tests: each gives a module and a batch on the CPU."""
import torch
from torch import nn
from torch.nn import functional as F


class Classifier(nn.Module):
    """A small CNN with batch norm and pooling."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(32, 10))

    def forward(self, batch):
        return F.cross_entropy(self.body(batch["x"]), batch["y"])

    @staticmethod
    def batch():
        return {"x": torch.randn(16, 3, 32, 32), "y": torch.randint(0, 10, (16,))}


class Transformer(nn.Module):
    """Pre-norm blocks with causal scaled_dot_product_attention."""

    def __init__(self, width=64, heads=4, depth=2):
        super().__init__()
        self.heads = heads
        self.embed = nn.Embedding(100, width)
        self.place = nn.Parameter(torch.zeros(1, 32, width))
        self.blocks = nn.ModuleList(nn.ModuleDict({
            "norm": nn.LayerNorm(width), "qkv": nn.Linear(width, 3 * width), "out": nn.Linear(width, width),
            "norm2": nn.LayerNorm(width), "up": nn.Linear(width, 4 * width), "down": nn.Linear(4 * width, width)})
            for _ in range(depth))
        self.head = nn.Linear(width, 100)

    def attend(self, block, x):
        b, t, c = x.shape
        q, k, v = block["qkv"](block["norm"](x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return block["out"](y.transpose(1, 2).reshape(b, t, c))

    def forward(self, batch):
        x = self.embed(batch["x"]) + self.place
        for block in self.blocks:
            x = x + self.attend(block, x)
            x = x + block["down"](F.gelu(block["up"](block["norm2"](x))))
        return F.cross_entropy(self.head(x).flatten(0, 1), batch["y"].flatten())

    @staticmethod
    def batch():
        return {"x": torch.randint(0, 100, (16, 32)), "y": torch.randint(0, 100, (16, 32))}


class Recurrent(nn.Module):
    """An LSTM and a GRU over a sequence."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, num_layers=2, batch_first=True)
        self.gru = nn.GRU(16, 16, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 1)

    def forward(self, batch):
        x, _ = self.lstm(batch["x"])
        x, _ = self.gru(x)
        return F.mse_loss(self.head(x[:, -1])[:, 0], batch["y"])

    @staticmethod
    def batch():
        return {"x": torch.randn(8, 12, 8), "y": torch.randn(8)}


class Recommender(nn.Module):
    """Embeddings and bags of embeddings, multiplied."""

    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(50, 8)
        self.item = nn.EmbeddingBag(200, 8, mode="mean")
        self.bias = nn.Embedding(50, 1)

    def forward(self, batch):
        score = (self.user(batch["user"]) * self.item(batch["items"])).sum(1) + self.bias(batch["user"])[:, 0]
        return F.binary_cross_entropy_with_logits(score, batch["y"])

    @staticmethod
    def batch():
        return {"user": torch.randint(0, 50, (32,)), "items": torch.randint(0, 200, (32, 5)), "y": torch.rand(32)}


class Denoiser(nn.Module):
    """A UNet with a time embedding, group norm, up- and down-sampling, as diffusion models have."""

    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 32))
        self.start = nn.Conv2d(3, 16, 3, padding=1)
        self.down = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.norm = nn.GroupNorm(4, 32)
        self.middle = nn.Conv2d(32, 32, 3, padding=1)
        self.up = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.end = nn.Conv2d(32, 3, 3, padding=1)

    def forward(self, batch):
        frequencies = torch.exp(torch.arange(8, device=batch["t"].device) * -0.5)
        angles = batch["t"][:, None] * frequencies
        time = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        high = F.silu(self.start(batch["x"]))
        low = F.silu(self.norm(self.down(high)) + time[:, :, None, None])
        low = F.interpolate(F.avg_pool2d(self.middle(low), 2), scale_factor=2, mode="bilinear") + low
        return F.mse_loss(self.end(torch.cat([self.up(low), high], 1)), batch["y"])

    @staticmethod
    def batch():
        return {"x": torch.randn(4, 3, 16, 16), "t": torch.rand(4), "y": torch.randn(4, 3, 16, 16)}


class Detector(nn.Module):
    """Grid predictions, masks by index, boxes decoded and matched by overlap, as one-stage detectors have."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.LeakyReLU(0.1),
                                  nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.LeakyReLU(0.1))
        self.head = nn.Conv2d(32, 5, 1)

    @staticmethod
    def overlap(a, b):
        corner = torch.maximum(a[..., :2] - a[..., 2:] / 2, b[..., :2] - b[..., 2:] / 2)
        other = torch.minimum(a[..., :2] + a[..., 2:] / 2, b[..., :2] + b[..., 2:] / 2)
        both = (other - corner).clamp(min=0).prod(-1)
        return both / (a[..., 2:].prod(-1) + b[..., 2:].prod(-1) - both + 1e-6)

    def forward(self, batch):
        grid = self.head(self.body(batch["x"])).permute(0, 2, 3, 1)
        n, h, w, _ = grid.shape
        ys, xs = torch.meshgrid(torch.arange(h, device=grid.device), torch.arange(w, device=grid.device), indexing="ij")
        centres = (grid[..., :2].sigmoid() + torch.stack([xs, ys], -1)) / w
        boxes = torch.cat([centres, grid[..., 2:4].sigmoid()], -1).view(n, h * w, 4)
        overlaps = self.overlap(boxes, batch["boxes"][:, None])
        best = overlaps.argmax(1)
        matched = overlaps[torch.arange(n, device=grid.device), best]
        target = torch.zeros_like(overlaps).scatter_(1, best[:, None], 1.0)
        kept, _ = torch.topk(overlaps.detach(), 4, dim=1)
        there = F.binary_cross_entropy_with_logits(grid[..., 4].reshape(n, -1), target)
        return there + (1 - matched).mean() + 0 * kept.sum()

    @staticmethod
    def batch():
        return {"x": torch.randn(4, 3, 32, 32), "boxes": torch.rand(4, 4) * 0.5 + 0.25}


MODELS = {model.__name__.lower(): model
          for model in (Classifier, Transformer, Recurrent, Recommender, Denoiser, Detector)}


def make(name: str, device: str):
    """The model and batch of a name, the same numbers on every device."""
    torch.manual_seed(5)
    model = MODELS[name]()
    batch = model.batch()
    return model.to(device), {key: value.to(device) for key, value in batch.items()}


def step(model, batch, optimizer):
    """One training step; its loss, still on the device."""
    optimizer.zero_grad(set_to_none=True)
    loss = model(batch)
    loss.backward()
    optimizer.step()
    return loss
