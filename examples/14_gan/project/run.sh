CUDA_VISIBLE_DEVICES=0,1 python gan.py --cuda --niter 5
