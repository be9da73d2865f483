#!/bin/sh
# Two cards of one machine.
export CUDA_VISIBLE_DEVICES=0,1
export NCCL_SOCKET_IFNAME=eth0
export CUDA_LAUNCH_BLOCKING=0
torchrun --nproc_per_node=2 train.py --distributed --backend nccl
