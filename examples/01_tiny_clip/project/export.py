"""Exports the image tower to ONNX with a free batch size."""
import torch

from tiny_clip import ImageEncoder


def main():
    torch.manual_seed(0)
    model = ImageEncoder().eval()
    torch.onnx.export(model, (torch.zeros(1, 3, 32, 32),), "image_encoder.onnx", opset_version=17,
                      input_names=["images"], output_names=["features"],
                      dynamic_axes={"images": {0: "batch"}, "features": {0: "batch"}}, dynamo=False)


if __name__ == "__main__":
    main()
