#!/bin/sh
python main.py --config configs/base.json
