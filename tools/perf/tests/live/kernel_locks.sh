#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: locks of the kernel, and who has them. A thread holds the lock of a file, asleep: it writes to the file from
# memory that another thread delivers 50 ms later (userfaultfd). Two others write to the same file, one of another process. The same with
# a pipe, which has a mutex.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "locks of the kernel" why
fi
cat >files.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 4
#define PAGE   4096

static int file, is_pipe, uffd, near[2], far[2];
static char *region;

static void put(const void *bytes, size_t size)
{
	if ((is_pipe ? write(file, bytes, size) : pwrite(file, bytes, size, 0)) != (ssize_t)size)
		abort();
}

/* The file is locked while the kernel waits for the page. */
__attribute__((noinline)) static void hold(int i)
{
	put(region + i * PAGE, PAGE);
	__asm__ volatile("" ::: "memory");
}

static void *holder(void *arg)
{
	prctl(PR_SET_NAME, "holds");
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	for (int i = 0; i < ROUNDS; i++)
		hold(i);
	return NULL;
}

static void *waiter(void *pipe)
{
	char byte;

	while (read(*(int *)pipe, &byte, 1) == 1)
		put(&byte, 1);
	return NULL;
}

/* The thread @tid has slept in the call for some time: 'D' in /proc. */
static void await(int tid)
{
	char path[64], state = 0;

	sprintf(path, "/proc/%d/stat", tid);
	while (state != 'D') {
		FILE *f = fopen(path, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			abort();
		fclose(f);
		usleep(1000);
	}
}

static void deliver(int tid_near, int tid_far)
{
	static char page[PAGE] __attribute__((aligned(PAGE)));
	struct uffd_msg msg;

	for (int i = 0; i < ROUNDS; i++) {
		if (read(uffd, &msg, sizeof(msg)) != sizeof(msg))
			abort();
		if (write(near[1], "x", 1) != 1 || write(far[1], "x", 1) != 1)
			abort();
		await(tid_near);
		await(tid_far);
		usleep(50000);
		struct uffdio_copy copy = { msg.arg.pagefault.address & -PAGE, (unsigned long)page, PAGE, 0, 0 };
		if (ioctl(uffd, UFFDIO_COPY, &copy))
			abort();
	}
}

static int tid_near;
static void *near_waiter(void *arg)
{
	prctl(PR_SET_NAME, "near");
	__atomic_store_n(&tid_near, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	return waiter(&near[0]);
}

int main(int argc, char **argv)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t threads[2];
	int child;

	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		return 77;
	if (argc < 2)
		return 0;
	is_pipe = !strcmp(argv[1], "pipe");
	file = memfd_create("file", 0);
	region = mmap(NULL, ROUNDS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (is_pipe) {
		if (pipe(near))
			return 1;
		file = near[1];
	}
	if (pipe(near) || pipe(far))
		return 1;
	child = fork();
	if (!child) {
		prctl(PR_SET_NAME, "far");
		close(far[1]);
		close(near[1]);
		waiter(&far[0]);
		return 0;
	}
	reg.range.start = (unsigned long)region;
	reg.range.len = ROUNDS * PAGE;
	if (ioctl(uffd, UFFDIO_REGISTER, &reg))
		return 1;
	pthread_create(&threads[0], NULL, near_waiter, NULL);
	while (!__atomic_load_n(&tid_near, __ATOMIC_ACQUIRE))
		usleep(1000);
	pthread_create(&threads[1], NULL, holder, NULL);
	deliver(tid_near, child);
	pthread_join(threads[1], NULL);
	close(near[1]);
	close(far[1]);
	pthread_join(threads[0], NULL);
	wait(NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -pthread files.c -o files 2>err || cat err
if ! ./files >/dev/null 2>&1; then
	plan 1
	skip "locks of the kernel" "this kernel has no userfaultfd for this user" 1
	exit 0
fi
"$PERF" list tracepoint >/dev/null 2>&1 # mounts tracefs
if [[ ! -d /sys/kernel/tracing/events/lock && ! -d /sys/kernel/debug/tracing/events/lock ]]; then
	plan 1
	skip "locks of the kernel" "this kernel has no tracepoints of contention" 1
	exit 0
fi
plan 11
# period|lock|owner|owner_state|owner_sym of the waits of 50 ms and more in write() or pwrite()
waits_of() { # FILE, COMM
	"$PERF" report -i "$1" --stdio -q -g none --no-children -F period,lock,owner,owner_state,owner_sym -t '|' --comms "$2" 2>/dev/null |
		sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' | awk -F'|' '$1 >= 50e6 && $2 ~ /kernel/' >found
}
all_of_it() { awk -F'|' -v holder="holds ($holder)" '$3 == holder { s += $1 } END { print "# " s; exit !(s >= 4 * 50e6) }' found; }
asleep='(D \(disk\)|S \(sleep\))'
record_waits --off-cpu -g -o files.data -- ./files file
holder=$(head -n 1 out)
waits_of files.data near
lock='(struct inode\.i_rwsem|lock of [a-z_]*write_iter) \(kernel rwsem\)'
check "a wait of the same process: lock and owner" grep -Eq "\|$lock\|holds \($holder\)\|" found
check "all of it, for four rounds" all_of_it
check "what the owner did" grep -Eq "\|$asleep pwrite64\|put$" found
if [[ ! -r /sys/kernel/btf/vmlinux ]] || ((EUID)) || grep -qs '\[confidentiality\]' /sys/kernel/security/lockdown; then
	skip "the lock's type and member, by the kernel's BTF" "no BTF, not root, or the kernel is locked down" 1
else
	check "the lock's type and member, by the kernel's BTF" grep -q "|struct inode.i_rwsem (kernel rwsem)|" found
fi
waits_of files.data far
check "a wait of another process" grep -Eq "\|$lock\|holds \($holder\)\|$asleep pwrite64\|" found
check "all of it" all_of_it
record_waits --off-cpu -g -o pipe.data -- ./files pipe
holder=$(head -n 1 out)
waits_of pipe.data near
check "a mutex: lock and owner" grep -Eq "\|lock of [a-z_]*pipe_write \(kernel mutex\)\|holds \($holder\)\|$asleep write\|put$" found
check "all of it" all_of_it
waits_of pipe.data far
check "a mutex, and a wait of another process" grep -Eq "\|lock of [a-z_]*pipe_write \(kernel mutex\)\|holds \($holder\)\|$asleep write\|" found
check "all of it" all_of_it

# One thread fills new memory, and holds the lock of the address space; another one maps a page.
cat >maps.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int done;

static char *map(size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void *fill(void *arg)
{
	const size_t size = 128ul << 20;

	prctl(PR_SET_NAME, "fills");
	for (int i = 0; i < 3; i++)
		munmap(map(size, MAP_POPULATE), size);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return arg;
}

int main(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "maps");
	pthread_create(&thread, NULL, fill, NULL);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		munmap(map(4096, 0), 4096);
		usleep(1000);
	}
	return pthread_join(thread, NULL);
}
END
${CC:-cc} -O1 -g -pthread maps.c -o maps 2>err || cat err
record_waits --off-cpu -g -o maps.data -- ./maps
"$PERF" report -i maps.data --stdio -q -g none --no-children -F period,lock,waker -t '|' --comms maps 2>/dev/null |
	sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
check "the lock of an address space" grep -Eq "\|mmap_lock \(kernel rwsem\)\|fills \([0-9]+\)$" found
