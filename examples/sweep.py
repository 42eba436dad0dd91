"""One point of a sweep: fits a line with the learning rate it is given, and says how far off it is.

    fairlead -n 0 submit --name sweep --array 0-9 'python3 examples/sweep.py {i}'
"""

import random
import sys

RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]

index = int(sys.argv[1])
rate = RATES[index]
dice = random.Random(7)
points = [(x, 2 * x + 1) for x in (dice.uniform(-1, 1) for _ in range(100))]

slope, offset = 0.0, 0.0
for _ in range(20):
    gradient_slope = sum((slope * x + offset - y) * x for x, y in points) / len(points)
    gradient_offset = sum(slope * x + offset - y for x, y in points) / len(points)
    slope, offset = slope - rate * gradient_slope, offset - rate * gradient_offset
loss = sum((slope * x + offset - y) ** 2 for x, y in points) / len(points)
print("point %d: learning rate %g, loss %.3g" % (index, rate, loss))
