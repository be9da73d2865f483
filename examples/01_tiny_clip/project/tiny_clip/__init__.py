from .model import ImageEncoder, TextEncoder, TinyCLIP

__all__ = ["ImageEncoder", "TextEncoder", "TinyCLIP"]
