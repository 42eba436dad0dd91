"""The ranks of an ACT job: those of the real mpirun where the task has it, otherwise ranks of our own that look the same."""

import os
import shutil
import stat
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, List, Optional

from lines import copy_tagged, copy_untangled
from meeting import HANDSHAKE_SECONDS, MEET_SECONDS, Channel, Peer, Team, call
from processes import (FAILED_GRACE_SECONDS, SIGKILL, Stop, end_group, exit_code, log, refused, signal_group,
                       terminate_ranks, watched)

AGENT_HOST = "fairlead-task-"


def run_own(words: List[str], folder: str, environment: Dict[str, str], team: Team, stop: Stop) -> int:
    """The ranks of this node, as mpirun would have started them; each line says whose it is."""
    processes: List[subprocess.Popen] = []
    readers: List[threading.Thread] = []
    stop.taker = lambda: None
    for local in range(team.per_node):
        rank = team.index * team.per_node + local
        variables = dict(environment, **ompi_variables(team, rank, local))
        variables.update(rank_variables(variables))
        try:
            process = subprocess.Popen(words, cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        except OSError as problem:
            for each in processes:
                end_group(each, 0.0)
            return refused(words, problem)
        processes.append(process)
        for stream, name, to in ((process.stdout, "stdout", sys.stdout), (process.stderr, "stderr", sys.stderr)):
            tag = ("[1,%d]<%s>:" % (rank, name)).encode("ascii")
            readers.append(reading(copy_tagged, stream, tag, to.buffer))
    code, which = watched(processes, stop)
    await_all(readers)
    if code != 0:
        log("rank %d has ended with %d, so the job has" % (team.index * team.per_node + which, code))
    return code


def reading(copy: Callable[..., None], *arguments: Any) -> threading.Thread:
    reader = threading.Thread(target=copy, args=arguments, daemon=True)
    reader.start()
    return reader


def await_all(readers: List[threading.Thread]) -> None:
    """Whoever has left the group of its rank and still holds a stream is not waited for any longer."""
    for reader in readers:
        reader.join(FAILED_GRACE_SECONDS)


def ompi_variables(team: Team, rank: int, local: int) -> Dict[str, str]:
    numbers = {"RANK": rank, "SIZE": team.size, "LOCAL_RANK": local, "LOCAL_SIZE": team.per_node, "NODE_RANK": local}
    return {"OMPI_COMM_WORLD_" + name: str(number) for name, number in numbers.items()}


def rank_variables(variables: Dict[str, str]) -> Dict[str, str]:
    """What PyTorch reads, from what mpirun says."""
    names = {"RANK": "RANK", "WORLD_SIZE": "SIZE", "LOCAL_RANK": "LOCAL_RANK", "LOCAL_WORLD_SIZE": "LOCAL_SIZE"}
    found = {name: variables["OMPI_COMM_WORLD_" + theirs] for name, theirs in names.items()}
    found["NODE_RANK"] = variables.get("FAIRLEAD_TASK_INDEX", "0")
    return found


def become_rank(words: List[str]) -> int:
    """What mpirun starts: it turns into the command, with the variables that depend on the rank."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("FAIRLEAD_ACT_")}
    variables.update(rank_variables(variables))
    try:
        # The PATH is the job's, by which mpirun would have searched as well.
        os.execvpe(words[0], words, variables)
    except OSError as problem:
        return refused(words, problem)


def open_mpi() -> Optional[str]:
    """The mpirun of Open MPI up to 4, whose daemon is orted; others do not know all of the options."""
    path = shutil.which("mpirun")
    if path is None or shutil.which("orted") is None:
        return None
    try:
        answer = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return path if b"Open MPI" in answer.stdout or b"OpenRTE" in answer.stdout else None


def run_mpi(mpirun: str, words: List[str], boot: str, folder: str, work: str, environment: Dict[str, str], team: Team,
            stop: Stop) -> int:
    hosts = os.path.join(work, "hosts")
    agent = os.path.join(work, "agent")
    with open(hosts, "w", encoding="ascii") as file:
        for index in range(team.nodes):
            # Names of no machine, so that tasks of one machine stay apart: the agent alone resolves them.
            file.write("%s slots=%d\n" % ("localhost" if index == 0 else AGENT_HOST + str(index), team.per_node))
    with open(agent, "w", encoding="utf-8") as file:
        # It looks like a rank, but is not one that a stop should reach.
        file.write("#!/bin/sh\ntrap '' TERM\nexec %s -c %s agent \"$@\"\n" % (shell_word(sys.executable), shell_word(boot)))
    os.chmod(agent, stat.S_IRWXU)
    command = [mpirun, "--allow-run-as-root", "--tag-output", "--bind-to", "none", "--oversubscribe", "--hostfile", hosts]
    command += ["-npernode", str(team.per_node), "--leave-session-attached", "--mca", "plm", "rsh"]
    command += ["--mca", "plm_rsh_agent", agent, "--mca", "plm_rsh_no_tree_spawn", "1"]
    command += [sys.executable, "-c", boot, "rank"] + words
    # No variable travels by -x: the daemon of each task has the environment of its task already.
    stop.taker = lambda: None
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    readers = [reading(copy_untangled, process.stdout, sys.stdout.buffer),
               reading(copy_untangled, process.stderr, sys.stderr.buffer)]
    stop.taker = lambda: terminate_ranks([process], stop)
    if stop.asked:
        terminate_ranks([process], stop)
    code = exit_code(process.wait())
    signal_group(process.pid, SIGKILL)
    await_all(readers)
    return code


def shell_word(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def mpi_environment(environment: Dict[str, str], team: Team, work: str) -> Dict[str, str]:
    """For mpirun and its daemons. Those of one machine would take each other's files for their own.

    Not so for task 0: mpirun passes such settings on to all other tasks.
    """
    own = dict(environment, FAIRLEAD_ACT_RUNNER=os.environ["FAIRLEAD_ACT_RUNNER"])
    if team.shares_machine and team.index > 0:
        own["OMPI_MCA_orte_tmpdir_base"] = own["OMPI_MCA_btl_vader_backing_directory"] = work
    return own


def be_agent(words: List[str], team: Team) -> int:
    """What mpirun calls instead of ssh: a name of the hosts' file and a line for the shell of that task."""
    index = int(words[0][len(AGENT_HOST):])
    channel = call(team, index, HANDSHAKE_SECONDS)
    channel.send({"do": "run", "line": " ".join(words[1:])})
    return exit_code(int(channel.receive()["code"]))


def run_team(words: List[str], boot: str, folder: str, environment: Dict[str, str], team: Team, stop: Stop,
             work: str) -> int:
    """All ranks of the job, or those of this node; answers the code with which this task ends."""
    mpirun = open_mpi()
    own = mpi_environment(environment, team, work)
    if team.nodes > 1 and team.index > 0:
        peer = Peer(team, own, folder)
        way = peer.way()
        if way == "mpirun":
            return peer.stay(stop)
        return run_own(words, folder, environment, team, stop)
    if mpirun is None:
        log("there is no mpirun of Open MPI here, so the ranks are started without it")
    order = {"do": "meet", "way": "own" if mpirun is None else "mpirun"}
    channels: List[Channel] = []
    for index in range(1, team.nodes):
        channel = call(team, index, MEET_SECONDS)
        channel.send(order)
        channel.receive()
        channels.append(channel)
    code = 1
    try:
        if mpirun is None:
            code = run_own(words, folder, environment, team, stop)
        else:
            code = run_mpi(mpirun, words, boot, folder, work, own, team, stop)
    finally:
        for channel in channels:
            try:
                channel.send({"code": code})
            except OSError:
                pass  # That task has ended before, which its own exit shows.
    return code
