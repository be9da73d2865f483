#!/bin/bash
set -e
python3 train.py --epochs=4 "$@"
