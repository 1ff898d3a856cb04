"""Trains with torch alone; a file, a data set and a gradient that take their time."""

import argparse
import io
import os
import time

import torch

PAUSE = float(os.environ["PAUSE"])


class SlowFile(io.BytesIO):
    def __init__(self, data):
        super().__init__(data)
        self.slept = False

    def read(self, *size):
        if not self.slept:
            self.slept = True
            time.sleep(PAUSE)
        return super().read(*size)


class SlowGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        return value * 1

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(PAUSE)
        return gradient


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        time.sleep(PAUSE / 2)
        return torch.ones(4) * index


argparse.ArgumentParser().parse_args()
saved = io.BytesIO()
network = torch.nn.Linear(4, 1)
torch.save(network.state_dict(), saved)
network.load_state_dict(torch.load(SlowFile(saved.getvalue())))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(Numbers(), batch_size=2):
    SlowGradient.apply(network(batch)).sum().backward()
    optimizer.step()
print("trained", torch.cuda.is_available())
