// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's messages about devices, as udev gets them: one datagram of texts, each ended by 0.
 * The first text is "offline@/devices/system/cpu/cpu3".
 *
 * Group 1 is the kernel's own. A privileged process may send to it, too, so the sender is compared:
 * the kernel has the number 0.
 *
 * The socket is read by the drainer's thread, which waits for it with the rings. The main thread, which owns the events,
 * opens them again:
 *
 *   offline@.../cpu3    an outage begins
 *   online@.../cpu3     ALERT_ATTEND, attend(): events are opened, and the outage ends
 *
 * The closing line reads the outages when that thread has ended. This source has no records.
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

#include "record/base/alerts.h"
#include "record/base/options.h"
#include "record/renumbered.h"

#define KERNEL_MESSAGES 1 /* the group of messages that come from the kernel, not from udev */
#define MESSAGE_MAX	4096
#define MOST_TOLD	16 /* outages in the closing lines */

/* A time in which a CPU is not recorded. Times are of the day, us; 0: not yet. */
struct outage {
	s32 cpu;
	gint64 from, to;
	gint64 back; /* the CPU is online again */
	char *why;   /* it is not recorded, although it is online again */
};

struct cpu_watch {
	struct source source;
	const struct recording *rec;
	int fd;			       /* -1: nothing is watched */
	const char *never;	       /* why events are not opened again; NULL: they are */
	struct renumbered *renumbered; /* NULL: no CPU has come back */
	GMutex lock;
	GArray *outages; /* struct outage; protected by the lock */
};

static struct cpu_watch *of(struct source *src)
{
	return container_of(src, struct cpu_watch, source);
}

static bool records_whole_cpus(const struct recording *rec)
{
	return rec->set && rec->target->nr_tids == 1 && rec->target->tids[0] == -1;
}

/* Programs of BPF know the events of each CPU. */
static const char *why_never(const struct record_options *opts)
{
	return opts->tls.layout ? "--sample-tls needs its programs there"
	       : opts->callgraph.mode == CALLGRAPH_LIVE
		       ? "--call-graph live needs its programs there"
		       : NULL;
}

static bool open_source(struct source *src, struct recording *rec, GError **error)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = KERNEL_MESSAGES };
	struct cpu_watch *w = of(src);

	w->rec = rec;
	w->never = why_never(rec->opts);
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

/* Index of the CPU in @target, or -1. */
static s32 index_of(const struct open_target *target, s32 cpu)
{
	for (u32 i = 0; i < target->nr_cpus; i++)
		if (target->cpus[i] == cpu)
			return (s32)i;
	return -1;
}

/* With -C, the events of side records are on all CPUs. What happens to these is not told. */
static bool is_told(const struct cpu_watch *w, s32 cpu)
{
	return index_of(w->rec->target, cpu) >= 0;
}

static void say(const struct cpu_watch *w, s32 cpu, const char *what, const char *why)
{
	if (!w->rec->opts->quiet && is_told(w, cpu))
		fprintf(stderr, "[ perf record: CPU %d %s%s%s ]\n", cpu, what, why ? ": " : "",
			why ?: "");
}

/* Of a message "online@/devices/system/cpu/cpu3" with @what "online", the number; -1: it is another message. */
static s32 cpu_of(const char *message, const char *what)
{
	g_autofree char *begin = g_strconcat(what, "@/devices/system/cpu/cpu", NULL);
	const char *number = message + strlen(begin);
	char *end;
	unsigned long cpu;

	if (!g_str_has_prefix(message, begin) || !g_ascii_isdigit(*number))
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

/* The CPU's outage that has not ended, or NULL. The caller holds the lock. */
static struct outage *present_outage(const struct cpu_watch *w, s32 cpu)
{
	for (u32 i = w->outages->len; i-- > 0;) {
		struct outage *o = &g_array_index(w->outages, struct outage, i);

		if (o->cpu == cpu && !o->to)
			return o;
	}
	return NULL;
}

static void goes(struct cpu_watch *w, s32 cpu)
{
	struct outage began = { .cpu = cpu, .from = g_get_real_time() };
	bool known;

	g_mutex_lock(&w->lock);
	known = present_outage(w, cpu);
	if (!known)
		g_array_append_val(w->outages, began);
	g_mutex_unlock(&w->lock);
	if (!known)
		say(w, cpu,
		    w->never ? "went offline: it is not recorded from now on, even if it comes back"
			     : "went offline",
		    w->never);
}

static void comes(struct cpu_watch *w, s32 cpu)
{
	struct outage *o;

	g_mutex_lock(&w->lock);
	o = present_outage(w, cpu);
	if (o) {
		o->back = g_get_real_time();
		g_free(o->why);
		o->why = g_strdup(w->never);
	}
	g_mutex_unlock(&w->lock);
	if (o && !w->never)
		alerts_raise(w->rec->alerts, ALERT_ATTEND);
}

static void drain(struct source *src, struct outlet *out, bool last)
{
	struct cpu_watch *w = of(src);
	char message[MESSAGE_MAX + 1];
	ssize_t size;
	s32 cpu;

	while (w->fd >= 0 && (size = receive(w->fd, message)) >= 0) {
		message[size] = 0;
		if ((cpu = cpu_of(message, "offline")) >= 0)
			goes(w, cpu);
		else if ((cpu = cpu_of(message, "online")) >= 0)
			comes(w, cpu);
	}
}

/* So that a CPU that comes back is recorded at once. */
static void poll_fds(struct source *src, GArray *fds)
{
	struct pollfd fd = { .fd = of(src)->fd, .events = POLLIN };

	if (fd.fd >= 0)
		g_array_append_val(fds, fd);
}

static void take_new_id(u64 id, u64 before, void *arg)
{
	renumbered_add(arg, id, before);
}

/* The ring then has records of events with other ids. */
static void renumber_rings(struct cpu_watch *w, s32 cpu)
{
	for (u32 i = 0; i < w->rec->rings->len; i++) {
		struct record_ring *ring = g_ptr_array_index(w->rec->rings, i);

		if (ring->cpu == cpu)
			g_atomic_pointer_set(&ring->renumbered, w->renumbered);
	}
}

static bool reopen_set(struct cpu_watch *w, struct openset *set, const struct open_target *target,
		       s32 cpu, GError **error)
{
	s32 at = index_of(target, cpu);

	return at < 0 || openset_reopen(set, (u32)at, take_new_id, w->renumbered, error);
}

static bool reopen(struct cpu_watch *w, s32 cpu, GError **error)
{
	const struct recording *rec = w->rec;

	if (!w->renumbered)
		w->renumbered = renumbered_new(rec);
	if (!w->renumbered)
		return error_set(error, PERF_ERROR_UNSUPPORTED, "samples have counts of groups");
	renumber_rings(w, cpu);
	if (!reopen_set(w, rec->set, rec->target, cpu, error))
		return false;
	for (u32 i = 0; i < rec->more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(rec->more_events, i);

		if (!reopen_set(w, more->set, more->target, cpu, error))
			return false;
	}
	return true;
}

/* A CPU that is back and has no events yet; -1: there is none. */
static s32 next_back(struct cpu_watch *w)
{
	s32 cpu = -1;

	g_mutex_lock(&w->lock);
	for (u32 i = 0; i < w->outages->len && cpu < 0; i++) {
		const struct outage *o = &g_array_index(w->outages, struct outage, i);

		if (o->back && !o->to && !o->why)
			cpu = o->cpu;
	}
	g_mutex_unlock(&w->lock);
	return cpu;
}

static void attend(struct source *src)
{
	struct cpu_watch *w = of(src);
	struct outage *o;
	s32 cpu;

	while ((cpu = next_back(w)) >= 0) {
		g_autoptr(GError) why = NULL;
		bool fine = reopen(w, cpu, &why);

		g_mutex_lock(&w->lock);
		o = present_outage(w, cpu);
		if (fine)
			o->to = g_get_real_time();
		else
			o->why = g_strdup(why->message);
		g_mutex_unlock(&w->lock);
		say(w, cpu,
		    fine ? "is online again, and recorded" : "is online again, but not recorded",
		    why ? why->message : NULL);
	}
}

static char *time_of_day(gint64 us)
{
	g_autoptr(GDateTime) when = g_date_time_new_from_unix_local(us / G_USEC_PER_SEC);
	g_autofree char *seconds = g_date_time_format(when, "%H:%M:%S");

	return g_strdup_printf("%s.%03d", seconds, (int)(us % G_USEC_PER_SEC / 1000));
}

static void tell(const struct outage *o, GString *text)
{
	g_autofree char *from = time_of_day(o->from);
	g_autofree char *to = time_of_day(o->to ?: o->back);

	g_string_append_printf(text, "%sCPU %d ", text->len ? "\n" : "", o->cpu);
	if (o->to)
		g_string_append_printf(text, "was offline: it is not recorded from %s to %s", from,
				       to);
	else
		g_string_append_printf(text, "went offline at %s: it is recorded up to then only",
				       from);
	if (!o->to && o->back)
		g_string_append_printf(text, ", although it was online again at %s: %s", to,
				       o->why ?: "the recording ended then");
}

static char *summary(struct source *src)
{
	const struct cpu_watch *w = of(src);
	g_autoptr(GString) text = g_string_new(NULL);
	u32 nr = 0;

	for (u32 i = 0; i < w->outages->len; i++) {
		const struct outage *o = &g_array_index(w->outages, struct outage, i);

		if (is_told(w, o->cpu) && nr++ < MOST_TOLD)
			tell(o, text);
	}
	if (nr > MOST_TOLD)
		g_string_append_printf(text, "\nCPUs were offline %u more times", nr - MOST_TOLD);
	return nr ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

static void close_source(struct source *src)
{
	struct cpu_watch *w = of(src);

	if (w->fd >= 0)
		close(w->fd);
	g_array_unref(w->outages);
	renumbered_free(w->renumbered);
	g_mutex_clear(&w->lock);
	g_free(w);
}

static void clear_outage(void *ptr)
{
	struct outage *o = ptr;

	g_free(o->why);
}

struct source *cpu_watch_new(void)
{
	static const struct source_ops ops = { .name = "CPUs",
					       .open = open_source,
					       .drain = drain,
					       .poll_fds = poll_fds,
					       .attend = attend,
					       .summary = summary,
					       .close = close_source };
	struct cpu_watch *w = g_new0(struct cpu_watch, 1);

	w->source.ops = &ops;
	w->fd = -1;
	g_mutex_init(&w->lock);
	w->outages = g_array_new(FALSE, FALSE, sizeof(struct outage));
	g_array_set_clear_func(w->outages, clear_outage);
	return &w->source;
}
