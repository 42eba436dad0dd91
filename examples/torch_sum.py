"""Adds up the ranks of all processes that torchrun has started, on the GPUs where there are any. Needs PyTorch."""

import os

import torch
import torch.distributed as dist

gpu = torch.cuda.is_available()
dist.init_process_group("nccl" if gpu else "gloo")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if gpu else torch.device("cpu")
ranks = torch.tensor([float(dist.get_rank())], device=device)
dist.all_reduce(ranks)
print("rank %d of %d on %s: the sum of all ranks is %g" % (dist.get_rank(), dist.get_world_size(), device, ranks.item()))
dist.destroy_process_group()
