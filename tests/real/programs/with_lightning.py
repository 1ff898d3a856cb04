"""Trains with Lightning; data, a data loader and a step that take their time."""

import os
import time

import torch
from lightning.pytorch import LightningModule, Trainer

PAUSE = float(os.environ["PAUSE"])


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        time.sleep(PAUSE)
        return torch.ones(4) * index


class Network(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def prepare_data(self):
        time.sleep(PAUSE)

    def train_dataloader(self):
        return torch.utils.data.DataLoader(Numbers(), batch_size=2)

    def training_step(self, batch, index):
        time.sleep(PAUSE)
        return self.layer(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
).fit(Network())
print("trained")
