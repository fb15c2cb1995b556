// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates another profiler on this machine:
 *
 *   build_id_recorder COMMAND [ARGUMENT]...
 *
 * Opens an event with attr.mmap2 and attr.build_id on every CPU, and runs the command. Exits with the command's status;
 * with 77 if the kernel refuses the event. The rings are mapped read-only. So the kernel overwrites old records, and
 * nobody has to read them.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#define REFUSED 77

static int open_on(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int main(int argc, char **argv)
{
	size_t size = 2 * (size_t)sysconf(_SC_PAGESIZE);
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	for (int cpu = 0; cpu < nr; cpu++) {
		int fd = open_on(cpu);

		if (fd < 0 || mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) {
			perror("an event with attr.build_id");
			return REFUSED;
		}
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}
