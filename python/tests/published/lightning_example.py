import torch
from torch import nn
import torch.nn.functional as  F
from torchvision.datasets import CIFAR10
from torch.utils.data import DataLoader, random_split
from torchvision import transforms
import torchvision.models as  models
import pytorch_lightning as  pl
from kubernetesdlprofile import kubeprofiler
class TestNN(pl.LightningModule):
   def  __init__(self):
      super().__init__()
      self.model = models.mobilenet_v2()
      self.prof = kubeprofiler.KubeProfiler()
   def forward(self, x):
      out = self.model(x)
      return  out
   def training_step(self, batch, batch_idx):
      x, y = batch
      x_hat = self.model(x)
      loss = F.nll_loss(x_hat, y)
      self.log("train_loss", loss)
      self.prof.measure()
      return  loss
   def on_train_epoch_start(self):
      self.prof.start_epoch()
   def on_train_epoch_end(self):
      self.prof.end_epoch()
   def  configure_optimizers(self):
      optimizer = torch.optim.Adam(self.parameters(), lr=1e-3)
      return  optimizer
if  __name__=="__main__":
   dataset = CIFAR10("/data/cifar", download=True, transform=transforms.ToTensor())
   nn = TestNN()
   train, val = random_split(dataset, [nn.prof.TRAINING_SET_SIZE, len(dataset)-nn.prof.TRAINING_SET_SIZE])
   batch_size = nn.prof.BATCH_SIZE
   epochs = nn.prof.EPOCHS
   workers = 10
   trainer = pl.Trainer(accelerator="gpu", devices = nn.prof.NUM_GPUS, num_nodes=nn.prof.NUM_NODES, strategy="ddp", max_epochs=epochs, profiler="simple", default_root_dir=nn.prof.root_dir)
   if  not nn.prof.RESTARTED:
      trainer.fit(nn, DataLoader(train, batch_size=batch_size, num_workers= workers, persistent_workers=True, drop_last=True))
   else:
      trainer.fit(nn, DataLoader(train, batch_size=batch_size, num_workers= workers, persistent_workers=True, drop_last=True), ckpt_path=nn.prof.ckpt_path)
