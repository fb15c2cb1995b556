// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/recorder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"
#include "perfdata/evsel.h"
#include "perfdata/print.h"
#include "perfevent/proc.h"
#include "perfevent/ring.h"
#include "perfevent/tracepoint.h"
#include "record/alerts.h"
#include "record/closing.h"
#include "record/command.h"
#include "record/config.h"
#include "record/drainer.h"
#include "record/output.h"
#include "record/queue.h"
#include "record/rings.h"
#include "record/sources.h"
#include "record/target.h"
#include "record/writer.h"

#define NR_BUFFERS  64
#define BUFFER_SIZE (256 * 1024)

struct recorder {
	const struct record_options *opts;
	struct recording rec;
	struct event_list events, side_events;
	bool has_side;
	struct target target, side_target;
	u32 pages;
	u64 rate;
	struct command_process command;
	struct output output;
	struct queue *queue;
	struct alerts alerts;
	struct writer *writer;
	struct drainer *drainer;
	sigset_t old_mask;
	int signal_fd, delay_fd, switch_fd;
	int ended_by; /* signal that ended the recording; 0 */
	struct closing_facts facts;
};

static void note(struct recorder *r, char *text)
{
	g_ptr_array_add(r->rec.notes, text);
}

static bool parse_events(struct recorder *r, GError **error)
{
	const struct record_options *opts = r->opts;

	event_list_init(&r->events);
	event_list_init(&r->side_events);
	if (!opts->events || !opts->events->len)
		return event_list_default(&r->events, r->rec.paths, error);
	for (u32 i = 0; i < opts->events->len; i++) {
		if (event_list_parse(&r->events, r->rec.paths, g_ptr_array_index(opts->events, i),
				     error))
			continue;
		/* An event that is not there is a wrong word too, as with upstream. */
		if (error)
			(*error)->code = PERF_ERROR_USAGE;
		return false;
	}
	return true;
}

static bool parse_rate(struct recorder *r, GError **error)
{
	const struct record_options *opts = r->opts;
	char *warning = NULL;
	bool rounded;
	g_autofree char *standard = g_strdup_printf("%d", RECORD_DEFAULT_FREQ);

	if (!sample_rate_parse(r->rec.paths, opts->freq ? opts->freq : standard,
			       opts->freq && opts->strict_freq, &r->rate, &warning, error))
		return false;
	if (warning && opts->freq)
		note(r, g_steal_pointer(&warning));
	g_free(warning);
	if (!ring_pages_parse(r->rec.paths, opts->mmap_pages, &r->pages, &rounded, error))
		return false;
	if (rounded)
		note(r,
		     g_strdup_printf("rounding mmap pages size to %uK (%u pages)",
				     (u32)(r->pages * (sysconf(_SC_PAGESIZE) / 1024)), r->pages));
	return true;
}

/* Signals come through an fd, so no handler is needed; threads made later inherit the mask. */
static bool take_signals(struct recorder *r, GError **error)
{
	sigset_t mask, pipe_too;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGUSR2);
	/* A reader that closed our pipe shows as EPIPE of a write. */
	pipe_too = mask;
	sigaddset(&pipe_too, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_too, &r->old_mask);
	r->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0)
		return error_set_errno(error, errno, "signalfd");
	if (!alerts_init(&r->alerts))
		return error_set_errno(error, errno, "eventfd");
	return true;
}

static bool prepare_sources(struct recorder *r, GError **error)
{
	g_ptr_array_add(r->rec.sources, rings_source_new(r->pages));
	if (!sources_add(&r->rec, error))
		return false;
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->prepare && !src->ops->prepare(src, &r->rec, error))
			return false;
	}
	return true;
}

static void note_all(struct recorder *r, const struct openset *set)
{
	const GPtrArray *notes = openset_notes(set);

	for (u32 i = 0; i < notes->len; i++)
		note(r, g_strdup(g_ptr_array_index(notes, i)));
}

static bool open_on_targets(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	rec->target = &r->target.open;
	rec->set = openset_open(&r->events, rec->target, rec->paths, error);
	return rec->set;
}

/* Processes that start threads all the time will not hold still: a few tries must do. */
static bool open_on_all_threads(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	for (int tries = 0; open_on_targets(r, error); tries++) {
		if (tries == 3 || !target_grew(&r->target, rec->paths))
			return true;
		g_clear_pointer(&rec->set, openset_close);
		target_release(&r->target);
		if (!target_init(&r->target, r->opts, rec->paths, r->command.pid, error))
			return false;
	}
	return false;
}

/* Side records of all CPUs, wherever samples are taken: a thread maps here and runs there. */
static bool pick_side_target(struct recorder *r, GError **error)
{
	struct record_options everywhere = *r->opts;

	everywhere.cpus = NULL;
	everywhere.all_cpus = r->target.kind == TARGET_CPUS;
	return target_init(&r->side_target, &everywhere, r->rec.paths, r->command.pid, error);
}

static bool open_events(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	if (!open_on_all_threads(r, error) || !openset_read_ids(rec->set, error))
		return false;
	note_all(r, rec->set);
	if (!r->has_side)
		return true;
	if (!pick_side_target(r, error))
		return false;
	rec->side_target = &r->side_target.open;
	rec->side_set = openset_open(&r->side_events, rec->side_target, rec->paths, error);
	return rec->side_set && openset_read_ids(rec->side_set, error);
}

static bool open_sources(struct recorder *r, GError **error)
{
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->open && !src->ops->open(src, &r->rec, error))
			return false;
	}
	return true;
}

/* The file's events: the user's, then the one for side records. */
static GPtrArray *file_evsels(const struct recorder *r)
{
	GPtrArray *evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);

	for (u32 i = 0; i < r->events.specs->len; i++)
		g_ptr_array_add(evsels, evsel_copy(event_list_at(&r->events, i)->evsel));
	if (r->has_side) {
		struct evsel *side = evsel_copy(event_list_at(&r->side_events, 0)->evsel);

		side->idx = side->leader = evsels->len;
		g_ptr_array_add(evsels, side);
	}
	return evsels;
}

/* The formats of the tracepoints, without which nobody can read their records. */
static bool add_tracing_data(const struct recorder *r, struct perfdata_info *info, GError **error)
{
	g_autoptr(GArray) tps = g_array_new(false, false, sizeof(struct tracepoint));
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	GByteArray *blob;

	for (u32 i = 0; i < r->events.specs->len; i++) {
		const struct evsel *evsel = event_list_at(&r->events, i)->evsel;
		char **parts;
		struct tracepoint tp;

		if (evsel->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		parts = g_strsplit(evsel->name, ":", 3);
		g_ptr_array_add(names, parts);
		tp = (struct tracepoint){ parts[0], parts[1] };
		if (tp.system && tp.name)
			g_array_append_val(tps, tp);
	}
	if (!tps->len)
		return true;
	blob = tracing_data(r->rec.paths, (const struct tracepoint *)tps->data, tps->len, error);
	if (!blob)
		return false;
	info->tracing_data = g_byte_array_free_to_bytes(blob);
	perfdata_info_set(info, FEAT_TRACING_DATA);
	return true;
}

static u64 ns_of(const struct timespec *ts)
{
	return (u64)ts->tv_sec * G_GUINT64_CONSTANT(1000000000) + (u64)ts->tv_nsec;
}

/* The same instant by the recording's clock and by the wall's. */
static void add_clock(const struct recorder *r, struct perfdata_info *info)
{
	struct timespec res, clock, wall;

	if (!r->opts->clock_given || clock_getres(r->opts->clockid, &res) ||
	    clock_gettime(CLOCK_REALTIME, &wall) || clock_gettime(r->opts->clockid, &clock))
		return;
	perfdata_info_set(info, FEAT_CLOCKID);
	info->clockid_res_ns = ns_of(&res);
	perfdata_info_set(info, FEAT_CLOCK_DATA);
	info->clock_data_clockid = (u32)r->opts->clockid;
	info->clock_data_wall_ns = ns_of(&wall);
	info->clock_data_clock_ns = ns_of(&clock);
}

static bool open_output(struct recorder *r, int argc, char *const *argv, GError **error)
{
	struct perfdata_info *info = perfdata_info_of_host();
	GPtrArray *evsels = file_evsels(r);

	perfdata_info_set(info, FEAT_VERSION);
	info->version = g_strdup(version_text);
	perfdata_info_set_cmdline(info, argc, argv);
	add_clock(r, info);
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->describe)
			src->ops->describe(src, (struct evsel *const *)evsels->pdata, evsels->len,
					   info);
	}
	if (!add_tracing_data(r, info, error)) {
		g_ptr_array_unref(evsels);
		perfdata_info_free(info);
		return false;
	}
	return output_open(&r->output, r->opts, evsels, info, error);
}

/* Where it cannot be read, kernel addresses will stay numbers. */
static void read_kernel_map(struct recorder *r)
{
	const char *why = NULL;

	if (kernel_map_read(r->rec.paths, &r->rec.kernel, &why))
		return;
	r->rec.kernel = (struct kernel_map){ 0 };
	for (u32 i = 0; i < r->events.specs->len && why; i++) {
		if (event_list_at(&r->events, i)->evsel->attr.exclude_kernel)
			continue;
		note(r, g_strdup_printf("kernel addresses will have no names: %s", why));
		return;
	}
}

/* With -v: what was asked of the kernel in the end. */
static void note_events(struct recorder *r)
{
	for (u32 i = 0; i < r->events.specs->len; i++) {
		const struct evsel *evsel = event_list_at(&r->events, i)->evsel;
		g_autoptr(GString) text = g_string_new(NULL);

		evsel_print_attr(evsel, ": ", text);
		note(r, g_strdup_printf("%s: %s", evsel->name, text->str));
	}
	note(r, g_strdup_printf("%u rings of %u pages", r->rec.rings->len, r->pages));
}

static void say_notes(struct recorder *r)
{
	if (r->opts->verbose)
		note_events(r);
	read_kernel_map(r);
	for (u32 i = 0; i < r->rec.notes->len && !r->opts->quiet; i++)
		fprintf(stderr, "%s\n", (const char *)g_ptr_array_index(r->rec.notes, i));
}

static bool enable(struct recorder *r, GError **error)
{
	if (!openset_enable(r->rec.set, error))
		return false;
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->enable && !src->ops->enable(src, error))
			return false;
	}
	return true;
}

static int timer_after(u64 ms, bool repeat)
{
	struct itimerspec spec = { .it_value = { (time_t)(ms / 1000),
						 (long)(ms % 1000) * 1000000 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (repeat)
		spec.it_interval = spec.it_value;
	if (fd >= 0)
		timerfd_settime(fd, 0, &spec, NULL);
	return fd;
}

static void wait_for_begin(struct recorder *r)
{
	struct pollfd pfd = { .fd = r->alerts.fd, .events = POLLIN };

	while (!alerts_has(&r->alerts, ALERT_BEGUN)) {
		poll(&pfd, 1, -1);
		alerts_clear_fd(&r->alerts);
	}
}

/*
 * The order matters: side records flow before what exists is read, so that nothing falls in
 * between; samples only after that, for the reading is not what is to be measured.
 */
static bool start(struct recorder *r, GError **error)
{
	bool own_start = r->target.kind == TARGET_COMMAND && r->opts->delay_ms == DELAY_NONE;
	struct writer_setup setup = {
		.rec = &r->rec,
		.target = &r->target,
		.output = &r->output,
		.queue = r->queue,
		.alerts = &r->alerts,
		.say = r->opts->quiet ? NULL : stderr,
	};

	r->writer = writer_start(&setup);
	r->drainer = drainer_start(&r->rec, r->queue, &r->alerts);
	wait_for_begin(r);
	if (r->opts->delay_ms == DELAY_NONE && !own_start && !enable(r, error))
		return false;
	if (r->opts->delay_ms > 0)
		r->delay_fd = timer_after((u64)r->opts->delay_ms, false);
	if (r->opts->switch_output.seconds)
		r->switch_fd = timer_after(r->opts->switch_output.seconds * 1000, true);
	return r->command.pid < 0 || command_start(&r->command, error);
}

/* False: the recording ends. */
static bool on_signals(struct recorder *r)
{
	struct signalfd_siginfo info;
	bool go_on = true;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		int signal = (int)info.ssi_signo;

		if (signal == SIGUSR2) {
			if (r->opts->switch_output.on_signal)
				drainer_switch(r->drainer);
		} else if (signal == SIGCHLD) {
			go_on = go_on && !command_ended(&r->command);
		} else {
			r->ended_by = signal;
			go_on = false;
		}
	}
	return go_on;
}

static bool on_alerts(struct recorder *r)
{
	alerts_clear_fd(&r->alerts);
	if (alerts_has(&r->alerts, ALERT_FULL)) {
		r->facts.size_limit = r->opts->max_size;
		return false;
	}
	if (alerts_has(&r->alerts, ALERT_TARGETS_ENDED) && r->command.pid < 0)
		return false;
	return !alerts_has(&r->alerts, ALERT_WRITE_FAILED);
}

static bool timer_fired(int fd)
{
	u64 times;

	return fd >= 0 && read(fd, &times, sizeof(times)) == sizeof(times);
}

static bool wait_for_end(struct recorder *r, GError **error)
{
	struct pollfd fds[] = {
		{ r->signal_fd, POLLIN },
		{ r->alerts.fd, POLLIN },
		{ r->delay_fd, POLLIN },
		{ r->switch_fd, POLLIN },
	};

	for (;;) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return error_set_errno(error, errno, "poll");
		if (!on_signals(r) || !on_alerts(r))
			return true;
		if (timer_fired(r->delay_fd) && !enable(r, error))
			return false;
		if (timer_fired(r->switch_fd))
			drainer_switch(r->drainer);
	}
}

/* What the kernel dropped, event by event, as the counters know it in the end. */
static void put_lost_samples(struct recorder *r, struct outlet *out)
{
	for (u32 i = 0; i < r->events.specs->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(r->output.evsels, i);
		struct event ev = { .type = PERF_RECORD_LOST_SAMPLES };
		struct event_count count;

		if (!openset_count(r->rec.set, i, &count, NULL) || !count.has_lost || !count.lost)
			continue;
		ev.lost.lost = count.lost;
		ev.id.id = ev.lost.id = evsel->nr_ids ? evsel->ids[0] : 0;
		outlet_event(out, &ev, evsel, NULL);
	}
}

/* Ends what start() began, in whatever state it is. */
static void stop(struct recorder *r)
{
	struct queue_outlet out;

	openset_disable(r->rec.set, NULL);
	if (r->rec.side_set)
		openset_disable(r->rec.side_set, NULL);
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->disable)
			src->ops->disable(src, NULL);
	}
	command_end(&r->command);
	drainer_join(r->drainer, &r->facts.drained);
	queue_outlet_init(&out, r->queue);
	put_lost_samples(r, &out.outlet);
	queue_outlet_flush(&out, false);
	queue_end(r->queue);
	writer_join(r->writer, &r->facts.written);
	r->facts.queue = queue_counts(r->queue);
}

static bool run(struct recorder *r, int argc, char *const *argv, GError **error)
{
	const struct record_options *opts = r->opts;
	enum target_kind kind = target_kind(opts);
	bool fine;

	if (!parse_events(r, error) || !parse_rate(r, error) || !take_signals(r, error))
		return false;
	if (opts->command && !command_fork(&r->command, opts->command, &r->old_mask,
					   !strcmp(opts->output, "-"), error))
		return false;
	if (opts->dry_run)
		return true;
	if (!target_init(&r->target, opts, r->rec.paths, r->command.pid, error))
		return false;
	r->has_side = config_needs_side_event(opts, kind);
	if (r->has_side)
		event_list_add_dummy(&r->side_events);
	if (!config_events(&r->events, r->has_side ? &r->side_events : NULL, opts, kind, r->rate,
			   r->pages, error))
		return false;
	if (!prepare_sources(r, error) || !open_events(r, error) || !open_sources(r, error) ||
	    !open_output(r, argc, argv, error))
		return false;
	say_notes(r);
	r->queue = queue_new(NR_BUFFERS, BUFFER_SIZE);
	fine = start(r, error) && wait_for_end(r, error);
	stop(r);
	return fine;
}

/* What the command's end, or the lack of it, makes of the exit status. */
static bool judge(struct recorder *r, struct record_result *result, GError **error)
{
	struct command_process *cmd = &r->command;

	result->signal = r->ended_by;
	if (r->output.error) {
		g_propagate_error(error, g_steal_pointer(&r->output.error));
		return false;
	}
	if (cmd->pid < 0 || !cmd->waited)
		return true;
	if (cmd->exec_errno)
		return error_set_errno(error, cmd->exec_errno,
				       "failed to collect '%s' for the '%s' workload",
				       event_list_at(&r->events, 0)->evsel->name,
				       r->opts->command[0]);
	if (WIFSIGNALED(cmd->status))
		result->signal = WTERMSIG(cmd->status);
	else if (WIFEXITED(cmd->status))
		result->status = WEXITSTATUS(cmd->status);
	return true;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void release(struct recorder *r)
{
	command_end(&r->command);
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		src->ops->close(src);
	}
	g_ptr_array_unref(r->rec.sources);
	g_ptr_array_unref(r->rec.observers);
	g_ptr_array_unref(r->rec.rings);
	g_ptr_array_unref(r->rec.notes);
	if (r->rec.set)
		openset_close(r->rec.set);
	if (r->rec.side_set)
		openset_close(r->rec.side_set);
	if (r->output.path)
		output_release(&r->output);
	queue_free(r->queue);
	target_release(&r->target);
	target_release(&r->side_target);
	event_list_release(&r->events);
	event_list_release(&r->side_events);
	alerts_release(&r->alerts);
	close_fd(r->signal_fd);
	close_fd(r->delay_fd);
	close_fd(r->switch_fd);
}

bool record_run(const struct record_options *opts, int argc, char *const *argv,
		struct record_result *result, GError **error)
{
	struct recorder r = {
		.opts = opts,
		.rec = { .opts = opts,
			 .paths = kernel_paths_host(),
			 .rings = g_ptr_array_new(),
			 .sources = g_ptr_array_new(),
			 .observers = g_ptr_array_new(),
			 .notes = g_ptr_array_new_with_free_func(g_free) },
		.command = { .pid = -1, .go_fd = -1, .failed_fd = -1 },
		.alerts.fd = -1,
		.signal_fd = -1,
		.delay_fd = -1,
		.switch_fd = -1,
	};
	bool fine;

	*result = (struct record_result){ 0 };
	r.rec.events = &r.events;
	fine = run(&r, argc, argv, error) && judge(&r, result, error);
	if (fine && !opts->quiet && !opts->dry_run)
		closing_say(&r.facts, opts, &r.output, r.rec.sources, stderr);
	release(&r);
	return fine;
}
