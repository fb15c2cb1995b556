# SPDX-License-Identifier: GPL-2.0-or-later
"""A C file with many names, which are used in another order than that of their declarations."""
import random

NAMES = 60000

random.seed(1)
order = list(range(NAMES))
for i in order:
    print("int variable_%d_of_the_program;" % i)
print("int sum(void)\n{\n\tint s = 0;")
for text in ("\ts += variable_%d_of_the_program;", "\tvariable_%d_of_the_program = s;"):
    random.shuffle(order)
    for i in order:
        print(text % i)
print("\treturn s;\n}")
