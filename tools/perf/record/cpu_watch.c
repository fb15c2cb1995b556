// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's messages about devices, as udev gets them: one datagram of texts, each ended by 0.
 * The first text is "offline@/devices/system/cpu/cpu3".
 *
 * Group 1 is the kernel's own. A privileged process may send to it, too, so the sender is compared:
 * the kernel has the number 0.
 *
 * The socket is read once a round, by the drainer's thread, and is not waited for. The closing line
 * reads gone when that thread has ended. This source has no records.
 *
 * Without permission for the socket, nothing is watched, and nothing is said.
 */
#include "record/cpu_watch.h"

#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/base/options.h"

#define KERNEL_MESSAGES 1 /* the group of messages that come from the kernel, not from udev */
#define MESSAGE_MAX	4096

struct cpu_watch {
	struct source source;
	const struct recording *rec;
	int fd;	      /* -1: nothing is watched */
	GArray *gone; /* s32: CPUs that went offline, in that order */
};

static struct cpu_watch *of(struct source *src)
{
	return container_of(src, struct cpu_watch, source);
}

static bool records_whole_cpus(const struct recording *rec)
{
	return rec->set && rec->target->nr_tids == 1 && rec->target->tids[0] == -1;
}

static bool open_source(struct source *src, struct recording *rec, GError **error)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = KERNEL_MESSAGES };
	struct cpu_watch *w = of(src);

	w->rec = rec;
	if (!records_whole_cpus(rec))
		return true;
	w->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       NETLINK_KOBJECT_UEVENT);
	if (w->fd < 0 || !bind(w->fd, (const struct sockaddr *)&address, sizeof(address)))
		return true;
	close(w->fd);
	w->fd = -1;
	return true;
}

static bool contains(const GArray *cpus, s32 cpu)
{
	for (u32 i = 0; i < cpus->len; i++)
		if (g_array_index(cpus, s32, i) == cpu)
			return true;
	return false;
}

static bool is_recorded(const struct recording *rec, s32 cpu)
{
	for (u32 i = 0; i < rec->target->nr_cpus; i++)
		if (rec->target->cpus[i] == cpu)
			return true;
	return false;
}

/* Of a message "offline@/devices/system/cpu/cpu3", the number; -1: it is another message. */
static s32 cpu_of(const char *message)
{
	static const char begin[] = "offline@/devices/system/cpu/cpu";
	const char *number = message + strlen(begin);
	char *end;
	unsigned long cpu;

	if (strncmp(message, begin, strlen(begin)) != 0 || !g_ascii_isdigit(*number))
		return -1;
	cpu = strtoul(number, &end, 10);
	return *end || cpu > INT32_MAX ? -1 : (s32)cpu;
}

/* Returns the size of the next message, 0 if it is not the kernel's; -1: there is none. */
static ssize_t receive(int fd, char *message)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_size = sizeof(from);
	ssize_t size = recvfrom(fd, message, MESSAGE_MAX, 0, (struct sockaddr *)&from, &from_size);

	return size > 0 && from.nl_pid ? 0 : size;
}

static void drain(struct source *src, struct outlet *out, bool last)
{
	struct cpu_watch *w = of(src);
	char message[MESSAGE_MAX + 1];
	ssize_t size;
	s32 cpu;

	while (w->fd >= 0 && (size = receive(w->fd, message)) >= 0) {
		message[size] = 0;
		cpu = cpu_of(message);
		if (cpu < 0 || !is_recorded(w->rec, cpu) || contains(w->gone, cpu))
			continue;
		g_array_append_val(w->gone, cpu);
		if (!w->rec->opts->quiet)
			fprintf(stderr,
				"[ perf record: CPU %d went offline: it is not recorded from now "
				"on, "
				"even if it comes back ]\n",
				cpu);
	}
}

static char *summary(struct source *src)
{
	const struct cpu_watch *w = of(src);
	GString *text = w->gone->len ? g_string_new(NULL) : NULL;

	for (u32 i = 0; i < w->gone->len; i++)
		g_string_append_printf(text,
				       "%sCPU %d went offline: it is recorded up to then only",
				       i ? "\n" : "", g_array_index(w->gone, s32, i));
	return text ? g_string_free(text, FALSE) : NULL;
}

static void close_source(struct source *src)
{
	struct cpu_watch *w = of(src);

	if (w->fd >= 0)
		close(w->fd);
	g_array_unref(w->gone);
	g_free(w);
}

struct source *cpu_watch_new(void)
{
	static const struct source_ops ops = { .name = "CPUs",
					       .open = open_source,
					       .drain = drain,
					       .summary = summary,
					       .close = close_source };
	struct cpu_watch *w = g_new0(struct cpu_watch, 1);

	w->source.ops = &ops;
	w->fd = -1;
	w->gone = g_array_new(FALSE, FALSE, sizeof(s32));
	return &w->source;
}
