// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What makes kernel code differ from a program's, in one function each: per-cpu variables, the
 * current task, retpolines and return thunks, static calls, static branches, alternatives, code
 * that is only there to start. Built by `build` as a module and as a kernel's image.
 */
#include <stddef.h>

#define NOINLINE __attribute__((noinline))
#define PERCPU	 __attribute__((section(".data..percpu")))
#define INIT	 __attribute__((section(".init.text"), cold))
#ifdef MODULE
#define KERNEL_HAS(declaration, value) extern declaration
#else
#define KERNEL_HAS(declaration, value) declaration value
#endif

struct list {
	struct list *next, *prev;
};

struct task {
	long state;
	int pid, flags;
	struct list siblings;
	struct task *parent;
	char comm[16];
};

struct queue {
	unsigned long nr, switches;
	struct task *running;
	struct list ready;
};

struct device;
struct operations {
	int (*open)(struct device *device, int flags);
	struct queue *(*queue_of)(struct device *device);
};

struct device {
	const struct operations *operations;
	struct device *parent;
	struct list children;
	int users;
	void *data;
};

struct driver {
	int id;
	struct device device;
	unsigned long errors;
};

struct timekeeper {
	unsigned long ticks;
	int shift;
	long offsets[4];
};

/* The kernel's. */
KERNEL_HAS(PERCPU unsigned long this_cpu_off, = 0);
KERNEL_HAS(PERCPU struct task *current_task, = NULL);
KERNEL_HAS(PERCPU struct queue queues, = { 0 });
KERNEL_HAS(PERCPU int preempt_count, = 0);
KERNEL_HAS(unsigned long __per_cpu_offset[64], = { 0 });
KERNEL_HAS(struct timekeeper timekeeper, = { 0 });
extern int features[];
#ifdef MODULE
struct device *get_device(int id);
void *allocate(unsigned long size);
#else
struct device devices[4];
int features[8];

NOINLINE struct device *get_device(int id)
{
	return &devices[id & 3];
}

NOINLINE void *allocate(unsigned long size)
{
	return (char *)devices + size;
}
#endif

/* Its own. */
struct stats {
	unsigned long calls, failures;
	int last;
};

PERCPU struct stats stats;
struct driver *drivers[8];
static struct list all = { &all, &all };

/* As the kernel's own headers have them. */
#define this_cpu_read(variable)                                                                    \
	({                                                                                         \
		__typeof__(variable) value;                                                        \
		__asm__("mov %%gs:%1, %0" : "=r"(value) : "m"(variable));                          \
		value;                                                                             \
	})
#define this_cpu_inc(variable) __asm__ volatile("incl %%gs:%0" : "+m"(variable))
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

static inline struct task *get_current(void)
{
	return this_cpu_read(current_task);
}

#define current get_current()

NOINLINE int current_pid(void)
{
	return current->pid + current->parent->flags;
}

NOINLINE unsigned long count_call(int error)
{
	struct stats *s = this_cpu_ptr(&stats);

	s->calls++;
	if (error) {
		s->failures++;
		s->last = error;
	}
	this_cpu_inc(preempt_count);
	return s->calls;
}

NOINLINE unsigned long sum_queues(int nr)
{
	unsigned long sum = this_cpu_ptr(&queues)->switches;

	for (int cpu = 0; cpu < nr; cpu++) {
		struct queue *queue = per_cpu_ptr(&queues, cpu);

		sum += queue->nr;
		if (queue->running)
			sum += queue->running->pid;
	}
	return sum;
}

/* Through a retpoline's thunk, and what it returns. */
NOINLINE int open_device(struct device *device, int flags)
{
	int error = device->operations->open(device, flags);

	if (error)
		return error;
	device->users++;
	return device->operations->queue_of(device)->running->pid;
}

/* What a function elsewhere returns: nothing but its declaration says. */
NOINLINE long find_device(int id)
{
	struct driver *driver;
	struct device *device = get_device(id);

	if (!device->parent)
		return -1;
	driver = (struct driver *)((char *)device - offsetof(struct driver, device));
	driver->errors = 0;
	return driver->id + device->users;
}

/* A static call: its trampoline is patched, the declaration stays. */
struct queue *__SCT__pick_queue(struct device *device);

NOINLINE unsigned long static_call(struct device *device)
{
	struct queue *queue = __SCT__pick_queue(device);

	return queue->nr + queue->switches;
}

/* A static branch: a nop that becomes a jump. Nothing else leads to the slow way. */
NOINLINE long static_branch(struct task *task, struct driver *driver)
{
	struct device *device = driver->device.parent;

	__asm__ goto("1: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
		     ".pushsection __jump_table, \"aw\"\n"
		     ".balign 8\n"
		     ".long 1b - ., %l[slow] - .\n"
		     ".quad features - .\n"
		     ".popsection"
		     :
		     :
		     :
		     : slow);
	return task->state;
slow:
	device->users = 0;
	return device->parent->users + task->parent->pid + driver->errors;
}

/* An alternative: what stands there is replaced at the start, the types stay. */
NOINLINE long alternative(struct timekeeper *t)
{
	long ticks;

	__asm__("661: mov %1, %0\n"
		"662:\n"
		".pushsection .altinstructions, \"a\"\n"
		".long 661b - ., 663f - .\n"
		".byte 1, 0, 662b - 661b, 664f - 663f\n"
		".popsection\n"
		".pushsection .altinstr_replacement, \"ax\"\n"
		"663: mov %1, %0\n"
		"664:\n"
		".popsection"
		: "=r"(ticks)
		: "m"(t->ticks));
	return ticks >> t->shift;
}

NOINLINE long use_globals(int i)
{
	timekeeper.ticks++;
	timekeeper.offsets[i & 3] = i;
	if (drivers[i])
		drivers[i]->errors++;
	return all.next != &all ? features[i] : 0;
}

NOINLINE int count_users(struct device *device)
{
	int users = 0;

	for (struct list *l = device->children.next; l != &device->children; l = l->next)
		users += ((struct device *)((char *)l - offsetof(struct device, children)))->users;
	return users;
}

/* Allocated as bytes; what it becomes, the code after it says. */
NOINLINE struct driver *make_driver(struct device *parent)
{
	struct driver *driver = allocate(sizeof(*driver));

	driver->id = parent->users;
	driver->device.parent = parent;
	return driver;
}

INIT int start(struct device *device)
{
	drivers[0] = make_driver(device);
	drivers[0]->errors = timekeeper.ticks;
	device->users = 1;
	return open_device(device, 3);
}
