# SPDX-License-Identifier: GPL-2.0-or-later
import json, random, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
while True:
    fib(15)
    text = json.dumps([{"a": i, "b": [str(i)] * 3} for i in range(300)])
    sorted((random.random() for _ in range(2000)), key=lambda x: -x)
    re.findall(r'(\d+)", "(\d+)', text)
