"""The ranks of an ACT job, under the real mpirun where it is installed and without it."""

import io
import json
import os
import socket
import sys
import threading
import unittest
from typing import Dict, List

from act_support import SOURCES, NodeCase

sys.path.insert(0, SOURCES)
import lines  # noqa: E402
import meeting  # noqa: E402

# Each rank adds its number plus one to a sum by MPI itself: C's library, called without a compiler.
MPI_PROGRAM = """
import ctypes, ctypes.util, os
library = ctypes.CDLL("libmpi.so.40", ctypes.RTLD_GLOBAL)
def handle(name):
    return ctypes.byref(ctypes.c_char.in_dll(library, name))
world = handle("ompi_mpi_comm_world")
library.MPI_Init(None, None)
rank, size, total = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
library.MPI_Comm_rank(world, ctypes.byref(rank))
library.MPI_Comm_size(world, ctypes.byref(size))
mine = ctypes.c_int(rank.value + 1)
library.MPI_Allreduce(ctypes.byref(mine), ctypes.byref(total), 1, handle("ompi_mpi_int"), handle("ompi_mpi_op_sum"), world)
os.write(1, b"rank %d of %d has %d\\n" % (rank.value, size.value, total.value))
library.MPI_Finalize()
"""

# Rank 0 meets the others where the variables say, as PyTorch's ranks do.
SOCKET_PROGRAM = """
import os, socket, time
rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
place = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
if rank == 0:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(place)
    listener.listen(size)
    met = sorted(listener.accept()[0].recv(10).decode() for _ in range(size - 1))
    os.write(1, b"met " + ",".join(met).encode() + b"\\n")
else:
    for _ in range(600):
        try:
            socket.create_connection(place, 30).sendall(str(rank).encode())
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
"""

NAMES = (
    "OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_RANK OMPI_COMM_WORLD_LOCAL_SIZE "
    "OMPI_COMM_WORLD_NODE_RANK RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE NODE_RANK"
).split()
SAY_NAMES = 'echo "%s"' % " ".join("$" + name for name in NAMES)


class Ranks:
    """The same for both ways of starting them."""

    def test_a_rank_knows_its_place_among_all(self) -> None:
        self.over(2, 2)
        ends = [self.ended(each) for each in self.start_all("sh", "-c", SAY_NAMES)]
        self.assertEqual([0, 0], [code for code, _, _ in ends])
        lines = sorted("".join(out for _, out, _ in ends).splitlines())
        wanted = [
            "[1,%d]<stdout>:%d 4 %d 2 %d %d 4 %d 2 %d" % (rank, rank, local, local, rank, local, node)
            for rank, local, node in ((0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1))
        ]
        self.assertEqual(wanted, lines)
        self.assertEqual([], self.leftovers())

    def test_words_reach_each_rank_as_they_are(self) -> None:
        self.over(1, 2)
        (process,) = self.start_all("printf", "%s\\n", "a  b;$HOME 'c'")
        code, out, _ = self.ended(process)
        wanted = ["[1,%d]<stdout>:a  b;$HOME 'c'" % rank for rank in (0, 1)]
        self.assertEqual((0, wanted), (code, sorted(out.splitlines())))

    def test_a43_ranks_of_two_tasks_meet_where_the_variables_say(self) -> None:
        self.over(2, 2)
        self.variables["MASTER_PORT"] = str(self.free_port())
        self.pack({"meet.py": SOCKET_PROGRAM})
        ends = [self.ended(each) for each in self.start_all(sys.executable, "meet.py")]
        self.assertEqual([0, 0], [code for code, _, _ in ends], ends)
        self.assertIn("[1,0]<stdout>:met 1,2,3\n", ends[0][1])

    def test_one_task_has_a_port_to_meet_at(self) -> None:
        self.over(1, 3)
        self.pack({"meet.py": SOCKET_PROGRAM})
        (process,) = self.start_all(sys.executable, "meet.py")
        self.assertIn("[1,0]<stdout>:met 1,2\n", self.ended(process)[1])

    def test_a_rank_that_fails_ends_the_others_and_its_code_counts(self) -> None:
        self.over(1, 3)
        (process,) = self.start_all("sh", "-c", '[ "$RANK" = 1 ] && exit 7; sleep 600')
        self.assertEqual(7, self.ended(process)[0])
        self.eventually("all have ended", lambda: not self.processes())

    def test_a_stop_reaches_the_ranks_of_all_tasks(self) -> None:
        self.over(2, 2)
        script = 'trap "touch %s/heard-$RANK; exit 0" TERM; touch %s/up-$RANK; while :; do sleep 0.05; done'
        started = self.start_all("sh", "-c", script % (self.home, self.home))
        self.eventually("the ranks run", lambda: self.marks("up-") == ["0", "1", "2", "3"])
        for each in started:
            each.terminate()
        self.assertEqual([0, 0], [self.ended(each)[0] for each in started])
        self.assertEqual(["0", "1", "2", "3"], self.marks("heard-"))
        self.eventually("all have ended", lambda: not self.processes())
        self.assertEqual([], self.leftovers())

    def test_ranks_that_do_not_listen_are_ended(self) -> None:
        self.over(2, 1)
        self.variables["FAIRLEAD_ACT_GRACE"] = "2"
        script = 'trap "" TERM; touch %s/up-$RANK; while :; do sleep 0.05; done' % self.home
        started = self.start_all("sh", "-c", script)
        self.eventually("the ranks run", lambda: self.marks("up-") == ["0", "1"])
        for each in started:
            each.terminate()
        for each in started:
            self.assertNotEqual(0, self.ended(each)[0])
        self.eventually("all have ended", lambda: not self.processes())

    def test_a_program_that_is_not_there_fails_the_job(self) -> None:
        self.over(1, 2)
        (process,) = self.start_all("no-such-program")
        code, out, err = self.ended(process)
        self.assertEqual(127, code)
        self.assertIn("cannot run no-such-program", out + err)

    def marks(self, head: str) -> List[str]:
        return sorted(name[len(head):] for name in os.listdir(self.home) if name.startswith(head))

    @staticmethod
    def free_port() -> int:
        with socket.socket() as each:
            each.bind(("127.0.0.1", 0))
            port: int = each.getsockname()[1]
            return port


class MpirunTest(Ranks, NodeCase):
    def test_a_program_of_mpi_computes_over_one_task(self) -> None:
        self.over(1, 3)
        self.pack({"sum.py": MPI_PROGRAM})
        (process,) = self.start_all("/usr/bin/python3", "sum.py")
        code, out, err = self.ended(process)
        self.assertEqual(0, code, err)
        self.assertEqual(["[1,%d]<stdout>:rank %d of 3 has 6" % (i, i) for i in range(3)], sorted(out.splitlines()))

    def test_a_program_of_mpi_computes_over_three_tasks_of_one_machine(self) -> None:
        self.over(3, 2)
        self.pack({"sum.py": MPI_PROGRAM})
        ends = [self.ended(each) for each in self.start_all("/usr/bin/python3", "sum.py")]
        self.assertEqual([0, 0, 0], [code for code, _, _ in ends], ends)
        wanted = ["[1,%d]<stdout>:rank %d of 6 has 21" % (i, i) for i in range(6)]
        self.assertEqual(wanted, sorted(ends[0][1].splitlines()))

    def test_all_tasks_end_with_the_code_of_the_rank_that_failed(self) -> None:
        self.over(2, 1)
        ends = [self.ended(each) for each in self.start_all("sh", "-c", '[ "$RANK" = 1 ] && exit 9; sleep 600')]
        self.assertEqual([9, 9], [code for code, _, _ in ends])

    def test_a_task_whose_first_task_is_gone_ends(self) -> None:
        self.over(2, 1)
        first, second = self.start_all("sh", "-c", "touch %s/up-$RANK; sleep 600" % self.home)
        self.eventually("the ranks run", lambda: self.marks("up-") == ["0", "1"])
        first.kill()
        code, _, err = self.ended(second)
        self.assertEqual(1, code)
        self.assertIn("task 0 is gone", err)
        for pid in self.processes():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        self.eventually("all have ended", lambda: not self.processes())


class OwnRanksTest(Ranks, NodeCase):
    def setUp(self) -> None:
        super().setUp()
        self.only("sh", "sleep", "touch", "printf")

    def test_both_streams_are_tagged_by_whole_lines(self) -> None:
        self.over(1, 1)
        (process,) = self.start_all("sh", "-c", "printf one; sleep 0.1; printf 'two\\nrest'; echo bad >&2")
        _, out, err = self.ended(process)
        self.assertEqual("[1,0]<stdout>:onetwo\n[1,0]<stdout>:rest\n", out)
        self.assertIn("[1,0]<stderr>:bad\n", err)
        self.assertIn("no mpirun of Open MPI", err)


class LinesTest(unittest.TestCase):
    def untangled(self, pieces: List[bytes]) -> bytes:
        """What becomes of mpirun's output that arrives in these pieces."""
        out = io.BytesIO()
        reader, writer = os.pipe()
        copying = threading.Thread(target=lines.copy_untangled, args=(os.fdopen(reader, "rb"), out))
        copying.start()
        for piece in pieces:
            os.write(writer, piece)
        os.close(writer)
        copying.join()
        return out.getvalue()

    def test_pieces_of_ranks_become_whole_lines(self) -> None:
        tangled = b"[1,0]<stdout>:one [1,1]<stdout>:eins [1,0]<stdout>:two\n[1,1]<stdout>:zwei\n"
        self.assertEqual(b"[1,0]<stdout>:one two\n[1,1]<stdout>:eins zwei\n", self.untangled([tangled]))

    def test_every_cut_gives_the_same_lines(self) -> None:
        tangled = b"[1,0]<stdout>:a[0,[1,1]<stderr>:b\nmpirun says\n[1,0]<stdout>:c\n\n[1,12]<stdout>:end"
        whole = self.untangled([tangled])
        self.assertEqual(b"[1,1]<stderr>:b\nmpirun says\n[1,0]<stdout>:a[0,c\n\n[1,12]<stdout>:end\n", whole)
        for cut in range(1, len(tangled)):
            self.assertEqual(whole, self.untangled([tangled[:cut], tangled[cut:]]), cut)

    def test_a_bar_that_moves_becomes_lines(self) -> None:
        out = io.BytesIO()
        bar = lines.Lines(out)
        for piece in (b"\r10%", b"\r20%", b"\r\n"):
            bar.add(b"t:", piece)
        bar.add(b"t:", b"end\r")
        bar.add(b"t:", b"\n")
        self.assertEqual(b"t:\nt:10%\nt:20%\nt:end\n", out.getvalue())

    def test_a_line_without_end_is_passed_on_in_pieces(self) -> None:
        out = io.BytesIO()
        endless = lines.Lines(out)
        endless.add(b"t:", b"x" * (lines.LINE_BYTES_MAX + 1))
        self.assertEqual(lines.LINE_BYTES_MAX + 4, len(out.getvalue()))


class MeetingTest(unittest.TestCase):
    def team(self, index: int, token: str, port: int) -> meeting.Team:
        places = [{"index": i, "host": "127.0.0.1", "ports": {"act": [port]}} for i in range(2)]
        variables: Dict[str, str] = {
            "FAIRLEAD_TASK_INDEX": str(index), "FAIRLEAD_JOB_TOKEN": token, "FAIRLEAD_JOB": "a_1_00000001",
            "FAIRLEAD_ATTEMPT": "1", "FAIRLEAD_TASKS": json.dumps(places), "FAIRLEAD_PORT_ACT": str(port),
        }  # fmt: skip
        return meeting.Team(variables, 2, 1)

    def answer(self, listener: socket.socket, team: meeting.Team, said: List[str]) -> None:
        try:
            channel = meeting.Channel(listener.accept()[0], team, False)
            said.append(channel.receive()["do"])
            channel.close()
        except ConnectionError as problem:
            said.append(str(problem))

    def said_to(self, token: str) -> List[str]:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
            port = listener.getsockname()[1]
            said: List[str] = []
            server = threading.Thread(target=self.answer, args=(listener, self.team(1, "token", port), said))
            server.start()
            caller = socket.create_connection(("127.0.0.1", port))
            try:
                meeting.Channel(caller, self.team(0, token, port), True).send({"do": "run", "line": "true"})
            except ConnectionError:
                pass
            server.join()
            caller.close()
            return said

    def test_a_task_hears_another_of_its_job(self) -> None:
        self.assertEqual(["run"], self.said_to("token"))

    def test_a_stranger_is_not_listened_to(self) -> None:
        self.assertEqual(["the other side does not know the job's token"], self.said_to("other"))
