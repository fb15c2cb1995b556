// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of; as in fields.c.
// clang-format off
/*
 * @locals char** | Holder* | Outer* | Named* | long | long int | int | class chain::Outer* | chain::Outer* | chain::Holder* | chain::Named* | const chain::Named* | struct chain::Node* | chain::Disk* | chain::Drive*
 */
#include "virtual.h"
using namespace chain;
#define NOINLINE __attribute__((noinline))

NOINLINE int held(Holder *h) { return h->held; } // @zero chain::Holder +0x8 (held)
NOINLINE const char *name_of(Outer *o) { return o->name; } // @zero chain::Outer +0x18 (name)
NOINLINE Holder *direct(Outer *o) { return o->direct; } // @zero chain::Outer +0x20 (direct)
/* What virtual functions return: of the class itself, of its first base, of another. */
NOINLINE long value(Holder *h) { return h->first()->value; } // @zero struct chain::Node +0 (value) | ~chain::Holder +0 (_vptr.Holder) | ~chain::Holder +0 (_vptr$Holder)
NOINLINE long chained(Outer *o) { return o->holder()->first()->next->value; } // @zero struct chain::Node +0 (value) | ~struct chain::Node +0x8 (next) | ~chain::Holder +0 (_vptr.Holder) | ~chain::Holder +0 (_vptr$Holder) | ~chain::Outer +0 (_vptr.Holder) | ~chain::Outer +0 (_vptr$Holder)
NOINLINE long named(const Named *n) { return n->named()->value; } // @zero struct chain::Node +0 (value) | ~chain::Named +0 (_vptr.Named) | ~chain::Named +0 (_vptr$Named)
/* A virtual base: where it is, only the object's table tells. */
NOINLINE long reads(Disk *d) { return d->reads; } // @zero chain::Device +0x8 (reads) | ~chain::Disk +0 (_vptr.Disk) | ~chain::Disk +0 (_vptr$Disk)
NOINLINE long both(Drive *d) { return d->reads + d->sector; } // @zero chain::Drive +0x18 (sector) | ~chain::Device +0x8 (reads) | ~chain::Drive +0x10 (_vptr.Disk) | ~chain::Drive +0x10 (_vptr$Disk) | ~chain::Drive +0 (_vptr.Named) | ~chain::Drive +0 (_vptr$Named)

int main(int argc, char **argv)
{
	Outer *o = reinterpret_cast<Outer *>(argv);

	return argc < 99 ? 0 : static_cast<int>(held(o) + *name_of(o) + value(direct(o)) + chained(o) + named(o) + reads(reinterpret_cast<Disk *>(o)) + both(reinterpret_cast<Drive *>(o))); // @type char +0 (no field)
}
