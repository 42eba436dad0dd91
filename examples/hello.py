"""Says where it runs and which GPUs it was given."""

import os
import platform

print(f"Hello from job {os.environ.get('FAIRLEAD_JOB', '(no job)')} on {platform.node()}.")
print(f"CUDA_VISIBLE_DEVICES={os.environ.get('CUDA_VISIBLE_DEVICES', '')}")
print(f"Working folder: {os.getcwd()}")
