"""A training in miniature: reads from data, writes to output, and tells which rank it is."""
import os
import sys

rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
size = os.environ.get("OMPI_COMM_WORLD_SIZE", "1")
print("rank", rank, "of", size, "with", sys.argv[1:], "sees", sorted(os.listdir("data")))
with open(os.path.join("output", "rank-" + rank), "w") as file:
    file.write("done\n")
