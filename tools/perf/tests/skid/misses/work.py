# SPDX-License-Identifier: GPL-2.0-or-later
# Objects, dictionaries and strings, more than the second level of cache holds.
import random

random.seed(1)


class Item:
    def __init__(self, number):
        self.number, self.uses, self.tags = number, 0, [number % 7, str(number)]


items = {"item %d" % i: Item(i) for i in range(6000)}
names = list(items)
random.shuffle(names)
for name in names:
    item = items[name]
    item.uses += len(item.tags[1])
print(sum(i.uses for i in sorted(items.values(), key=lambda i: -i.number)))
