// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/ends.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 1000

/* linux/pidfd.h of Linux 6.15: facts about an ended process, for holders of its pidfd. */
struct pidfd_facts {
	u64 mask, cgroup;
	u32 ids[11];
	s32 exit_code;
	u32 later[16];
};
#define PIDFD_FACTS	 _IOWR(0xff, 11, struct pidfd_facts)
#define PIDFD_FACTS_EXIT (1u << 3)

struct watched {
	pid_t pid;
	int fd; /* pidfd; -1: none */
};

struct ends {
	GArray *watched; /* struct watched */
	u64 oom_kills;	 /* of the whole machine, when ends_new() was called */
};

/* The kernel's count of processes killed by the OOM killer, in cgroups and elsewhere. */
static u64 count_oom_kills(void)
{
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/vmstat", &text, NULL, NULL))
		return 0;
	line = strstr(text, "\noom_kill ");
	return line ? strtoull(line + strlen("\noom_kill "), NULL, 10) : 0;
}

struct ends *ends_new(const GArray *pids)
{
	struct ends *e = g_new0(struct ends, 1);

	e->watched = g_array_new(false, false, sizeof(struct watched));
	e->oom_kills = count_oom_kills();
	for (u32 i = 0; pids && i < pids->len; i++) {
		struct watched one = { .pid = g_array_index(pids, pid_t, i) };

		one.fd = (int)syscall(SYS_pidfd_open, one.pid, 0);
		g_array_append_val(e->watched, one);
	}
	return e;
}

void ends_free(struct ends *e)
{
	if (!e)
		return;
	for (u32 i = 0; i < e->watched->len; i++) {
		int fd = g_array_index(e->watched, struct watched, i).fd;

		if (fd >= 0)
			close(fd);
	}
	g_array_unref(e->watched);
	g_free(e);
}

/* The wait status of a zombie is the last field of /proc/PID/stat. */
static bool read_zombie(pid_t pid, int *status)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", pid), *text = NULL;
	const char *state, *last;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	state = strrchr(text, ')');
	last = strrchr(text, ' ');
	if (!state || !last || strncmp(state, ") Z", 3))
		return false;
	*status = atoi(last + 1);
	return true;
}

static bool read_status(const struct watched *one, int *status)
{
	struct pidfd_facts facts = { .mask = PIDFD_FACTS_EXIT };

	if (read_zombie(one->pid, status))
		return true;
	if (one->fd < 0 || ioctl(one->fd, PIDFD_FACTS, &facts) || !(facts.mask & PIDFD_FACTS_EXIT))
		return false;
	*status = facts.exit_code;
	return true;
}

static bool look(const struct ends *e, pid_t *pid, int *status)
{
	bool found = false;

	for (u32 i = 0; i < e->watched->len; i++) {
		const struct watched *one = &g_array_index(e->watched, struct watched, i);
		int now;

		if (!read_status(one, &now))
			continue;
		*status = now;
		*pid = one->pid;
		found = true;
		if (WIFSIGNALED(now))
			return true;
	}
	return found;
}

bool ends_status(const struct ends *e, pid_t *pid, int *status)
{
	for (int ms = 0; ms < WAIT_MS; ms += 10) {
		if (look(e, pid, status))
			return true;
		g_usleep(10000);
	}
	return false;
}

bool ends_is_core_signal(int signal)
{
	switch (signal) {
	case SIGQUIT:
	case SIGILL:
	case SIGTRAP:
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
	case SIGXCPU:
	case SIGXFSZ:
	case SIGSYS:
		return true;
	}
	return false;
}

enum verdict {
	VERDICT_NO,
	VERDICT_YES,
	VERDICT_UNKNOWN, /* the kernel's messages are not readable */
};

/*
 * Searches for "Memory cgroup out of memory: Killed process 123 (name)", "Out of memory: Killed
 * process 123".
 */
static enum verdict ask_messages(pid_t pid)
{
	g_autofree char *wanted = g_strdup_printf("illed process %d ", pid);
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	enum verdict verdict = VERDICT_NO;
	char line[8192];
	ssize_t n;

	if (fd < 0)
		return VERDICT_UNKNOWN;
	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue; /* the message was overwritten meanwhile */
		line[n] = 0;
		if (strstr(line, wanted) && strstr(line, "emory"))
			verdict = VERDICT_YES;
	}
	close(fd);
	return verdict;
}

/* If no message is readable, the count tells only that the OOM killer killed some process. */
static bool is_out_of_memory(const struct ends *e, pid_t pid, bool *probably)
{
	bool any = count_oom_kills() > e->oom_kills;
	enum verdict verdict = any ? ask_messages(pid) : VERDICT_NO;

	*probably = verdict == VERDICT_UNKNOWN;
	return verdict != VERDICT_NO;
}

void ends_judge(const struct ends *e, pid_t pid, int status, struct image_header *h)
{
	bool probably;

	if (WIFEXITED(status)) {
		h->reason_status = WEXITSTATUS(status);
		h->reason = IMAGE_REASON_TARGET_EXIT;
		return;
	}
	h->reason_status = WTERMSIG(status);
	h->reason = IMAGE_REASON_SIGNAL;
	if (ends_is_core_signal(h->reason_status))
		h->crash_pid = (u32)pid;
	if (h->reason_status != SIGKILL || !is_out_of_memory(e, pid, &probably))
		return;
	h->reason = IMAGE_REASON_OOM;
	h->crash_pid = (u32)pid;
	if (probably)
		g_strlcpy(h->reason_text, "probably: no permission to read the kernel's messages",
			  sizeof(h->reason_text));
}
