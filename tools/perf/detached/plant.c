// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/plant.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

bool plant_begin(pid_t child, GError **error)
{
	if (!ptrace(PTRACE_SEIZE, child, NULL, (void *)(long)(PTRACE_O_TRACEEXEC)))
		return true;
	return error_set_errno(error, errno, "ptrace of the command");
}

#ifdef __x86_64__

#define SYSCALL_INSTRUCTION 0x050f /* in memory: 0f 05 */

/*
 * Waits until the child has stopped. False: it has died. Then it stays a zombie: the recorder waits for it, and learns
 * how it ended.
 */
static bool wait_for_stop(pid_t child, int *status)
{
	siginfo_t info;
	int failed;

	do {
		failed = waitid(P_PID, (id_t)child, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL);
	} while (failed && errno == EINTR);
	if (failed || (info.si_code != CLD_STOPPED && info.si_code != CLD_TRAPPED))
		return false;
	return waitpid(child, status, WNOHANG | WUNTRACED | __WALL) == child && WIFSTOPPED(*status);
}

/*
 * Waits until the child is at its new program's first instruction. Signals on the way are passed to
 * it.
 */
static bool wait_for_exec(pid_t child)
{
	int status;

	while (wait_for_stop(child, &status)) {
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return true;
		ptrace(PTRACE_CONT, child, NULL,
		       (void *)(long)(status >> 16 ? 0 : WSTOPSIG(status)));
	}
	return false;
}

/*
 * The child stops inside the system call exec(). Its result would overwrite a register, so let it
 * return first.
 */
static bool leave_exec(pid_t child)
{
	int status;

	return !ptrace(PTRACE_SYSCALL, child, NULL, NULL) && wait_for_stop(child, &status) &&
	       WSTOPSIG(status) == SIGTRAP;
}

/* Makes the child execute one system call, with an instruction written at its present position. */
static bool call(pid_t child, const struct user_regs_struct *saved, const u64 args[7], u64 *result)
{
	struct user_regs_struct regs = *saved;
	int status;

	regs.rax = args[0];
	regs.rdi = args[1];
	regs.rsi = args[2];
	regs.rdx = args[3];
	regs.r10 = args[4];
	regs.r8 = args[5];
	regs.r9 = args[6];
	regs.orig_rax = (u64)-1; /* prevents the restart of a system call */
	if (ptrace(PTRACE_SETREGS, child, NULL, &regs) ||
	    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) || !wait_for_stop(child, &status) ||
	    WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_GETREGS, child, NULL, &regs))
		return false;
	*result = regs.rax;
	return true;
}

static bool map_in(pid_t child, const struct user_regs_struct *saved, int fd, u64 size)
{
	const u64 map[7] = { SYS_mmap, 0, size, PROT_READ, MAP_SHARED, (u64)fd, 0 };
	const u64 end[7] = { SYS_close, (u64)fd };
	u64 address, closed;

	return call(child, saved, map, &address) && call(child, saved, end, &closed) &&
	       address < (u64)-4095;
}

static bool plant(pid_t child, int fd, u64 size)
{
	struct user_regs_struct saved;
	long code;
	bool done;

	if (ptrace(PTRACE_GETREGS, child, NULL, &saved))
		return false;
	errno = 0;
	code = ptrace(PTRACE_PEEKTEXT, child, (void *)saved.rip, NULL);
	if (errno || ptrace(PTRACE_POKETEXT, child, (void *)saved.rip,
			    (void *)((code & ~0xffffL) | SYSCALL_INSTRUCTION)))
		return false;
	done = map_in(child, &saved, fd, size);
	ptrace(PTRACE_POKETEXT, child, (void *)saved.rip, (void *)code);
	saved.orig_rax = (u64)-1;
	ptrace(PTRACE_SETREGS, child, NULL, &saved);
	return done;
}

bool plant_finish(pid_t child, int fd, u64 size, GError **error)
{
	bool done;

	if (!wait_for_exec(child))
		return error_set(error, PERF_ERROR_SYSTEM, "the command did not start");
	done = leave_exec(child) && plant(child, fd, size);
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	return done || error_set(error, PERF_ERROR_UNSUPPORTED,
				 "the recording could not be mapped into the command: a core dump "
				 "contains it only if perf core-handler is installed");
}

#else

bool plant_finish(pid_t child, int fd, u64 size, GError **error)
{
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "only x86-64 programs get the recording mapped: a core dump contains it "
			 "only if perf core-handler is installed");
}

#endif
