import torch.nn as nn

MODELS = {}


def register(build):
    MODELS[build.__name__] = build
    return build


@register
def mlp(width):
    return nn.Sequential(nn.Linear(2, width), nn.BatchNorm1d(width), nn.Tanh(),
                         nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))


def build_model(config):
    return MODELS[config["name"]](config["width"])
