// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads in known states for SECONDS. The name of each thread is its state nearly all the time:
 *
 *   states SECONDS [dying]
 *
 *   spin      on a CPU, or in the run queue
 *   half      10 ms on a CPU (of CPU time), 10 ms asleep in clock_nanosleep, again and again
 *   futex     asleep in futex
 *   pipe      asleep in read, of a pipe
 *   tcp       asleep in recvfrom, of a TCP connection to 127.0.0.1
 *   epoll     asleep in epoll_wait
 *   unix      asleep in recvfrom, on a socket of a Unix socket pair
 *   disk      reads a file past the page cache, again and again
 *   nap       asleep in clock_nanosleep
 *   request   asleep in clock_nanosleep, for 20 ms each: in turns of 0.2 s with activity 1, with
 *             activity 2, and with none
 *   stopped   a process that is stopped
 *   zombie    a process that has ended, and whose status nobody collects; with "dying" it first sleeps for 0.2 s, with that name
 *   vfork     waits, uninterruptibly, for its child to execute something
 *   traced    a process that this program traces and has stopped
 *
 * All except request have an activity: trace and span are its number in this list, from 0x10.
 *
 * Prints the port of the connection; "no disk" if files cannot be read past the page cache; "no traced"; "ready" when all
 * threads and processes are there. At the end it prints of spin, half and disk: "sched NAME", seconds on a CPU and seconds
 * in the run queue by the kernel's sums of the whole thread, seconds from its creation to the end of its work, the tid,
 * seconds on a CPU by /proc/PID/sched ("-": not available), and how long it was neither on a CPU nor in the run queue
 * until the end of its work. Then the number of naps of request with each activity.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"

static double seconds;
static volatile int over; /* ends spin, half and disk; then their sums are read */
static char disk_name[] = "states.XXXXXX";

static double clock_s(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nap(double s)
{
	struct timespec t = { (time_t)s, (long)((s - (double)(time_t)s) * 1e9) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void *spin(__attribute__((unused)) void *arg)
{
	while (!over)
		;
	return NULL;
}

static void *half(__attribute__((unused)) void *arg)
{
	while (!over) {
		double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + 0.01;

		while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
			;
		nap(0.01);
	}
	return NULL;
}

static void *wait_futex(__attribute__((unused)) void *arg)
{
	static int word;

	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
	return NULL;
}

static void *wait_pipe(__attribute__((unused)) void *arg)
{
	int fds[2];
	char byte;

	if (pipe(fds) || read(fds[0], &byte, 1) < 0)
		perror("pipe");
	return NULL;
}

static void *wait_tcp(__attribute__((unused)) void *arg)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	char byte;

	if (bind(server, (void *)&at, sizeof(at)) || listen(server, 1) ||
	    getsockname(server, (void *)&at, &size) || connect(client, (void *)&at, sizeof(at)))
		perror("tcp");
	printf("port %d\n", ntohs(at.sin_port));
	fflush(stdout);
	if (recv(client, &byte, 1, 0) < 0)
		perror("recv");
	return NULL;
}

static void *wait_unix(__attribute__((unused)) void *arg)
{
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || recv(pair[0], &byte, 1, 0) < 0)
		perror("unix");
	return NULL;
}

#define DISK_BYTES (256 << 10)

static int direct = -1;
static void *disk_bytes;

/* Called before the thread starts, so the thread waits only for the disk. */
static void make_disk_file(void)
{
	int fd = mkstemp(disk_name);

	if (fd < 0 || posix_memalign(&disk_bytes, 4096, DISK_BYTES) ||
	    memset(disk_bytes, 1, DISK_BYTES) != disk_bytes ||
	    write(fd, disk_bytes, DISK_BYTES) != DISK_BYTES || fsync(fd))
		perror("disk");
	direct = open(disk_name, O_RDONLY | O_DIRECT);
	unlink(disk_name);
	close(fd);
	if (direct >= 0 && pread(direct, disk_bytes, DISK_BYTES, 0) == DISK_BYTES)
		return;
	printf("no disk\n");
	fflush(stdout);
	direct = -1;
}

static void *read_disk(__attribute__((unused)) void *arg)
{
	while (!over) {
		if (direct < 0)
			nap(0.01);
		else if (pread(direct, disk_bytes, DISK_BYTES, 0) < 0)
			perror("disk");
	}
	return NULL;
}

static void *wait_epoll(__attribute__((unused)) void *arg)
{
	int ep = epoll_create1(0);
	struct epoll_event ev;

	epoll_wait(ep, &ev, 1, -1);
	return NULL;
}

static void *wait_nap(__attribute__((unused)) void *arg)
{
	nap(10000);
	return NULL;
}

static void work_for(int number)
{
	uint8_t trace[16] = { 0 }, span[8] = { 0 };

	trace[15] = span[7] = (uint8_t)number;
	activity_set(trace, span);
}

static volatile int nr_naps[4]; /* by activity; the last one is none */

static void *serve(__attribute__((unused)) void *arg)
{
	for (int turn = 1;; turn = turn % 3 + 1) {
		if (turn == 3)
			activity_clear();
		else
			work_for(turn);
		for (int i = 0; i < 10; i++) {
			nap(0.02);
			nr_naps[turn]++;
		}
	}
	return NULL;
}

struct one {
	const char *name;
	void *(*fn)(void *);
	int number;
	pid_t tid;
	double began,
		ended;	/* began: created; so the first wait for a CPU counts, as in the sums */
	double blocked; /* from began to ended: neither on a CPU nor in the run queue */
	volatile int parked;
};

/* @n: what /proc/PID/schedstat says of the calling thread: ns on CPUs, ns in run queues, times on a CPU. */
static int read_schedstat(pid_t tid, unsigned long long n[3])
{
	char path[64];
	FILE *f;
	int nr;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	f = fopen(path, "r");
	nr = f ? fscanf(f, "%llu %llu %llu", &n[0], &n[1], &n[2]) : 0;
	if (f)
		fclose(f);
	return nr == 3;
}

/* The sums and the clock at one time: if the thread left the CPU in between, they are read again. */
static void end_work(struct one *o)
{
	unsigned long long before[3], after[3];
	double ran;

	do {
		if (!read_schedstat(o->tid, before))
			return;
		o->ended = clock_s(CLOCK_MONOTONIC);
		ran = clock_s(CLOCK_THREAD_CPUTIME_ID);
	} while (!read_schedstat(o->tid, after) || after[2] != before[2]);
	o->blocked = o->ended - o->began - ran - (double)after[1] / 1e9;
}

static void *run_one(void *arg)
{
	struct one *o = arg;

	o->tid = gettid();
	prctl(PR_SET_NAME, o->name);
	work_for(o->number);
	o->fn(NULL);
	end_work(o);
	prctl(PR_SET_NAME, "parked");
	o->parked = 1;
	nap(10000);
	return NULL;
}

/* Waits until a parked thread sleeps: then the kernel's sums are complete. Until then it may wait for a CPU. */
static void wait_asleep(const struct one *o)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", o->tid);
	while (!o->parked || state != 'S') {
		nap(0.002);
		f = fopen(path, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			perror(path);
		if (f)
			fclose(f);
	}
}

/* Time on CPUs and in the run queue, by the kernel's sums. */
static void tell_sched(const struct one *o)
{
	unsigned long long sums[3];
	char path[64], line[256], ran[64] = "-";
	double ms;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/sched", o->tid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "se.sum_exec_runtime : %lf", &ms) == 1)
			snprintf(ran, sizeof(ran), "%.3f", ms / 1e3);
	if (f)
		fclose(f);

	if (read_schedstat(o->tid, sums))
		printf("sched %s %.3f %.3f %.3f %d %s %.3f\n", o->name, (double)sums[0] / 1e9,
		       (double)sums[1] / 1e9, o->ended - o->began, o->tid, ran, o->blocked);
}

/* 0: this is the new process. */
static pid_t start_process(const char *name, int number)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	work_for(number);
	return 0;
}

static pid_t start_stopped(int number)
{
	pid_t pid = start_process("stopped", number);

	if (pid)
		return pid;
	raise(SIGSTOP);
	_exit(0);
}

static pid_t start_zombie(int number, int sleeps)
{
	pid_t pid = start_process("dying", number);

	if (pid)
		return pid;
	if (sleeps)
		nap(0.2);
	prctl(PR_SET_NAME, "zombie");
	_exit(0);
}

static pid_t start_traced(int number)
{
	pid_t pid = start_process("traced", number);

	if (pid)
		return pid;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) {
		printf("no traced\n");
		fflush(stdout);
		_exit(0);
	}
	raise(SIGSTOP);
	_exit(0);
}

/* The parent waits until the child executes a program or ends. */
static pid_t start_vfork(int number)
{
	pid_t pid = start_process("vfork", number), child;

	if (pid)
		return pid;
	child = vfork();
	if (!child) {
		prctl(PR_SET_NAME, "vforked");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		nap(10000);
		_exit(0);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	static struct one all[] = {
		{ .name = "spin", .fn = spin },	       { .name = "half", .fn = half },
		{ .name = "futex", .fn = wait_futex }, { .name = "pipe", .fn = wait_pipe },
		{ .name = "tcp", .fn = wait_tcp },     { .name = "epoll", .fn = wait_epoll },
		{ .name = "unix", .fn = wait_unix },   { .name = "disk", .fn = read_disk },
		{ .name = "nap", .fn = wait_nap },     { .name = "request", .fn = serve }
	};
	pid_t pids[4];
	pthread_t thread;

	seconds = argc > 1 ? atof(argv[1]) : 2;
	make_disk_file();
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		all[i].number = 0x10 + (int)i;
		all[i].began = clock_s(CLOCK_MONOTONIC);
		pthread_create(&thread, NULL, run_one, &all[i]);
	}
	pids[0] = start_stopped(0x1a);
	pids[1] = start_zombie(0x1b, argc > 2);
	pids[2] = start_vfork(0x1c);
	pids[3] = start_traced(0x1d);
	puts("ready");
	fflush(stdout);
	nap(seconds);
	over = 1;
	wait_asleep(&all[0]);
	wait_asleep(&all[1]);
	wait_asleep(&all[7]);
	tell_sched(&all[0]);
	tell_sched(&all[1]);
	tell_sched(&all[7]);
	printf("naps %d %d %d\n", nr_naps[1], nr_naps[2], nr_naps[3]);
	for (int i = 0; i < 4; i++)
		kill(pids[i], SIGKILL);
	return 0;
}
