import logging
import os

import torch
import torch.nn as nn

from .data import train_loader, valid_loader
from .models import build_model

log = logging.getLogger(__name__)


class Trainer:
    def __init__(self, config):
        self.config = config
        self.device = torch.device(config["device"] if torch.cuda.is_available() else "cpu")
        self.model = build_model(config["model"]).to(self.device)
        self.train_loader = train_loader(config["data"])
        self.valid_loader = valid_loader(config["data"])
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), **config["optimizer"])
        self.epoch = 0

    def fit(self):
        os.makedirs(self.config["output"], exist_ok=True)
        for epoch in range(self.config["epochs"]):
            self.epoch = epoch
            loss = self.train_epoch()
            accuracy, predictions = self.validate()
            log.info("epoch %d loss %.6f accuracy %.4f", epoch, loss, accuracy)
            self.save()
        self.write(predictions)

    def train_epoch(self):
        self.model.train()
        losses = []
        for points, arms in self.train_loader:
            losses.append(self.train_step(points.to(self.device), arms.to(self.device)))
        return sum(losses) / len(losses)

    def train_step(self, points, arms):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(points), arms)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        predictions, right, count = [], 0, 0
        for points, arms in self.valid_loader:
            answer = self.model(points.to(self.device)).argmax(1).cpu()
            predictions.extend(answer.tolist())
            right += (answer == arms).sum().item()
            count += len(arms)
        return right / count, predictions

    def path(self, name):
        return os.path.join(self.config["output"], name)

    def save(self):
        torch.save({"model": self.model.state_dict(), "epoch": self.epoch}, self.path("model.pt"))

    def load(self, path):
        self.model.load_state_dict(torch.load(path, map_location=self.device)["model"])

    def write(self, predictions):
        with open("predictions.txt", "w") as file:
            file.write("\n".join(str(each) for each in predictions))
