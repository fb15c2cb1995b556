// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does this kernel keep the ABI of PERF_SAMPLE_TLS_USER? One line per promise, "ok - ..." or
 * "not ok - ...", as the house's tests print them. It samples itself and looks into its own
 * ring; built as a 64-bit and as a 32-bit program, since both have a thread pointer.
 *
 * Where it gives its thread pointer other values nothing may be called: libc keeps its own
 * things there.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/ldt.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_TLS_USER (1u << 25)
#define REGS_SP_IP	((1u << 7) | (1u << 8))
#define RING_PAGES	512
#define PAGE		4096u
#define MARK		0x5afec0de5afec0deull
#define WORK_NS		300000000ull

/* sample_tls_user takes the place of the attribute's reserved half-word. */
static void set_window(struct perf_event_attr *attr, uint16_t size)
{
	memcpy(&attr->__reserved_2, &size, sizeof(size));
}

static const struct perf_event_attr timer = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 200000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | SAMPLE_TLS_USER,
	.disabled = 1,
};

static int open_event(const struct perf_event_attr *attr, int pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, 0);
}

struct sample {
	bool kernel, whole; /* whole: the record ends where its sections do */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t abi, stack_size, stack_dyn;
	const uint8_t *stack;
	uint64_t size, dyn;
	const uint8_t *window;
};

struct results {
	unsigned int nr, kernel, bad;
	unsigned int in[2]; /* samples in the two sections below */
	char why[160];
};

static void fail(struct results *r, const char *what, uint64_t value)
{
	if (!r->bad++)
		snprintf(r->why, sizeof(r->why), "%s: %#llx", what, (unsigned long long)value);
}

typedef void check_fn(const struct sample *s, struct results *r);

static bool take(const uint8_t **at, const uint8_t *end, void *to, size_t size)
{
	if ((size_t)(end - *at) < size)
		return false;
	memcpy(to, *at, size);
	*at += size;
	return true;
}

/* u64 size, the bytes, and behind them, where there are any, how many were read. */
static bool take_dump(const uint8_t **at, const uint8_t *end, const uint8_t **bytes, uint64_t *size,
		      uint64_t *dyn)
{
	if (!take(at, end, size, sizeof(*size)) || (uint64_t)(end - *at) < *size)
		return false;
	*bytes = *at;
	*at += *size;
	return !*size || take(at, end, dyn, sizeof(*dyn));
}

static bool parse(const struct perf_event_attr *attr, const uint8_t *record, struct sample *s)
{
	const struct perf_event_header *h = (const void *)record;
	const uint8_t *at = record + sizeof(*h), *end = record + h->size;
	uint64_t regs[2];
	bool ok;

	memset(s, 0, sizeof(*s));
	s->kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	ok = take(&at, end, &s->ip, 8) && take(&at, end, &s->pid, 4) && take(&at, end, &s->tid, 4);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		ok = ok && take(&at, end, &s->abi, 8) && (!s->abi || take(&at, end, regs, 16));
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		ok = ok && take_dump(&at, end, &s->stack, &s->stack_size, &s->stack_dyn);
	if (attr->sample_type & SAMPLE_TLS_USER)
		ok = ok && take_dump(&at, end, &s->window, &s->size, &s->dyn);
	s->whole = ok && at == end;
	return ok;
}

static void drain(const struct perf_event_attr *attr, struct perf_event_mmap_page *ring,
		  check_fn *check, struct results *r)
{
	static uint64_t copy[65536 / 8];
	const uint8_t *data = (const uint8_t *)ring + PAGE;
	uint64_t mask = RING_PAGES * PAGE - 1, head = ring->data_head;

	__sync_synchronize();
	for (uint64_t at = ring->data_tail; at < head;) {
		struct perf_event_header h;
		struct sample s;

		memcpy(&h, data + (at & mask), sizeof(h)); /* never split: it is 8 bytes */
		for (unsigned int i = 0; i < h.size; i += 8)
			memcpy((uint8_t *)copy + i, data + ((at + i) & mask), 8);
		at += h.size;
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		r->nr++;
		if (!parse(attr, (const uint8_t *)copy, &s) || !s.whole) {
			fail(r, "a record's size does not fit its sections", h.size);
			continue;
		}
		r->kernel += s.kernel;
		check(&s, r);
	}
	ring->data_tail = head;
}

/* Samples @work with @attr, and @check looks at each sample. */
static struct results measure(const struct perf_event_attr *attr, int pid, int cpu,
			      void (*work)(void), check_fn *check)
{
	struct results r = { 0 };
	struct perf_event_mmap_page *ring;
	int fd = open_event(attr, pid, cpu);

	if (fd < 0) {
		fail(&r, "perf_event_open", (uint64_t)errno);
		return r;
	}
	ring = mmap(NULL, (RING_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		fail(&r, "mmap", (uint64_t)errno);
		close(fd);
		return r;
	}
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	work();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	drain(attr, ring, check, &r);
	munmap(ring, (RING_PAGES + 1) * PAGE);
	close(fd);
	return r;
}

static void report(const char *name, const struct results *r, unsigned int least, unsigned int got)
{
	if (r->bad)
		printf("not ok - %s: %u of %u samples: %s\n", name, r->bad, r->nr, r->why);
	else if (got < least)
		printf("not ok - %s: only %u of %u samples\n", name, got, r->nr);
	else
		printf("ok - %s (%u samples)\n", name, got);
}

/* A variable of our own to find in the window. */
static _Thread_local volatile uint64_t mark[2];
static uintptr_t thread_pointer;
static uint16_t window_size;
static volatile unsigned long sink;

static uint64_t word_at(const struct sample *s, uintptr_t va)
{
	uint64_t word = 0, at = s->size - (thread_pointer - va);

	if (at + 8 <= s->size)
		memcpy(&word, s->window + at, 8);
	return word;
}

static void has_mark(const struct sample *s, struct results *r)
{
	if (s->size != window_size)
		fail(r, "size", s->size);
	else if (s->dyn != s->size)
		fail(r, "dyn_size", s->dyn);
	else if (word_at(s, (uintptr_t)&mark[0]) != MARK ||
		 word_at(s, (uintptr_t)&mark[1]) != ~MARK)
		fail(r, "not our variable", word_at(s, (uintptr_t)&mark[0]));
}

static void is_empty(const struct sample *s, struct results *r)
{
	if (s->size)
		fail(r, "size", s->size);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void spin(void)
{
	for (uint64_t end = now() + WORK_NS; now() < end;)
		for (unsigned long i = 0; i < 10000; i++)
			sink += i;
}

static void call_kernel(void)
{
	static char buffer[1 << 16];
	int fd = open("/dev/zero", O_RDONLY);

	for (uint64_t end = now() + WORK_NS; now() < end;)
		if (read(fd, buffer, sizeof(buffer)) < 0)
			break;
	close(fd);
}

/* On another CPU than the first where there is one, which then has little to do. */
static void leave_first_cpu(void)
{
	unsigned long mask = ~1ul;

	if (syscall(SYS_sched_setaffinity, 0, sizeof(mask), &mask) == 0)
		spin();
	mask = ~0ul;
	syscall(SYS_sched_setaffinity, 0, sizeof(mask), &mask);
}

static void refused(const char *name, uint64_t type, uint16_t size, int expected)
{
	struct perf_event_attr attr = timer;
	int fd;

	attr.sample_type = type;
	set_window(&attr, size);
	fd = open_event(&attr, 0, -1);
	if (fd < 0 ? errno == expected : !expected)
		printf("ok - %s\n", name);
	else
		printf("not ok - %s: %s\n", name, fd < 0 ? strerror(errno) : "accepted");
	if (fd >= 0)
		close(fd);
}

static void check_attributes(void)
{
	refused("a size that is no multiple of 8 is refused: EINVAL", timer.sample_type, 12,
		EINVAL);
	refused("a size without the sample type is refused: EINVAL", PERF_SAMPLE_IP, 8, EINVAL);
	refused("the next sample type is refused: EINVAL", PERF_SAMPLE_IP | 1u << 26, 0, EINVAL);
	refused("size 0 is accepted", timer.sample_type, 0, 0);
	refused("the greatest size is accepted", timer.sample_type, 65528, 0);
}

static void check_windows(void)
{
	struct perf_event_attr attr = timer;
	struct results r;

	set_window(&attr, window_size);
	r = measure(&attr, 0, -1, spin, has_mark);
	report("the window ends at the thread pointer, without user registers", &r, 100, r.nr);
	r = measure(&attr, 0, -1, call_kernel, has_mark);
	report("a thread hit in the kernel has its window", &r, 100, r.kernel);
	set_window(&attr, 0);
	r = measure(&attr, 0, -1, spin, is_empty);
	report("size 0 is a size and nothing more", &r, 100, r.nr);
}

/* The size of the idle task's window; other threads may have one. */
static void idle_is_empty(const struct sample *s, struct results *r)
{
	if (!s->pid && !s->tid) {
		r->in[0]++;
		is_empty(s, r);
	}
}

static void check_kernel_threads(void)
{
	struct perf_event_attr attr = timer;
	struct results r;

	set_window(&attr, window_size);
	r = measure(&attr, -1, 0, leave_first_cpu, idle_is_empty);
	report("the idle task has none", &r, 1, r.in[0]);
}

#define STACK_MARK 0x57ac57ac57ac57acull

static uint32_t stack_wanted;

static void has_mark_and_stack(const struct sample *s, struct results *r)
{
	uint64_t word;

	has_mark(s, r);
	if (s->stack_size != stack_wanted || s->stack_dyn > s->stack_size)
		fail(r, "stack size", s->stack_size);
	for (uint64_t i = 0; i + 8 <= s->stack_dyn; i += 8) {
		memcpy(&word, s->stack + i, 8);
		r->in[0] += word == STACK_MARK;
	}
}

static void has_mark_and_some_stack(const struct sample *s, struct results *r)
{
	has_mark(s, r);
	if (!s->stack_size || s->stack_size % 8)
		fail(r, "stack size", s->stack_size);
}

__attribute__((noinline)) static void call_kernel_marked(void)
{
	volatile uint64_t marks[8];

	for (unsigned int i = 0; i < 8; i++)
		marks[i] = STACK_MARK;
	call_kernel();
	sink += marks[0];
}

static void check_beside_stack(void)
{
	struct perf_event_attr attr = timer;
	struct results r;

	attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr.sample_regs_user = REGS_SP_IP;
	attr.sample_stack_user = stack_wanted = 1024;
	set_window(&attr, window_size);
	r = measure(&attr, 0, -1, call_kernel_marked, has_mark_and_stack);
	report("beside a dump of the user stack, hit in the kernel", &r, 100, r.kernel);
	report("that dump has the user's stack", &r, 400, r.in[0]);
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = 0;
	attr.sample_stack_user = 65528;
	attr.sample_period = 2000000;
	r = measure(&attr, 0, -1, spin, has_mark_and_some_stack);
	report("the greatest stack leaves room for the window", &r, 20, r.nr);
}

/*
 * Blocks that stand in for thread-local storage: block K has K + 1 in the word below its end. Two
 * functions in sections of their own, so that the address tells which block counts.
 */
#define BLOCK_SIZE 256u
static uint64_t blocks[2][BLOCK_SIZE / 8];
extern const char __start_block0[], __stop_block0[], __start_block1[], __stop_block1[];

__attribute__((noinline, section("block0"))) static void spin_block0(void)
{
	for (unsigned long i = 0; i < 2000000; i++)
		sink += i;
}

__attribute__((noinline, section("block1"))) static void spin_block1(void)
{
	for (unsigned long i = 0; i < 2000000; i++)
		sink -= i;
}

static void has_block(const struct sample *s, struct results *r)
{
	uintptr_t ip = (uintptr_t)s->ip;
	uint64_t word;
	int block;

	if (ip >= (uintptr_t)__start_block0 && ip < (uintptr_t)__stop_block0)
		block = 0;
	else if (ip >= (uintptr_t)__start_block1 && ip < (uintptr_t)__stop_block1)
		block = 1;
	else
		return;
	r->in[block]++;
	if (s->size != 64 || s->dyn != 64) {
		fail(r, "dyn_size", s->dyn);
		return;
	}
	memcpy(&word, s->window + 56, 8);
	if (word != (uint64_t)block + 1)
		fail(r, "another block", word);
}

#ifdef __x86_64__
static void set_base(uintptr_t base)
{
	__asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
}

static uintptr_t get_base(void)
{
	uintptr_t base;

	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

static uintptr_t block_base(unsigned int k)
{
	return (uintptr_t)&blocks[k] + BLOCK_SIZE;
}
#else
/* The base is that of a descriptor; %gs selects it. */
static unsigned int selectors[2];

static void set_base(uintptr_t selector)
{
	__asm__ volatile("mov %0, %%gs" : : "r"((uint16_t)selector) : "memory");
}

static uintptr_t get_base(void)
{
	uint16_t selector;

	__asm__ volatile("mov %%gs, %0" : "=r"(selector));
	return selector;
}

static uintptr_t block_base(unsigned int k)
{
	struct user_desc desc = {
		.entry_number = (unsigned int)-1,
		.base_addr = (uintptr_t)&blocks[k] + BLOCK_SIZE,
		.limit = 0xfffff,
		.seg_32bit = 1,
		.limit_in_pages = 1,
		.useable = 1,
	};

	if (!selectors[k] && syscall(SYS_set_thread_area, &desc) == 0)
		selectors[k] = desc.entry_number * 8 + 3;
	return selectors[k];
}
#endif

static void switch_blocks(void)
{
	uintptr_t own = get_base(), base[2] = { block_base(0), block_base(1) };

	for (int i = 0; i < 20; i++) {
		set_base(base[0]);
		spin_block0();
		set_base(base[1]);
		spin_block1();
		set_base(own);
	}
}

static void check_own_bases(void)
{
	struct perf_event_attr attr = timer;
	struct results r;

	blocks[0][BLOCK_SIZE / 8 - 1] = 1;
	blocks[1][BLOCK_SIZE / 8 - 1] = 2;
	set_window(&attr, 64);
	r = measure(&attr, 0, -1, switch_blocks, has_block);
	report("a program that writes its own base: each sample has the present one", &r, 100,
	       r.in[0] < r.in[1] ? r.in[0] : r.in[1]);
}

#ifdef __x86_64__
/* Two pages of which the upper one was never touched, and the base at their end. */
static uintptr_t half_base, strange_base;

static void spin_at(uintptr_t base)
{
	uintptr_t own = get_base();

	for (int i = 0; i < 20; i++) {
		set_base(base);
		spin_block0();
		set_base(own);
	}
}

static void spin_at_half(void)
{
	spin_at(half_base);
}

static void spin_at_strange(void)
{
	spin_at(strange_base);
}

static bool in_block0(const struct sample *s)
{
	return s->ip >= (uintptr_t)__start_block0 && s->ip < (uintptr_t)__stop_block0;
}

static void has_lower_page(const struct sample *s, struct results *r)
{
	if (!in_block0(s))
		return;
	r->in[0]++;
	if (s->size != 2 * PAGE || s->dyn != PAGE)
		fail(r, "dyn_size", s->dyn);
	else if (s->window[0] != 0x77 || s->window[PAGE - 1] != 0x77)
		fail(r, "not the page", s->window[0]);
}

static void is_empty_in_block0(const struct sample *s, struct results *r)
{
	if (!in_block0(s))
		return;
	r->in[0]++;
	is_empty(s, r);
}

static void check_strange_bases(void)
{
	static const struct {
		const char *name;
		uintptr_t base;
	} strange[] = {
		{ "a base of 0 has no window", 0 },
		{ "a base below the window's size has none", 32 },
		{ "a base in the kernel's half has none", 0xffff888000001000 },
	};
	struct perf_event_attr attr = timer;
	struct results r;

	set_window(&attr, 64);
	for (unsigned int i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
		strange_base = strange[i].base;
		r = measure(&attr, 0, -1, spin_at_strange, is_empty_in_block0);
		report(strange[i].name, &r, 100, r.in[0]);
	}
}

static void check_absent_page(void)
{
	struct perf_event_attr attr = timer;
	uint8_t *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char resident = 1;
	struct results r;

	memset(pages, 0x77, PAGE);
	half_base = (uintptr_t)pages + 2 * PAGE;
	set_window(&attr, 2 * PAGE);
	r = measure(&attr, 0, -1, spin_at_half, has_lower_page);
	report("dyn_size ends at a page that is not there", &r, 100, r.in[0]);
	mincore(pages + PAGE, PAGE, &resident);
	printf("%s - no fault was taken for that page\n", resident & 1 ? "not ok" : "ok");
	munmap(pages, 2 * PAGE);
}
#endif

static uintptr_t own_thread_pointer(void)
{
	uintptr_t tp;

#ifdef __x86_64__
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#else
	__asm__("mov %%gs:0, %0" : "=r"(tp));
#endif
	return tp;
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	mark[0] = MARK;
	mark[1] = ~MARK;
	thread_pointer = own_thread_pointer();
	window_size = (uint16_t)((thread_pointer - (uintptr_t)&mark + 7) & ~(uintptr_t)7);
	check_attributes();
	check_windows();
	check_kernel_threads();
	check_beside_stack();
	check_own_bases();
#ifdef __x86_64__
	check_strange_bases();
	check_absent_page();
#endif
	return 0;
}
