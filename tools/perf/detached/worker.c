// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "detached/ends.h"
#include "detached/image_consumer.h"
#include "detached/keeper.h"
#include "detached/plant.h"
#include "detached/save.h"
#include "detached/triggers.h"
#include "perfdata/image/image_read.h"
#include "perfevent/proc.h"
#include "record/base/target.h"

#define FACTS_ROOM    (1u << 20)
#define SIDE_ROOM_MIN (512u << 10)
#define SIDE_ROOM_MAX (8u << 20)
#define CHUNK_SMALL   (16u << 10)
#define CHUNK_BIG     (128u << 10) /* room for two samples with the largest stack */
#define KEEP_MIN      (256u << 10)
#define WAKE_BYTES    1024

struct detached_worker {
	struct image_watch watch;
	const struct detached_options *detached;
	struct record_options *opts;
	struct image_layout layout;
	u64 size, keep_ns;
	char *path, *output; /* absolute paths */

	struct image_header *header; /* in the file */
	int file_fd;
	bool shown; /* the file has its name */
	/* a second image of the recording, mapped by the command; NULL: not requested */
	void *planted;
	struct image_header *planted_header;
	int planted_fd;
	struct triggers *triggers;
	struct ends *ends;
	const char *fired; /* the trigger to save for */
	/* the thread to save for, instead of a trigger. signal 0: none */
	struct crashed_thread died;
	pid_t main_pid; /* whose end is the recording's end; 0: there are several */
	int removal_fd; /* inotify */
	int removed;	/* atomic */
};

static bool parse_size(const char *text, u64 *bytes)
{
	static const char units[] = "BKMG";
	char *end;
	u64 n = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, g_ascii_toupper(*end)) : NULL;

	if (end == text || !unit || end[1] || !n || n > (1ULL << 40))
		return false;
	*bytes = n << (10 * (unit - units));
	return true;
}

static bool parse_seconds(const char *text, u64 *ns)
{
	char *end;
	double n = g_ascii_strtod(text, &end);
	double unit = !strcmp(end, "s") ? 1 : !strcmp(end, "ms") ? 1e-3 : 0;

	/* "16M" is a number of bytes. */
	if (end == text || unit <= 0 || n * unit <= 0 || n * unit > 1e8)
		return false;
	*ns = (u64)(n * unit * 1e9);
	return true;
}

bool detached_keep_may_be(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", 0);
	u64 ns;

	for (char **part = parts; *part; part++)
		if (parse_seconds(*part, &ns))
			return true;
	return false;
}

bool detached_keep_parse(const char *text, u64 *ns, u64 *bytes, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", 0);

	for (char **part = parts; *part; part++)
		if (!parse_seconds(*part, ns) && !parse_size(*part, bytes))
			return error_set(error, PERF_ERROR_USAGE,
					 "--keep=%s: expected a time, a size, or both: 10s,16M",
					 text);
	if (*bytes >= KEEP_MIN && *bytes <= IMAGE_SIZE_MAX / 2)
		return true;
	return error_set(error, PERF_ERROR_USAGE, "--keep=%s: the minimum is 256K", text);
}

/*
 * A process other than the one whose end is the recording's: a child of a server, or what a script has started. The
 * recording is saved at once: it goes on, and ends well perhaps.
 */
static bool is_death_of_other(const struct detached_worker *w)
{
	return w->detached->on_crash && triggers_is_death(w->triggers) &&
	       triggers_crash(w->triggers).pid != (u32)w->main_pid &&
	       triggers_limit(w->triggers, "");
}

static bool sample(struct image_watch *watch, const struct perfdata_decoder *decoder,
		   const struct perf_event_header **record)
{
	struct detached_worker *w = container_of(watch, struct detached_worker, watch);
	const char *fired = triggers_sample(w->triggers, decoder, *record);
	bool died = is_death_of_other(w);

	*record = triggers_record(w->triggers, *record);
	if (fired)
		w->fired = fired;
	if (died)
		w->died = triggers_crash(w->triggers);
	return fired || died;
}

static void see_side(struct image_watch *watch, const struct event *ev)
{
	triggers_side(container_of(watch, struct detached_worker, watch)->triggers, ev);
}

static void set_text(char *to, size_t size, const char *text)
{
	g_strlcpy(to, text ? text : "", size);
}

/* The file is made from the image, as by any other reader. @reason: as in its notes; NULL: the image's. */
static void save(struct detached_worker *w, const char *to, const char *reason)
{
	g_autoptr(GError) error = NULL;

	if (g_atomic_int_get(&w->removed))
		return;
	if (save_image_for(w->path, to, reason, &error)) {
		w->header->saved++;
		*w->header->save_error = 0;
	} else {
		set_text(w->header->save_error, sizeof(w->header->save_error), error->message);
	}
}

/* The trigger is stated in the saved file only: other readers of the image are not concerned. */
static void save_for_trigger(struct image_watch *watch, bool triggered)
{
	struct detached_worker *w = container_of(watch, struct detached_worker, watch);
	struct image_header h = { .reason = IMAGE_REASON_TRIGGER };
	g_autofree char *to =
		g_strdup_printf("%s.%" G_GUINT64_FORMAT, w->output, w->header->saved + 1);
	g_autofree char *reason = NULL;

	if (triggered && w->died.signal) {
		h = (struct image_header){ .reason = IMAGE_REASON_SIGNAL,
					   .reason_status = w->died.signal };
		w->header->crash_pid = w->died.pid;
		w->header->crash_tid = w->died.tid;
	} else {
		set_text(h.reason_text, sizeof(h.reason_text), triggered ? w->fired : "SIGUSR2");
	}
	reason = image_reason_text(&h);
	save(w, to, reason);
	w->header->crash_pid = w->header->crash_tid = 0;
	w->died.signal = 0;
}

static void plan_layout(struct detached_worker *w, u64 bytes)
{
	bool big = w->opts->callgraph.mode == CALLGRAPH_DWARF;

	w->layout = (struct image_layout){
		.facts_room = FACTS_ROOM,
		.side_room = CLAMP(bytes / 8, SIDE_ROOM_MIN, SIDE_ROOM_MAX),
		.chunks_room = bytes,
		.chunk_size = big ? CHUNK_BIG : CHUNK_SMALL,
	};
	w->size = image_layout_size(&w->layout);
}

/*
 * A detached recording writes no file, reads build-ids when mappings arrive, and sleeps when
 * nothing happens.
 */
static void adapt_options(struct record_options *opts)
{
	opts->output = NULL;
	opts->quiet = true;
	opts->buildid_mmap = true;
	opts->leave_command = true;
	opts->doze = true;
	opts->wake_bytes = WAKE_BYTES;
	opts->switch_output.on_signal = true;
}

static bool check(const struct detached_options *d, const struct record_options *opts,
		  GError **error)
{
	if (!shelf_is_name(d->name))
		return error_set(error, PERF_ERROR_USAGE,
				 "--detached=%s: a name has up to 63 letters, digits, and -_.@+",
				 d->name);
	if (opts->switch_output.given || opts->timestamp_filename || opts->overwrite ||
	    opts->zstd_level || opts->max_size || opts->dry_run || opts->tail_synthesize)
		return error_set(error, PERF_ERROR_USAGE,
				 "--detached keeps the newest samples in memory: -z, --overwrite, "
				 "--switch-output, --timestamp-filename, --tail-synthesize, "
				 "--max-size and --dry-run cannot be used with it");
	if (d->output && !strcmp(d->output, "-"))
		return error_set(error, PERF_ERROR_USAGE,
				 "--detached saves into a file: name one with -o");
	return true;
}

static char *absolute(const char *path)
{
	g_autofree char *cwd = g_get_current_dir();

	return *path == '/' ? g_strdup(path) : g_build_filename(cwd, path, NULL);
}

struct detached_worker *worker_new(const struct detached_options *detached,
				   struct record_options *opts, GError **error)
{
	g_autofree char *own_name = g_strconcat(detached->name, ".data", NULL);
	u64 bytes = DETACHED_KEEP_SIZE, ns = 0;
	struct detached_worker *w;

	if (!check(detached, opts, error) ||
	    (detached->keep && !detached_keep_parse(detached->keep, &ns, &bytes, error)))
		return NULL;
	w = g_new0(struct detached_worker, 1);
	w->triggers = triggers_new(detached->triggers, detached->trigger_limit, detached->on_crash,
				   error);
	if (!w->triggers) {
		g_free(w);
		return NULL;
	}
	w->detached = detached;
	w->opts = opts;
	w->keep_ns = ns;
	w->file_fd = w->planted_fd = w->removal_fd = -1;
	w->watch = (struct image_watch){ sample, see_side, save_for_trigger };
	w->output = absolute(detached->output ? detached->output : own_name);
	plan_layout(w, bytes);
	adapt_options(opts);
	return w;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void worker_free(struct detached_worker *w)
{
	if (!w)
		return;
	if (w->header)
		munmap(w->header, w->size);
	if (w->planted)
		munmap(w->planted, w->size);
	close_fd(w->file_fd);
	close_fd(w->planted_fd);
	close_fd(w->removal_fd);
	triggers_free(w->triggers);
	ends_free(w->ends);
	g_free(w->path);
	g_free(w->output);
	g_free(w);
}

static void describe_target(const struct detached_worker *w, struct image_header *h)
{
	const struct record_options *opts = w->opts;
	g_autofree char *text = opts->command ? g_strjoinv(" ", (char **)opts->command)
				: opts->pids  ? g_strconcat("pid ", opts->pids, NULL)
				: opts->tids  ? g_strconcat("tid ", opts->tids, NULL)
				: opts->user  ? g_strconcat("user ", opts->user, NULL)
				: opts->cpus  ? g_strconcat("CPUs ", opts->cpus, NULL)
					      : g_strdup("all CPUs");

	set_text(h->target, sizeof(h->target), text);
}

static void sign(const struct detached_worker *w, struct image_header *h)
{
	shelf_sign(h);
	h->created_ns = clock_ns(CLOCK_REALTIME);
	h->keep_ns = w->keep_ns;
	set_text(h->name, sizeof(h->name), w->detached->name);
	describe_target(w, h);
}

/* Others see the file when its header says whose it is: if this process is killed, it can be listed and removed. */
static bool make_file(struct detached_worker *w, struct consumer *c, const char *dir,
		      GError **error)
{
	void *memory = shelf_create(dir, w->size, &w->file_fd, error);

	if (!memory)
		return false;
	w->header = image_consumer_add(c, memory, &w->layout);
	sign(w, w->header);
	w->shown = shelf_show(dir, w->detached->name, error);
	return w->shown;
}

/* Two recordings that start at the same time must not both get the last room. */
static bool make_file_locked(struct detached_worker *w, struct consumer *c, const char *dir,
			     GError **error)
{
	g_autofree char *lock_path = g_build_filename(dir, ".lock", NULL);
	int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool fine = false;

	if (lock < 0 || flock(lock, LOCK_EX))
		error_set_errno(error, errno, "%s", lock_path);
	else if (shelf_has_room(dir, w->detached->besides, w->size, error))
		fine = make_file(w, c, dir, error);
	close_fd(lock);
	return fine;
}

/* The descriptor is inherited by the command, which is forked next, but not by later children. */
static bool make_planted(struct detached_worker *w, struct consumer *c, GError **error)
{
	if (!w->detached->on_crash || !w->opts->command)
		return true;
	w->planted_fd = memfd_create("perf-detached", 0);
	if (w->planted_fd < 0 || ftruncate(w->planted_fd, (off_t)w->size))
		return error_set_errno(error, errno, "memfd_create");
	w->planted = mmap(NULL, w->size, PROT_READ | PROT_WRITE, MAP_SHARED, w->planted_fd, 0);
	if (w->planted == MAP_FAILED) {
		w->planted = NULL;
		return error_set_errno(error, errno, "mmap");
	}
	w->planted_header = image_consumer_add(c, w->planted, &w->layout);
	sign(w, w->planted_header);
	return true;
}

static bool make_shown(struct detached_worker *w, struct consumer *c, GError **error)
{
	g_autofree char *dir = shelf_dir_made(error);

	if (!dir)
		return false;
	w->path = g_build_filename(dir, w->detached->name, NULL);
	return make_file_locked(w, c, dir, error);
}

/* Sleeps until the file's link count changes. It may have changed before. */
static void *watch_removal(void *arg)
{
	struct detached_worker *w = arg;
	struct stat st;
	char news[4096];

	while (fstat(w->file_fd, &st) || st.st_nlink)
		if (read(w->removal_fd, news, sizeof(news)) <= 0)
			return NULL;
	g_atomic_int_set(&w->removed, true);
	kill(getpid(), SIGTERM);
	return NULL;
}

static void begin_removal_watch(struct detached_worker *w)
{
	/* Not by its path: it may be removed already. */
	g_autofree char *file = g_strdup_printf("/proc/self/fd/%d", w->file_fd);
	sigset_t all, old;
	pthread_t thread;

	w->removal_fd = inotify_init1(IN_CLOEXEC);
	if (w->removal_fd < 0 || inotify_add_watch(w->removal_fd, file, IN_ATTRIB) < 0)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	if (!pthread_create(&thread, NULL, watch_removal, w))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static bool is_plantable(const struct detached_worker *w, const struct recorder *r)
{
	return w->planted_fd >= 0 && recorder_command(r) > 0;
}

/* Lets the command run. If the recording cannot be planted, it continues without. */
static bool begin(struct detached_worker *w, struct recorder *r, GError **error)
{
	g_autoptr(GError) why = NULL;
	bool traced;

	traced = is_plantable(w, r) && plant_begin(recorder_command(r), &why);
	if (!recorder_begin(r, error))
		return false;
	if (traced)
		plant_finish(recorder_command(r), w->planted_fd, w->size, &why);
	if (w->planted_fd >= 0)
		fcntl(w->planted_fd, F_SETFD, FD_CLOEXEC);
	set_text(w->header->save_error, sizeof(w->header->save_error), why ? why->message : "");
	return recorder_has_started(r, error);
}

static GArray *target_pids(const struct detached_worker *w)
{
	return w->opts->pids ? pid_list_parse(w->opts->pids, NULL) : NULL;
}

/* Closes the caller's standard streams; the command has copies. */
static void let_go_of_streams(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	close_fd(null);
}

static void judge_end(struct detached_worker *w, const struct recorder *r)
{
	struct crashed_thread crash = triggers_crash(w->triggers);
	struct image_header *h = w->header;
	pid_t pid = recorder_command(r);
	int status;

	h->reason = IMAGE_REASON_TARGET_GONE;
	if (recorder_command_status(r, &status) ||
	    (recorder_ended_by(r) == 0 && ends_status(w->ends, &pid, &status)))
		ends_judge(w->ends, pid, status, h);
	else if (g_atomic_int_get(&w->removed))
		h->reason = IMAGE_REASON_REMOVED;
	else if (recorder_ended_by(r))
		h->reason = IMAGE_REASON_STOPPED;
	if (h->crash_pid && crash.pid == h->crash_pid)
		h->crash_tid = crash.tid;
}

static bool is_worth_saving(const struct image_header *h)
{
	return h->reason == IMAGE_REASON_OOM || h->reason == IMAGE_REASON_SIGNAL ||
	       (h->reason == IMAGE_REASON_TARGET_EXIT && h->reason_status);
}

static void end(struct detached_worker *w, const struct recorder *r)
{
	struct image_header *h = w->header;

	judge_end(w, r);
	h->ended_ns = clock_ns(CLOCK_REALTIME);
	if (w->detached->on_crash && is_worth_saving(h))
		save(w, w->output, NULL);
	__atomic_store_n(&h->state, IMAGE_ENDED, __ATOMIC_RELEASE);
}

/* Others see the recording when this process takes signals: a signal of theirs would end it before. */
static bool open_all(struct detached_worker *w, struct recorder *r, struct consumer *c,
		     GError **error)
{
	if (!make_planted(w, c, error) || !recorder_open(r, error) || !make_shown(w, c, error))
		return false;
	recorder_answer(r, &w->header->flush_asked);
	return recorder_attach(r, error);
}

static bool run(struct detached_worker *w, struct recorder *r, int report, GError **error)
{
	g_autoptr(GArray) pids = target_pids(w);
	bool fine;

	w->main_pid = recorder_command(r);
	if (pids && pids->len == 1)
		w->main_pid = g_array_index(pids, pid_t, 0);
	if (!begin(w, r, error))
		return false;
	w->ends = ends_new(pids);
	begin_removal_watch(w);
	keeper_report(report, 0, NULL);
	close(report);
	let_go_of_streams();
	fine = recorder_wait(r, error);
	if (!recorder_detach(r, fine ? error : NULL) || !fine)
		return false;
	end(w, r);
	return true;
}

/* Records up to then stay. */
static void fail_late(struct detached_worker *w, const GError *error)
{
	set_text(w->header->save_error, sizeof(w->header->save_error), error->message);
	w->header->ended_ns = clock_ns(CLOCK_REALTIME);
	__atomic_store_n(&w->header->state, IMAGE_ENDED, __ATOMIC_RELEASE);
}

int worker_run(struct detached_worker *w, struct recorder *r, int report)
{
	struct consumer *c = image_consumer_new(target_kind(w->opts) == TARGET_CPUS, &w->watch);
	g_autoptr(GError) error = NULL;

	recorder_add_consumer(r, c);
	recorder_add_source(r, triggers_source(w->triggers));
	fcntl(report, F_SETFD, FD_CLOEXEC);
	if (open_all(w, r, c, &error) && run(w, r, report, &error))
		return 0;
	if (w->shown && w->header->state == IMAGE_RECORDING && w->ends)
		fail_late(w, error);
	else if (w->shown)
		unlink(w->path);
	keeper_report(report, 255, error->message);
	return 255;
}
