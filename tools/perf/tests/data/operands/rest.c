// SPDX-License-Identifier: GPL-2.0-or-later
/* What operands.c calls, and where programs begin; without debug information. */
struct machine;
int reset(struct machine *machine, int input), count(struct machine *machine, int input);

void sink(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

void sink_many(void *a, void *b, long c, long d, long e, long f, long g, long h)
{
	sink(a);
}

__attribute__((noreturn)) void give_up(struct machine *machine, int why)
{
	for (;;)
		sink(machine);
}

void complain(void *p)
{
	sink(p);
}

int reset(struct machine *machine, int input)
{
	return input;
}

int count(struct machine *machine, int input)
{
	return input + 1;
}

const struct {
	const char *name;
	int (*enter)(struct machine *machine, int input),
		(*leave)(struct machine *machine, int input);
} tables[4] = {
	{ "a", reset, count }, { "b", count, reset }, { "c", reset, reset }, { "d", count, count }
};

void __stack_chk_fail(void)
{
	for (;;)
		;
}

void __cxa_pure_virtual(void)
{
}

void *_ZTVN10__cxxabiv120__si_class_type_infoE[3], *_ZTVN10__cxxabiv117__class_type_infoE[3],
	*_ZTVN10__cxxabiv121__vmi_class_type_infoE[3];

void _start(void)
{
	for (;;)
		;
}
