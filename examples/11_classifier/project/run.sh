#!/bin/sh
# Trains on two GPUs.
python train.py --epochs 4 --batch-size 32
