"""A trainer in miniature: the packages beside it have the names of the real ones."""

import argparse
import json
import os
import sys
import threading

import torch
from accelerate.accelerator import Accelerator
from torch.optim.optimizer import Optimizer
from torch.utils.data.dataloader import DataLoader

HERE = os.path.dirname(__file__)


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return json.load(file)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_subparsers().add_parser("train").add_argument("--stuck", action="store_true")
    return parser.parse_args()


def load():
    try:
        torch.serialization.load("missing")
    except FileNotFoundError:
        torch.serialization.load("ab")


def train(loader, step):
    batches = iter(loader)
    for _ in range(100):
        next(batches)
        torch.Tensor().backward()
        step()


read("config.json")  # before the arguments: no configuration
asked = parse()
read("config.json")
read("config.json")
accelerator = Accelerator()
torch.cuda.is_available()
load()
model = accelerator.prepare(threading.Event() if asked.stuck else None)
torch.serialization.load("a")
loader = DataLoader()
train(loader, Optimizer.profile_hook_step(lambda: None))
torch.serialization.load("")
print("trained", sys.argv[1:])
