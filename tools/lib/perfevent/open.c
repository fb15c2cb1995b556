// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events are opened one by one, each on all its CPUs and threads. If the kernel refuses the first
 * fd of an event, something may be given up, and the event is opened again from the start. A
 * refusal of a later fd is final, unless a thread ended or there are too many open files.
 */
#include "perfevent/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "perfevent/refusal.h"

/* Far beyond what a process may open (fs.nr_open is a million by default). */
#define MOST_FDS (1u << 24)

/* What a recorder opens besides events: rings and maps of sources, files that it reads and writes. */
#define MORE_FILES 64

/* What an event has had set since it was opened, for openset_reopen(). */
struct event_state {
	bool counts;
	char *filter;
	struct event_count before; /* of fds that were replaced */
};

struct openset {
	struct event_list *list;
	const struct open_target *target;
	const struct kernel_paths *paths;
	GArray *fds;	/* int: [event][cpu][tid] */
	GArray *states; /* struct event_state: [event] */
	GPtrArray *notes;
	u64 nr_files; /* open files of this process, with those of the set */
	u32 missing;
	u32 probed; /* features that the kernel is known to have */
};

static int *fd_at(const struct openset *set, u32 ev, u32 cpu, u32 tid)
{
	const struct open_target *t = set->target;

	return &g_array_index(set->fds, int, ((u64)ev * t->nr_cpus + cpu) * t->nr_tids + tid);
}

int openset_fd(const struct openset *set, u32 ev, u32 cpu, u32 tid)
{
	return *fd_at(set, ev, cpu, tid);
}

const GPtrArray *openset_notes(const struct openset *set)
{
	return set->notes;
}

u32 openset_missing(const struct openset *set)
{
	return set->missing;
}

static struct event_state *state_at(const struct openset *set, u32 ev)
{
	return &g_array_index(set->states, struct event_state, ev);
}

static void note(struct openset *set, const char *fmt, ...) G_GNUC_PRINTF(2, 3);
static void note(struct openset *set, const char *fmt, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	for (u32 i = 0; i < set->notes->len; i++)
		if (!strcmp(g_ptr_array_index(set->notes, i), text))
			return;
	g_ptr_array_add(set->notes, g_steal_pointer(&text));
}

static void close_event(struct openset *set, u32 ev)
{
	for (u32 c = 0; c < set->target->nr_cpus; c++) {
		for (u32 t = 0; t < set->target->nr_tids; t++) {
			int *fd = fd_at(set, ev, c, t);

			if (*fd >= 0)
				close(*fd);
			*fd = -1;
		}
	}
}

/* If the process has permission, raises the hard limit, too. */
static bool raise_nofile(const struct openset *set)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && file_limit_for(set->nr_files) > limit.rlim_cur;
}

static bool counts_on(const struct evsel *evsel, s32 cpu)
{
	if (!evsel->cpus || cpu < 0)
		return true;
	for (u32 i = 0; i < evsel->cpus->len; i++)
		if (g_array_index(evsel->cpus, u32, i) == (u32)cpu)
			return true;
	return false;
}

struct event_target {
	u32 ev, cpu, tid; /* indexes */
	pid_t pid;	  /* the argument of the system call */
};

static int open_one(struct openset *set, const struct event_target *at)
{
	const struct event_spec *spec = event_list_at(set->list, at->ev);
	const struct evsel *evsel = spec->evsel;
	unsigned long flags = set->target->flags;
	pid_t pid = spec->cgroup >= 0 ? spec->cgroup : at->pid;
	int group_fd = -1, fd;

	if (evsel->leader != at->ev) {
		group_fd = openset_fd(set, evsel->leader, at->cpu, at->tid);
		if (group_fd < 0)
			return -ESRCH; /* the leader's thread had gone */
	}
	if (spec->cgroup >= 0)
		flags |= PERF_FLAG_PID_CGROUP;
	if (!(set->missing & (1u << KERNEL_CLOEXEC)))
		flags |= PERF_FLAG_FD_CLOEXEC;
	do
		fd = evsel_sys_open(evsel, pid, set->target->cpus[at->cpu], group_fd, flags);
	while (fd == -EMFILE && raise_nofile(set));
	return fd;
}

/*
 * Opens event @ev on all CPUs and threads. 0, or the errno of the fd at *failed. *first: that was
 * the first fd of the event, so it makes sense to ask for less.
 */
static int open_everywhere(struct openset *set, u32 ev, struct event_target *failed, bool *first)
{
	const struct event_spec *spec = event_list_at(set->list, ev);
	const struct open_target *target = set->target;
	u32 opened = 0;
	int gone = 0;

	for (u32 c = 0; c < target->nr_cpus; c++) {
		if (!counts_on(spec->evsel, target->cpus[c]))
			continue;
		for (u32 t = 0; t < target->nr_tids; t++) {
			struct event_target at = { ev, c, t, target->tids[t] };
			int fd = open_one(set, &at);

			if (fd == -ESRCH && target->nr_tids > 1) {
				gone = fd;
				continue;
			}
			if (fd < 0) {
				*failed = at;
				*first = !opened;
				return -fd;
			}
			*fd_at(set, ev, c, t) = fd;
			opened++;
		}
	}
	if (opened)
		return 0;
	*failed = (struct event_target){ ev, 0, 0, target->tids[0] };
	*first = false;
	return gone ? ESRCH : ENODEV;
}

/* Finds a feature in use that this kernel lacks. True: found; take_back_missing() clears it in all events. */
static bool drop_missing(struct openset *set, const struct evsel *evsel, GError **error)
{
	for (u32 f = 0; f < NR_KERNEL_FEATURES; f++) {
		u32 bit = 1u << f;

		if ((set->missing | set->probed) & bit || !kernel_feature_used(f, evsel))
			continue;
		if (kernel_can(f)) {
			set->probed |= bit;
			continue;
		}
		if (kernel_feature_wanted(f))
			return error_set(error, PERF_ERROR_UNSUPPORTED,
					 "%s: this kernel has no %s (%s)", evsel->name,
					 kernel_feature_name(f), kernel_feature_since(f));
		set->missing |= bit;
		note(set, "this kernel has no %s (%s): recording without it",
		     kernel_feature_name(f), kernel_feature_since(f));
		return true;
	}
	return false;
}

static void take_back_missing(struct openset *set, struct evsel *evsel)
{
	for (u32 f = 0; f < NR_KERNEL_FEATURES; f++)
		if (set->missing & (1u << f) && kernel_feature_used(f, evsel))
			kernel_feature_take_back(f, evsel);
}

static void rename_event(struct evsel *evsel, char *name)
{
	g_free(evsel->name);
	evsel->name = name;
}

static bool is_cycles(const struct event_spec *spec)
{
	const struct perf_event_attr *attr = &spec->evsel->attr;

	return attr->type == PERF_TYPE_HARDWARE &&
	       (attr->config & G_MAXUINT32) == PERF_COUNT_HW_CPU_CYCLES;
}

static bool to_cpu_clock(struct openset *set, struct event_spec *spec)
{
	struct evsel *evsel = spec->evsel;
	const char *level = evsel->attr.exclude_kernel && !evsel->attr.exclude_user   ? ":u"
			    : evsel->attr.exclude_user && !evsel->attr.exclude_kernel ? ":k"
										      : "";

	note(set, "no hardware counters here for %s: using cpu-clock, a timer, instead",
	     evsel->name);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	evsel->attr.precise_ip = 0;
	spec->max_precise = false;
	rename_event(evsel, g_strdup_printf("cpu-clock%s", level));
	return true;
}

/* "cycles" -> "cycles:u", "cycles:P" -> "cycles:Pu", "cpu/x/" -> "cpu/x/u", "mem:1" -> "mem:1:u" */
static char *user_only_name(const struct evsel *evsel)
{
	const char *name = evsel->name, *modifiers = name;

	if (evsel->attr.type == PERF_TYPE_BREAKPOINT && g_str_has_prefix(name, "mem:"))
		modifiers += strlen("mem:");
	return g_strdup_printf("%s%su", name, strpbrk(modifiers, ":/") ? "" : ":");
}

static bool to_user_only(struct openset *set, struct event_spec *spec)
{
	struct evsel *evsel = spec->evsel;
	s64 level = kernel_sysctl(set->paths, "perf_event_paranoid", 2);

	if (evsel->attr.exclude_kernel || evsel->attr.exclude_user || level <= 1 ||
	    may_see_kernel(set->paths) || evsel->attr.type == PERF_TYPE_TRACEPOINT)
		return false;
	evsel->attr.exclude_kernel = 1;
	evsel->attr.exclude_hv = 1;
	rename_event(evsel, user_only_name(evsel));
	note(set,
	     "kernel mode is left out: /proc/sys/kernel/perf_event_paranoid is %" G_GINT64_FORMAT,
	     level);
	return true;
}

/* A PMU that cannot tell guests from the host refuses exclude_guest, which is the default: clears it. */
static bool to_any_world(struct event_spec *spec)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	if (!spec->pmu || spec->levels_given || !(attr->exclude_guest || attr->exclude_host))
		return false;
	attr->exclude_guest = attr->exclude_host = 0;
	return true;
}

/* Members of a weak group become events of their own. */
static bool break_group(struct openset *set, u32 ev)
{
	u32 first = event_list_at(set->list, ev)->evsel->leader;
	struct event_spec *leader = event_list_at(set->list, first);

	if (!leader->weak || leader->evsel->nr_members < 2)
		return false;
	note(set, "the group of %s does not fit the PMU: its events are opened one by one",
	     leader->evsel->name);
	for (u32 i = first; i < first + leader->evsel->nr_members; i++) {
		struct evsel *member = event_list_at(set->list, i)->evsel;

		close_event(set, i);
		member->leader = i;
		member->attr.read_format &= ~(u64)PERF_FORMAT_GROUP;
		if (i != first)
			member->nr_members = 1;
		member->attr.disabled = leader->evsel->attr.disabled;
		member->attr.enable_on_exec = leader->evsel->attr.enable_on_exec;
	}
	leader->evsel->nr_members = 1;
	return true;
}

/* Asks for less after @errnum. False: nothing to give up (then *error may say why). */
static bool ask_less(struct openset *set, u32 ev, int errnum, GError **error)
{
	struct event_spec *spec = event_list_at(set->list, ev);
	struct perf_event_attr *attr = &spec->evsel->attr;

	if (spec->max_precise && attr->precise_ip) {
		attr->precise_ip--;
		return true;
	}
	if (spec->max_precise)
		attr->precise_ip = 3; /* lowering it did not help: reset it before other steps */
	if ((errnum == ENOENT || errnum == ENXIO || errnum == ENODEV || errnum == EOPNOTSUPP) &&
	    is_cycles(spec))
		return to_cpu_clock(set, spec);
	if (errnum == EACCES || errnum == EPERM)
		return to_user_only(set, spec);
	if (errnum == EINVAL || errnum == E2BIG) {
		if (drop_missing(set, spec->evsel, error))
			return true;
		if (*error)
			return false;
		return to_any_world(spec);
	}
	return false;
}

/* Reopens from *ev on: a broken group sets it back to the group's first. */
static bool open_event(struct openset *set, u32 *ev, GError **error)
{
	struct event_spec *spec = event_list_at(set->list, *ev);
	u32 leader = spec->evsel->leader;
	struct event_target failed;
	GError *why = NULL;
	bool first;
	int errnum;

	for (;;) {
		take_back_missing(set, spec->evsel);
		errnum = open_everywhere(set, *ev, &failed, &first);
		if (!errnum)
			return true;
		close_event(set, *ev);
		if (!first || !ask_less(set, *ev, errnum, &why))
			break;
	}
	if (why) {
		g_propagate_error(error, why);
		return false;
	}
	if ((errnum == EINVAL || errnum == EBADF || errnum == ENOSPC || errnum == EBUSY) &&
	    break_group(set, *ev)) {
		*ev = leader - 1; /* the caller's loop adds one */
		return true;
	}
	if (errnum == EMFILE)
		return files_refusal(spec, set->nr_files, failed.pid == -1 || spec->cgroup >= 0,
				     error);
	return open_refusal(set->paths, spec, errnum, failed.pid, set->target->cpus[failed.cpu],
			    error);
}

static void clear_state(void *ptr)
{
	struct event_state *state = ptr;

	g_free(state->filter);
}

u64 openset_files(u64 nr_fds)
{
	int next = fcntl(0, F_DUPFD_CLOEXEC, 0); /* the lowest number that is free */

	if (next >= 0)
		close(next);
	return (u64)MAX(next, 0) + nr_fds + MORE_FILES;
}

struct openset *openset_open(struct event_list *list, const struct open_target *target,
			     const struct kernel_paths *paths, GError **error)
{
	struct openset *set = g_new0(struct openset, 1);
	u64 nr = (u64)list->specs->len * target->nr_cpus * target->nr_tids;

	set->list = list;
	set->target = target;
	set->paths = paths;
	set->nr_files = openset_files(nr);
	set->notes = g_ptr_array_new_with_free_func(g_free);
	set->fds = g_array_new(FALSE, FALSE, sizeof(int));
	set->states = g_array_new(FALSE, TRUE, sizeof(struct event_state));
	g_array_set_clear_func(set->states, clear_state);
	g_array_set_size(set->states, list->specs->len);
	if (!nr || nr > MOST_FDS) {
		error_set(error, PERF_ERROR_USAGE,
			  "no events, CPUs or threads to open, or too many");
		openset_close(set);
		return NULL;
	}
	g_array_set_size(set->fds, nr);
	memset(set->fds->data, 0xff, nr * sizeof(int));
	for (u32 ev = 0; ev < list->specs->len; ev++) {
		if (!open_event(set, &ev, error)) {
			openset_close(set);
			return NULL;
		}
	}
	return set;
}

void openset_close(struct openset *set)
{
	if (!set)
		return;
	for (u32 i = 0; i < set->fds->len; i++)
		if (g_array_index(set->fds, int, i) >= 0)
			close(g_array_index(set->fds, int, i));
	g_array_unref(set->fds);
	g_array_unref(set->states);
	g_ptr_array_unref(set->notes);
	g_free(set);
}

/* The fds of one event are neighbours. */
static int *event_fds(const struct openset *set, u32 ev, u32 *nr)
{
	*nr = set->target->nr_cpus * set->target->nr_tids;
	return fd_at(set, ev, 0, 0);
}

bool openset_read_ids(struct openset *set, GError **error)
{
	for (u32 ev = 0; ev < set->list->specs->len; ev++) {
		struct evsel *evsel = event_list_at(set->list, ev)->evsel;
		u32 nr;
		const int *fds = event_fds(set, ev, &nr);

		g_free(evsel->ids);
		evsel->ids = g_new(u64, nr);
		evsel->nr_ids = 0;
		for (u32 i = 0; i < nr; i++) {
			if (fds[i] < 0)
				continue;
			if (ioctl(fds[i], PERF_EVENT_IOC_ID, &evsel->ids[evsel->nr_ids]))
				return error_set_errno(error, errno, "%s: PERF_EVENT_IOC_ID",
						       evsel->name);
			evsel->nr_ids++;
		}
	}
	return true;
}

static bool switch_all(const struct openset *set, bool on, GError **error)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	for (u32 ev = 0; ev < set->states->len; ev++)
		state_at(set, ev)->counts = on;
	for (u32 i = 0; i < set->fds->len; i++) {
		int fd = g_array_index(set->fds, int, i);

		if (fd >= 0 && ioctl(fd, request, 0))
			return error_set_errno(error, errno, "cannot %s an event",
					       on ? "enable" : "disable");
	}
	return true;
}

bool openset_enable(const struct openset *set, GError **error)
{
	return switch_all(set, true, error);
}

bool openset_disable(const struct openset *set, GError **error)
{
	return switch_all(set, false, error);
}

bool openset_switch(const struct openset *set, u32 ev, bool on, GError **error)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	u32 nr;
	const int *fds = event_fds(set, ev, &nr);

	state_at(set, ev)->counts = on;
	for (u32 i = 0; i < nr; i++)
		if (fds[i] >= 0 && ioctl(fds[i], request, 0))
			return error_set_errno(error, errno, "cannot %s %s",
					       on ? "enable" : "disable",
					       event_list_at(set->list, ev)->evsel->name);
	return true;
}

bool openset_filter(const struct openset *set, u32 ev, const char *filter, GError **error)
{
	u32 nr;
	const int *fds = event_fds(set, ev, &nr);
	struct event_state *state = state_at(set, ev);

	g_free(state->filter);
	state->filter = g_strdup(filter);
	for (u32 i = 0; i < nr; i++)
		if (fds[i] >= 0 && ioctl(fds[i], PERF_EVENT_IOC_SET_FILTER, filter))
			return filter_refusal(set->paths, event_list_at(set->list, ev), filter,
					      errno, error);
	return true;
}

/* One fd's values by its read_format; those of a group lie in the order of its events. */
static bool add_count(int fd, u64 format, u32 nr_members, u32 place, struct event_count *out)
{
	bool group = format & PERF_FORMAT_GROUP;
	size_t per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t size = sizeof(u64) * (group + times + (group ? nr_members : 1) * per);
	g_autofree u64 *words = g_malloc0(size);
	/* group: nr, times, values...; single event: value, times, id, lost */
	const u64 *time = words + 1, *own = group ? words + 1 + times + place * per : words;
	const u64 *lost = (group ? own : words + times) + per - 1;

	if (read(fd, words, size) <= 0)
		return false;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out->enabled_ns += *time++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out->running_ns += *time;
	out->value += *own;
	if (format & PERF_FORMAT_LOST) {
		out->lost += *lost;
		out->has_lost = true;
	}
	return true;
}

static bool add_count_of(const struct openset *set, u32 ev, int fd, struct event_count *out)
{
	const struct evsel *evsel = event_list_at(set->list, ev)->evsel;
	u32 members = event_list_at(set->list, evsel->leader)->evsel->nr_members;

	return add_count(fd, evsel->attr.read_format, members, ev - evsel->leader, out);
}

bool openset_count(const struct openset *set, u32 ev, struct event_count *out, GError **error)
{
	const struct evsel *evsel = event_list_at(set->list, ev)->evsel;
	u32 nr;
	const int *fds = event_fds(set, ev, &nr);

	*out = state_at(set, ev)->before;
	for (u32 i = 0; i < nr; i++)
		if (fds[i] >= 0 && !add_count_of(set, ev, fds[i], out))
			return error_set_errno(error, errno, "%s: cannot read its count",
					       evsel->name);
	return true;
}

/*
 * Gives fd number @fd to the event @with. The ring remains: the mapping refers to the event before, and @with writes there,
 * too. If the CPU was not offline, the event before would go on to write. 0 or errno.
 */
static int put_in_place(const struct event_state *state, int fd, int with)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (ioctl(with, PERF_EVENT_IOC_SET_OUTPUT, fd) ||
	    (state->filter && ioctl(with, PERF_EVENT_IOC_SET_FILTER, state->filter)) ||
	    dup3(with, fd, O_CLOEXEC) < 0 || (state->counts && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)))
		return errno;
	return 0;
}

static int reopen_one(struct openset *set, const struct event_target *at, openset_id_fn *new_id,
		      void *arg)
{
	struct event_state *state = state_at(set, at->ev);
	int fd = openset_fd(set, at->ev, at->cpu, at->tid), with = open_one(set, at), err;
	u64 id, before;

	if (with < 0)
		return -with;
	err = ioctl(fd, PERF_EVENT_IOC_ID, &before) || ioctl(with, PERF_EVENT_IOC_ID, &id) ? errno
											   : 0;
	if (!err) {
		new_id(id, before, arg);
		add_count_of(set, at->ev, fd, &state->before);
		err = put_in_place(state, fd, with);
	}
	close(with);
	return err;
}

bool openset_reopen(struct openset *set, u32 cpu, openset_id_fn *new_id, void *arg, GError **error)
{
	for (u32 ev = 0; ev < set->list->specs->len; ev++) {
		for (u32 t = 0; t < set->target->nr_tids; t++) {
			struct event_target at = { ev, cpu, t, set->target->tids[t] };
			int err = openset_fd(set, ev, cpu, t) < 0
					  ? 0
					  : reopen_one(set, &at, new_id, arg);

			if (err)
				return error_set_errno(error, err, "%s on CPU %d",
						       event_list_at(set->list, ev)->evsel->name,
						       set->target->cpus[cpu]);
		}
	}
	return true;
}

bool sample_rate_parse(const struct kernel_paths *paths, const char *text, bool strict, u64 *rate,
		       char **warning, GError **error)
{
	s64 most = kernel_sysctl(paths, "perf_event_max_sample_rate", 0);
	char *end;

	*warning = NULL;
	errno = 0;
	*rate = g_ascii_strtoull(text, &end, 0);
	if (!strcmp(text, "max")) {
		if (most <= 0)
			return error_set(
				error, PERF_ERROR_UNSUPPORTED,
				"-F max: /proc/sys/kernel/perf_event_max_sample_rate cannot be "
				"read");
		*rate = most;
		return true;
	}
	if (!g_ascii_isdigit(*text) || *end || errno || !*rate)
		return error_set(error, PERF_ERROR_USAGE,
				 "a sampling rate is a number per second or max, not '%s'", text);
	if (most <= 0 || *rate <= (u64)most)
		return true;
	if (strict)
		return error_set(
			error, PERF_ERROR_USAGE,
			"%" G_GUINT64_FORMAT " samples per second are more than "
			"/proc/sys/kernel/perf_event_max_sample_rate allows: %" G_GINT64_FORMAT,
			*rate, most);
	*warning = g_strdup_printf(
		"%" G_GUINT64_FORMAT " samples per second are more than "
		"/proc/sys/kernel/perf_event_max_sample_rate allows: sampling at "
		"%" G_GINT64_FORMAT " (the limit can be raised there; the kernel lowers "
		"it when samples take too long)",
		*rate, most);
	*rate = most;
	return true;
}
