// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Per-cpu data as kernels lay it out: in a section at 0, whose first variable has the stack protector's
 * value (until 6.14), or between the others (-DRELATIVE). Built by `build`.
 */
#include <stddef.h>

#define NOINLINE __attribute__((noinline))
#define PERCPU	 __attribute__((section(".data..percpu")))
#define FIRST	 __attribute__((section(".data..percpu..first")))

struct task {
	long state;
	int pid;
	struct task *parent;
};

struct counter {
	unsigned long locks, unlocks;
};

struct domain {
	const char *name;
	struct counter *counters; /* one for each cpu */
	int *users;
};

struct queue {
	unsigned long nr, switches;
	struct task *running;
	unsigned int events[8];
};

#ifdef RELATIVE
PERCPU unsigned long __stack_chk_guard;
#define GUARD __stack_chk_guard
#else
struct fixed_data {
	char base[40];
	unsigned long canary;
};
FIRST struct fixed_data fixed_data;
#define GUARD fixed_data.canary
#endif

/* What a linker leaves out is said to be at 0 too. */
__attribute__((section(".discard.addressable"), used)) static void *addressable[8] = { NULL };

PERCPU unsigned long this_cpu_off;
PERCPU struct task *current_task;
PERCPU struct queue queues;
PERCPU int preempt_count;
unsigned long __per_cpu_offset[64];
struct domain domains[4];

#define percpu_op(op, variable) __asm__ volatile(op " %%gs:%0" : "+m"(variable))
#define this_cpu_read(variable)                                                                    \
	({                                                                                         \
		__typeof__(variable) value;                                                        \
		__asm__("mov %%gs:%1, %0" : "=r"(value) : "m"(variable));                          \
		value;                                                                             \
	})
#define this_cpu_ptr(variable)                                                                     \
	({                                                                                         \
		unsigned long pointer;                                                             \
		__asm__("add %%gs:%1, %0" : "=r"(pointer) : "m"(this_cpu_off), "0"(variable));     \
		(__typeof__(*(variable)) *)pointer;                                                \
	})
#define per_cpu_ptr(variable, cpu)                                                                 \
	({                                                                                         \
		unsigned long pointer;                                                             \
		__asm__("" : "=r"(pointer) : "0"(variable));                                       \
		(__typeof__(*(variable)) *)(pointer + __per_cpu_offset[cpu]);                      \
	})

/* As compilers themselves place it. */
NOINLINE unsigned long guard_frame(void)
{
#ifdef RELATIVE
	return this_cpu_read(GUARD);
#else
	unsigned long guard;

	__asm__("mov %%gs:40, %0" : "=r"(guard));
	return guard;
#endif
}

NOINLINE void lock(struct domain *domain)
{
	struct counter *counter = domain->counters;

	percpu_op("incq", counter->locks);
	percpu_op("incl", *domain->users);
}

NOINLINE void unlock(struct counter *counter)
{
	percpu_op("incq", counter->unlocks);
}

NOINLINE void count_event(unsigned int event)
{
	percpu_op("incl", queues.events[event]);
	percpu_op("incl", preempt_count);
}

NOINLINE unsigned long sum_counters(struct domain *domain, int nr)
{
	unsigned long sum = 0;

	for (int cpu = 0; cpu < nr; cpu++) {
		struct counter *c = per_cpu_ptr(domain->counters, cpu);

		sum += c->locks - c->unlocks;
		if (per_cpu_ptr(&queues, cpu)->running)
			sum += per_cpu_ptr(&queues, cpu)->running->pid;
	}
	return sum;
}

NOINLINE int switch_task(struct task *next)
{
	struct queue *queue = this_cpu_ptr(&queues);
	struct task *last = this_cpu_read(current_task);

	queue->switches++;
	queue->running = next;
	return last->parent->pid;
}

NOINLINE struct counter *own_counter(int id)
{
	struct counter *counter = this_cpu_ptr(domains[id].counters);

	counter->unlocks = counter->locks;
	return counter;
}
