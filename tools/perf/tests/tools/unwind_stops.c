// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops a program at random instants, steps through some instructions, and writes its registers and stack each time, in
 * the format of tests/unwind/stacks.h. It writes no call chains: "unwind_compare stops" compares with elfutils.
 *
 *	unwind_stops N FILE COMMAND...
 *
 * Writes at most N stacks of the first thread. FILE.maps and FILE.vdso are written at the last stop. Exits with 77 if
 * processes cannot be traced.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/types.h"

#define STACK_MAX (256u << 10)
#define STEPS	  4 /* single steps after each stop, to reach prologues and epilogues */
#define SKIPPED	  77

static FILE *out;
static u8 stack[STACK_MAX];

/* Reads up to the end of the readable memory. */
static size_t read_stack(pid_t pid, u64 from)
{
	size_t size = 0;

	while (size < STACK_MAX) {
		u64 at = from + size, page_end = (at | 4095) + 1;
		struct iovec to = { stack + size, MIN(page_end - at, STACK_MAX - size) };
		struct iovec there = { (void *)at, to.iov_len };

		if (process_vm_readv(pid, &to, 1, &there, 1, 0) != (ssize_t)to.iov_len)
			break;
		size += to.iov_len;
	}
	return size & ~7ul;
}

static void write_stack(pid_t tid)
{
	struct user_regs_struct r;
	u64 head[20];

	if (ptrace(PTRACE_GETREGS, tid, NULL, &r))
		return;
	/* DWARF's order. */
	memcpy(head,
	       (u64[]){ r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10,
			r.r11, r.r12, r.r13, r.r14, r.r15, r.rip },
	       17 * sizeof(u64));
	head[17] = r.rsp;
	head[18] = read_stack(tid, r.rsp);
	head[19] = 0;
	fwrite(head, sizeof(head), 1, out);
	fwrite(stack, 1, head[18], out);
}

static void write_maps(pid_t pid, const char *file)
{
	g_autofree char *from = g_strdup_printf("/proc/%d/maps", pid);
	g_autofree char *to = g_strconcat(file, ".maps", NULL);
	g_autofree char *vdso = g_strconcat(file, ".vdso", NULL);
	g_autofree char *text = NULL;
	const char *line;
	unsigned long start, end;

	if (!g_file_get_contents(from, &text, NULL, NULL) ||
	    !g_file_set_contents(to, text, -1, NULL))
		exit(1);
	line = strstr(text, "[vdso]");
	while (line && line > text && line[-1] != '\n')
		line--;
	if (line && sscanf(line, "%lx-%lx", &start, &end) == 2 && end - start <= STACK_MAX) {
		struct iovec to_here = { stack, end - start },
			     there = { (void *)start, end - start };

		if (process_vm_readv(pid, &to_here, 1, &there, 1, 0) > 0)
			g_file_set_contents(vdso, (char *)stack, (gssize)(end - start), NULL);
	}
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		execvp(command[0], command);
		_exit(127);
	}
	usleep(100000);
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL)) {
		kill(pid, SIGKILL);
		exit(SKIPPED);
	}
	return pid;
}

/* False: the process has ended. */
static bool stop_once(pid_t pid)
{
	int status, sig;

	if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL))
		return false;
	for (;;) {
		if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
			return false;
		sig = WSTOPSIG(status);
		if (status >> 16 == PTRACE_EVENT_STOP)
			break;
		ptrace(PTRACE_CONT, pid, NULL,
		       sig == SIGTRAP ? 0 : sig); /* SIGTRAP: of a previous step */
	}
	write_stack(pid);
	return true;
}

/* Waits for a stop, for 20 ms at most: a system call may wait. */
static bool wait_shortly(pid_t pid, int *status)
{
	for (int i = 0; i < 2000; i++) {
		pid_t got = waitpid(pid, status, __WALL | WNOHANG);

		if (got)
			return got == pid && WIFSTOPPED(*status);
		usleep(10);
	}
	return !ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) && waitpid(pid, status, __WALL) == pid &&
	       WIFSTOPPED(*status);
}

/* Executes one instruction, or the first one of a signal handler. */
static bool step(pid_t pid)
{
	int status, sig = 0;

	do {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, sig) || !wait_shortly(pid, &status))
			return false;
		sig = WSTOPSIG(status);
	} while (sig != SIGTRAP && status >> 16 != PTRACE_EVENT_STOP);
	write_stack(pid);
	return true;
}

int main(int argc, char **argv)
{
	long wanted = argc > 3 ? atol(argv[1]) : 0, taken = 0;
	pid_t pid;

	if (!wanted || !(out = fopen(argv[2], "w")))
		return 1;
	srand(7);
	pid = start(argv + 3);
	while (taken < wanted && stop_once(pid)) {
		if (taken++ % 64 == 0)
			write_maps(pid, argv[2]);
		for (int i = 0; i < STEPS && taken < wanted && step(pid); i++)
			taken++;
		ptrace(PTRACE_CONT, pid, NULL, 0);
		usleep(100 + (unsigned int)rand() % 1500);
	}
	if (taken == wanted && stop_once(pid))
		write_maps(pid, argv[2]);
	kill(pid, SIGKILL);
	fclose(out);
	printf("%ld stacks\n", taken);
	return 0;
}
