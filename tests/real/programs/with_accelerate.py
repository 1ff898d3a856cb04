"""Trains with accelerate; a model and a gradient that take their time."""

import argparse
import os
import time

import torch
from accelerate import Accelerator

PAUSE = float(os.environ["PAUSE"])


class SlowGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        return value * 1

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(PAUSE)
        return gradient


class SlowNetwork(torch.nn.Linear):
    def to(self, *arguments, **options):
        time.sleep(PAUSE)
        return super().to(*arguments, **options)


argparse.ArgumentParser().parse_args()
accelerator = Accelerator(cpu=True)
network = SlowNetwork(4, 1)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.ones(4, 4), batch_size=2)
network, optimizer, loader = accelerator.prepare(network, optimizer, loader)
for batch in loader:
    accelerator.backward(SlowGradient.apply(network(batch)).sum())
    optimizer.step()
print("trained")
