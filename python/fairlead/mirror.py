"""Shows what a script reports in Weights & Biases, MLflow or TensorBoard too."""

import importlib
import os
from typing import Any, Callable, Dict, List

from fairlead.environment import number, say
from fairlead.gpu import GpuMemory
from fairlead.protocol import Report
from fairlead.training import Training

# At a step, after so many epochs.
Log = Callable[[int, float, Dict[str, float]], None]


def mirror(training: Training, *names: str) -> List[str]:
    """From now on every epoch's report and every log() also goes to these: `wandb`, `mlflow`, `tensorboard`; without names to
    each that is installed. Returns those that will get it: in a rank other than 0 none.

    The run that the script has begun is used, otherwise one is begun with the job's id as its name. What fails there costs one line in
    the log and no training.
    """
    for name in names:
        if name not in _OPENERS:
            raise ValueError("mirror() knows %s, not %r" % (", ".join(_OPENERS), name))
    if number("RANK", training.node_rank + max(training.local_rank, 0), 0) > 0:
        return []
    logs: Dict[str, Log] = {}
    for name in names or _OPENERS:
        try:
            logs[name] = _OPENERS[name](training)
        except ImportError:
            if names:
                say("%s is not installed, so nothing is mirrored to it" % name)
        except Exception as failure:
            _drop(name, failure)
    memory = GpuMemory()

    def pass_on(step: int, epoch: float, values: Dict[str, float]) -> None:
        for name, log in list(logs.items()):
            try:
                log(step, epoch, values)
            except Exception as failure:
                del logs[name]
                _drop(name, failure)

    def end_of_epoch(report: Report) -> None:
        pass_on(report.epoch, report.epoch, _values(report._replace(gpu_memory_bytes=memory.peak_bytes())))

    def logged(point: Dict[str, Any]) -> None:
        values = {"fairlead/" + name: float(value) for name, value in point["values"].items()}
        pass_on(point["step"], point["epoch"], values)

    if logs:
        training.on_epoch_end(end_of_epoch)
        training.on_log(logged)
    return list(logs)


def _values(report: Report) -> Dict[str, float]:
    measured = {
        "epoch": report.epoch,
        "steps": report.steps_in_all,
        "step_seconds": report.step_seconds,
        "epoch_seconds": report.epoch_seconds,
        "gpu_memory_bytes": report.gpu_memory_bytes,
    }
    return {"fairlead/" + name: float(value) for name, value in measured.items() if value is not None}


def _drop(name: str, failure: Exception) -> None:
    say("cannot mirror to %s (%s: %s); training goes on without" % (name, type(failure).__name__, failure))


def _wandb(training: Training) -> Log:
    wandb: Any = importlib.import_module("wandb")
    # With the job's id a later attempt goes on with the run of the one before.
    again = {"id": training.job_id, "resume": "allow"} if training.in_job else {}
    run = wandb.run or wandb.init(name=training.job_id, **again)
    # An axis of its own: the steps that the script itself logs must not go backwards.
    run.define_metric("fairlead/epoch")
    run.define_metric("fairlead/*", step_metric="fairlead/epoch")

    def log(_: int, epoch: float, values: Dict[str, float]) -> None:
        run.log(dict(values, **{"fairlead/epoch": float(epoch)}))

    return log


def _mlflow(training: Training) -> Log:
    mlflow: Any = importlib.import_module("mlflow")
    if mlflow.active_run() is None:
        mlflow.start_run(run_name=training.job_id)

    def log(step: int, _: float, values: Dict[str, float]) -> None:
        mlflow.log_metrics(values, step=step)

    return log


def _tensorboard(training: Training) -> Log:
    try:
        tensorboard: Any = importlib.import_module("torch.utils.tensorboard")
    except ImportError:
        tensorboard = importlib.import_module("tensorboardX")
    # Attempts share the folder, and with it the curve.
    writer = tensorboard.SummaryWriter(os.path.join(training.checkpoint_folder, "tensorboard"))

    def log(step: int, _: float, values: Dict[str, float]) -> None:
        for name, value in values.items():
            writer.add_scalar(name, value, step)
        writer.flush()

    return log


_OPENERS: Dict[str, Callable[[Training], Log]] = {"wandb": _wandb, "mlflow": _mlflow, "tensorboard": _tensorboard}
