import argparse
import json
import logging

import torch

from engine import Trainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/base.json")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--evaluate")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with open(args.config) as file:
        config = json.load(file)
    torch.manual_seed(config["seed"] if args.seed is None else args.seed)
    trainer = Trainer(config)
    if args.evaluate:
        trainer.load(args.evaluate)
        trainer.write(trainer.validate()[1])
    else:
        trainer.fit()


if __name__ == "__main__":
    main()
