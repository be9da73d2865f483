CUDA_VISIBLE_DEVICES=0,1 python gan.py --niter 5
