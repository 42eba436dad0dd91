#!/bin/bash
#SBATCH --gres=gpu:2
#SBATCH --time=0:10:00
#SBATCH --array=0-3
# A script that was written for Slurm; docs/from-slurm.md runs it as it is.
echo "task $SLURM_ARRAY_TASK_ID has the GPUs $CUDA_VISIBLE_DEVICES"
