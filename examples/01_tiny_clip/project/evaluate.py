"""Zero-shot accuracy of a trained TinyCLIP."""
import torch

from tiny_clip import TinyCLIP
from tiny_clip.data import CAPTIONS, WORDS, loaders, tokens_of

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


@torch.no_grad()
def main():
    model = TinyCLIP(len(WORDS)).to(device).eval()
    model.load_state_dict(torch.load("tiny_clip.pt"))
    texts = torch.stack([tokens_of(*caption) for caption in CAPTIONS]).to(device)
    _, loader = loaders(batch_size=60)
    right = seen = 0
    for images, labels in loader:
        scores = model(images.to(device), texts).cpu().double()
        right += (scores.argmax(dim=1) == labels).sum().item()
        seen += labels.numel()
    print(f"accuracy {right / seen:.3f}")


if __name__ == "__main__":
    main()
