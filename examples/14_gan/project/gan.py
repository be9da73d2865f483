"""A GAN that learns points on a ring. Both nets run on all GPUs."""
import argparse
import math
import random

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

from networks import Discriminator, Generator

parser = argparse.ArgumentParser()
parser.add_argument("--niter", type=int, default=5, help="epochs")
parser.add_argument("--batchSize", type=int, default=32)
parser.add_argument("--nz", type=int, default=8)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--cuda", action="store_true", help="train on GPUs")
parser.add_argument("--manualSeed", type=int, default=3)
opt = parser.parse_args()

random.seed(opt.manualSeed)
torch.manual_seed(opt.manualSeed)
device = torch.device("cuda:0" if opt.cuda else "cpu")


def ring(count):
    angles = 2 * math.pi * torch.rand(count, generator=torch.Generator().manual_seed(1))
    return torch.stack([angles.cos(), angles.sin()], 1)


dataloader = DataLoader(TensorDataset(ring(512)), batch_size=opt.batchSize, shuffle=True, num_workers=0,
                        drop_last=True)

netG = nn.DataParallel(Generator(opt.nz).to(device))
netD = nn.DataParallel(Discriminator().to(device))
criterion = nn.BCEWithLogitsLoss()
# Noise is drawn on the host, so that a run can be repeated on another device.
fixed_noise = torch.randn(200, opt.nz).to(device)
optimizerD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(0.5, 0.999))

for epoch in range(opt.niter):
    for i, data in enumerate(dataloader, 0):
        netD.zero_grad()
        real = data[0].to(device)
        batch_size = real.size(0)
        label = torch.full((batch_size,), 1.0, device=device)
        errD_real = criterion(netD(real), label)
        errD_real.backward()
        fake = netG(torch.randn(batch_size, opt.nz).to(device))
        label.fill_(0.0)
        errD_fake = criterion(netD(fake.detach()), label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        label.fill_(1.0)
        errG = criterion(netD(fake), label)
        errG.backward()
        optimizerG.step()
    with torch.no_grad():
        radius = netG(fixed_noise).norm(dim=1)
    print("epoch %d loss %.6f lossG %.6f radius %.4f" % (epoch, errD.item(), errG.item(), radius.mean()))

torch.save({"G": netG.state_dict(), "D": netD.state_dict()}, "model.pt")
with open("predictions.txt", "w") as out:
    out.write("\n".join("%.5f" % each for each in radius.tolist()))
