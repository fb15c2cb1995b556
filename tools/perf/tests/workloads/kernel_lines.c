// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel_lines [MS] shared|own [speeds]: pairs of threads whose system calls make the kernel write to one object, or to one each. The pairs
 * run one after the other, each until both threads have had so many milliseconds of CPU time. Prints a line for each: "TYPE HOW",
 * where TYPE is the kernel's structure with the bytes, and HOW is same or none; with `speeds`, also calls in a microsecond of CPU time.
 *
 * The kernel takes the lock of a sighand_struct with interrupts off, so that a timer has no samples of it: "irq". It is shared in
 * any case, so `own` leaves it out.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What a thread makes system calls with. */
struct user {
	int fd, to;
	char path[64];
};

static int opened(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		exit(1);
	return fd;
}

/* The same file or pipe, but another open file. */
static int opened_again(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return opened(path, flags);
}

/* struct file: each call counts it as used. */
static void open_file(struct user *u, const struct user *shared)
{
	u->fd = shared ? shared->fd : opened("/dev/null", O_RDWR);
}

static void call_file(const struct user *u)
{
	char byte;

	if (pread(u->fd, &byte, 1, 0))
		exit(1);
}

/* struct rw_semaphore: a file's, for those who write. */
static void open_rw_semaphore(struct user *u, const struct user *shared)
{
	u->fd = shared ? opened_again(shared->fd, O_RDWR) : memfd_create("inode", 0);
}

static void call_rw_semaphore(const struct user *u)
{
	if (pwrite(u->fd, "", 1, 0) != 1)
		exit(1);
}

/* struct mutex: a pipe's. The pipe is read and written by this thread, so that it is never full or empty for long. */
static void open_mutex(struct user *u, const struct user *shared)
{
	int fds[2];

	if (shared) {
		u->fd = opened_again(shared->fd, O_RDONLY | O_NONBLOCK);
		u->to = opened_again(shared->to, O_WRONLY | O_NONBLOCK);
	} else if (!pipe2(fds, O_NONBLOCK)) {
		u->fd = fds[0];
		u->to = fds[1];
	}
}

static void call_mutex(const struct user *u)
{
	char byte;

	if (write(u->to, "", 1) < 0 || read(u->fd, &byte, 1) < 0)
		return;
}

/* struct lockref: a path's last component is counted as used. */
static void open_lockref(struct user *u, const struct user *shared)
{
	if (shared) {
		*u = *shared;
		return;
	}
	strcpy(u->path, "/tmp/kernel_lines.XXXXXX");
	u->fd = mkstemp(u->path);
}

static void call_lockref(const struct user *u)
{
	struct stat st;

	if (stat(u->path, &st))
		exit(1);
}

static void close_lockref(const struct user *u)
{
	unlink(u->path);
}

/* struct sighand_struct: of the process. */
static void call_sighand_struct(const struct user *unused)
{
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static const struct pair {
	const char *type, *how;
	void (*open)(struct user *user,
		     const struct user *shared); /* NULL: there is no object for each */
	void (*call)(const struct user *user);
	void (*close)(const struct user *user);
} pairs[] = {
	{ "file", "same", open_file, call_file, NULL },
	{ "rw_semaphore", "same", open_rw_semaphore, call_rw_semaphore, NULL },
	{ "mutex", "same", open_mutex, call_mutex, NULL },
	{ "lockref", "same", open_lockref, call_lockref, close_lockref },
	{ "sighand_struct", "irq", NULL, call_sighand_struct, NULL },
};

#define LINE __attribute__((aligned(128)))

static double milliseconds = 100;
static int running LINE;

struct thread {
	pthread_t id;
	const struct pair *pair;
	struct user user;
	double calls, ran; /* microseconds */
} LINE;

static void *work(void *arg)
{
	struct thread *t = arg;
	struct timespec ran;
	bool done = false;

	do {
		for (int i = 0; i < 100; i++)
			t->pair->call(&t->user);
		t->calls += 100;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
		t->ran = (double)ran.tv_sec * 1e6 + (double)ran.tv_nsec / 1e3;
		if (!done && t->ran >= milliseconds * 1000) {
			__atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
			done = true;
		}
	} while (__atomic_load_n(&running, __ATOMIC_RELAXED) > 0);
	return NULL;
}

static void run(const struct pair *pair, bool own, bool says_speeds)
{
	static struct thread threads[2];

	memset(threads, 0, sizeof(threads));
	running = 2;
	for (int i = 0; i < 2; i++) {
		threads[i].pair = pair;
		if (pair->open)
			pair->open(&threads[i].user, i && !own ? &threads[0].user : NULL);
	}
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
			exit(1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i].id, NULL);
	for (int i = 0; pair->close && i < 2; i++)
		pair->close(&threads[i].user);
	printf("%s %s", pair->type, own ? "none" : pair->how);
	if (says_speeds)
		printf(" %.3f",
		       threads[0].calls / threads[0].ran + threads[1].calls / threads[1].ran);
	putchar('\n');
}

int main(int argc, char **argv)
{
	bool own = argc > 2 && !strcmp(argv[2], "own");

	milliseconds = argc > 1 ? atof(argv[1]) : milliseconds;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (pairs[i].open || !own)
			run(&pairs[i], own, argc > 3 && !strcmp(argv[3], "speeds"));
	return 0;
}
