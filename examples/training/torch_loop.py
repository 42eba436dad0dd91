"""A training loop of PyTorch: a small net learns which points lie inside a circle. Needs PyTorch.

    python3 torch_loop.py
"""

import os

import torch
from fairlead import Training

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(7)
model = torch.nn.Sequential(torch.nn.Linear(2, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_of = torch.nn.BCEWithLogitsLoss()

with Training(epochs=5, batch_size=64, training_set_size=3200) as training:
    points = torch.rand(training.training_set_size, 2, device=device) * 2 - 1
    inside = (points.square().sum(1) < 0.6).float()
    checkpoint = os.path.join(training.checkpoint_folder, "circle.pt")
    done = 0
    if training.restarted and os.path.exists(checkpoint):
        saved = torch.load(checkpoint, map_location=device)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        done = saved["epochs"]
    for epoch in training.epochs_left(done=done):
        for batch in training.steps(torch.randperm(len(points)).split(training.batch_size)):
            loss = loss_of(model(points[batch]).squeeze(1), inside[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        # A checkpoint is whole or not there: a job may be stopped at any moment.
        saved = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epochs": epoch + 1}
        torch.save(saved, checkpoint + ".new")
        os.replace(checkpoint + ".new", checkpoint)
        accuracy = ((model(points).squeeze(1) > 0) == (inside > 0)).float().mean().item()
        training.log(loss=loss.item(), accuracy=accuracy)
        print("epoch %d on %s: accuracy %.2f" % (epoch, device, accuracy), flush=True)
