// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another profiler on this machine, as far as the kernel is concerned:
 *
 *   build_id_recorder COMMAND [ARGUMENT]...
 *
 * opens an event with attr.mmap2 and attr.build_id on every CPU, runs the command, and says by its exit
 * status what became of that; 77 where the kernel refuses the event. Rings are mapped for reading
 * only, so that the kernel goes on writing into them without anybody taking anything out.
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
