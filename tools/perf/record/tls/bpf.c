// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads the program that reads thread-local memory, and connects it to the events and rings of a
 * recording.
 *
 * For each ring (one per CPU) there is one more event, the output event. The program writes its
 * record B by it, and the kernel puts B into the ring to which that event is attached: the ring of
 * the CPU's sampling events. Example, one CPU:
 *
 *	fd 10	cycles, the user's event	ring 0, mapped			runs the program at each sample
 *	fd 11	output event			ring 0, attached to fd 10	outputs[cpu 0] = fd 11
 *
 *	sample of cycles:  the program runs  ->  B by fd 11 into ring 0  ->  the kernel writes E into ring 0
 *
 * So B and E are next to each other, and tls/join.h joins them.
 *
 * Three kinds of programs:
 *
 *	sample_tls_timed	at samples of timers and counters; B names time and event of E (Linux 6.2)
 *	sample_tls_plain	the same on older kernels; B has only thread and address
 *	sample_tls_hit		at hits of tracepoints
 *
 * plan_forked, plan_execed and plan_freed run at forks, execs and ends of processes: they hand plans
 * on before the recorder hears of it.
 *
 * The maps are written by the collector's thread (plans) and read by programs on all CPUs. An
 * update of an entry replaces it as a whole, so a program sees the old plan or the new one.
 *
 * Samples inside bpf() calls are missing: while another program runs on the CPU, the kernel skips
 * this one and drops the sample without counting it.
 */
#include "record/tls/bpf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "activity/layout.h"
#include "base/file.h"
#include "bpf/sample_tls.h"
#include "bpf/sample_tls.skel.h"
#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "perfevent/open.h"
#include "perfevent/refusal.h"
#include "record/base/pid_namespace.h"
#include "record/tls/count.h"

#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT	  38
#define CAP_BPF_BIT	  39
#define OBI_PATH	  "/sys/fs/bpf/otel/traces_ctx_v1"

/* The event whose records the program writes on one CPU. */
struct bpf_output {
	int fd; /* -1: none, the ring has no samples */
	bool counts_lost;
};

struct tls_bpf {
	struct sample_tls_bpf *skel;
	int program_fd, hit_program_fd;	  /* for samples; for hits of tracepoints */
	GArray *hits;			  /* int: events that run hit_program_fd */
	struct perfdata_decoder *decoder; /* of samples; NULL: no tracepoints */
	GArray *outputs;		  /* struct bpf_output, one per ring */
	bool has_obi;
	bool timed;	    /* the program can read the sample and its event */
	GPtrArray *joiners; /* struct tls_joiner, one per ring; NULL: the ring has no samples */
};

/* True if the kernel with this BTF lets a program read the sample behind its context. */
static bool can_see_sample(const struct btf *btf)
{
	return btf && btf__find_by_name_kind(btf, "bpf_cast_to_kern_ctx", BTF_KIND_FUNC) > 0;
}

/* Tells the program where the count of nested contexts is. */
static void tell_count(struct sample_tls_bpf *skel, const struct btf *btf)
{
	skel->rodata->has_count =
		tls_count_find(btf, &skel->rodata->count_from_rq, &skel->rodata->current_from_rq);
}

/*
 * Effective capabilities. In another user namespace than the first they mean nothing for BPF: then
 * there are none.
 */
static u64 capabilities(const struct kernel_paths *paths)
{
	g_autofree char *text = file_text("%s/self/status", paths->proc);
	const char *line = text ? strstr(text, "\nCapEff:") : NULL;

	if (!in_first_user_namespace(paths))
		return 0;
	return line ? g_ascii_strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
}

/* The required capabilities that this process lacks, or NULL. */
static char *missing_capabilities(const struct kernel_paths *paths)
{
	u64 have = capabilities(paths);
	bool bpf = have >> CAP_BPF_BIT & 1, perfmon = have >> CAP_PERFMON_BIT & 1;

	if (have >> CAP_SYS_ADMIN_BIT & 1 || (bpf && perfmon))
		return NULL;
	return g_strdup(bpf ? "CAP_PERFMON" : perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON");
}

/*
 * The reason in the order in which a user can do something about it: rights, a kernel without type
 * information, else the kernel's error.
 */
static bool load_failed(const struct kernel_paths *paths, int errnum, GError **error)
{
	g_autofree char *missing = missing_capabilities(paths);
	g_autofree char *btf = g_strdup_printf("%s/kernel/btf/vmlinux", paths->sys);

	if (missing)
		return error_set(
			error, PERF_ERROR_PERMISSION,
			"the BPF program needs %s: run as root, or give perf the "
			"capabilities (setcap cap_bpf,cap_perfmon,cap_sys_ptrace+ep)%s",
			missing,
			in_first_user_namespace(paths) ? "" : ", outside of this user namespace");
	if (access(btf, R_OK) != 0)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "the BPF program needs the kernel's type information, and %s is "
				 "%s: run a kernel built with CONFIG_DEBUG_INFO_BTF=y, as those of "
				 "distributions are, or one that has PERF_SAMPLE_TLS_USER",
				 btf, errno == ENOENT ? "not there" : g_strerror(errno));
	return error_set(error, PERF_ERROR_UNSUPPORTED, "the kernel rejects the BPF program: %s",
			 g_strerror(errnum));
}

/*
 * Reuses OBI's map from threads to trace contexts, if OBI runs and shares the map. (OBI:
 * OpenTelemetry's instrumentation by eBPF; the program needs no changes for it.) False: the map has
 * an unknown format.
 */
static bool reuse_obi(struct sample_tls_bpf *skel)
{
	struct bpf_map_info info = { 0 };
	__u32 size = sizeof(info);
	int fd = bpf_obj_get(OBI_PATH);
	bool ok = fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
		  info.type == BPF_MAP_TYPE_LRU_HASH && info.key_size == sizeof(__u64) &&
		  info.value_size == sizeof(struct sample_tls_obi) &&
		  bpf_map__reuse_fd(skel->maps.obi, fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * Loads the programs, with one of the two sampling programs. @btf: of the kernel; NULL: it has none. Returns 0 or an errno.
 *
 * The values in rodata must be set before the load: the verifier takes them for constants, and
 * removes the code that they exclude. plan_ends is needed only in another pid namespace.
 */
static int load(struct tls_bpf *b, const struct btf *btf, bool timed)
{
	int err;

	b->skel = sample_tls_bpf__open();
	if (!b->skel)
		return errno;
	bpf_program__set_autoload(b->skel->progs.sample_tls_timed, timed);
	bpf_program__set_autoload(b->skel->progs.sample_tls_plain, !timed);
	b->has_obi = reuse_obi(b->skel);
	b->skel->rodata->has_obi = b->has_obi;
	b->skel->rodata->own_ns = pid_namespace_own();
	bpf_program__set_autoload(b->skel->progs.plan_ends, b->skel->rodata->own_ns != 0);
	tell_count(b->skel, btf);
	err = -sample_tls_bpf__load(b->skel);
	if (err) {
		sample_tls_bpf__destroy(b->skel);
		b->skel = NULL;
		return err;
	}
	b->timed = timed;
	b->program_fd = bpf_program__fd(timed ? b->skel->progs.sample_tls_timed
					      : b->skel->progs.sample_tls_plain);
	b->hit_program_fd = bpf_program__fd(b->skel->progs.sample_tls_hit);
	return 0;
}

static void close_output(void *output)
{
	if (((struct bpf_output *)output)->fd >= 0)
		close(((struct bpf_output *)output)->fd);
}

static void close_hits(void *fd)
{
	close(*(int *)fd);
}

/*
 * The better program is tried first. Its failure says nothing about the reason: the older one may
 * still be accepted, and otherwise its error is told.
 */
struct tls_bpf *tls_bpf_load(const struct kernel_paths *paths, GError **error)
{
	struct tls_bpf *b = g_new0(struct tls_bpf, 1);
	struct btf *btf;
	int err;

	libbpf_set_print(NULL);
	btf = btf__load_vmlinux_btf();
	err = can_see_sample(btf) ? load(b, btf, true) : ENOSYS;

	if (err)
		err = load(b, btf, false);
	btf__free(btf);
	/* The follower is attached here. The sampling program is attached to its events later. */
	if (!err)
		err = -sample_tls_bpf__attach(b->skel);
	b->outputs = g_array_new(FALSE, FALSE, sizeof(struct bpf_output));
	g_array_set_clear_func(b->outputs, close_output);
	b->hits = g_array_new(FALSE, FALSE, sizeof(int));
	g_array_set_clear_func(b->hits, close_hits);
	b->joiners = g_ptr_array_new_with_free_func((GDestroyNotify)tls_joiner_free);
	if (err) {
		load_failed(paths, err, error);
		tls_bpf_free(b);
		return NULL;
	}
	return b;
}

void tls_bpf_free(struct tls_bpf *b)
{
	if (!b)
		return;
	sample_tls_bpf__destroy(b->skel);
	g_array_unref(b->outputs);
	g_array_unref(b->hits);
	g_ptr_array_unref(b->joiners);
	perfdata_decoder_free(b->decoder);
	g_free(b);
}

/*
 * Opens the event for the program's records, on @ring's CPU and into @ring.
 *
 * The event has the same fields of the trailer as the user's events (TLS_JOIN_SHARED_TYPE), so that
 * LOST records of the ring have one layout, no matter which event the kernel names in them.
 *
 * If something fails after the event was opened, outputs closes it with the rest.
 */
static bool open_output(struct tls_bpf *b, const struct evsel *model,
			const struct record_ring *ring, GError **error)
{
	u64 shared = model->attr.sample_type & TLS_JOIN_SHARED_TYPE, id, event_id;
	struct bpf_output output = { .counts_lost = model->attr.read_format & PERF_FORMAT_LOST };
	struct evsel *evsel = evsel_copy_as_output(model, shared);
	int fd;

	evsel->attr.write_backward = ring->ring.backward;
	fd = evsel_sys_open(evsel, -1, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	evsel_free(evsel);
	if (fd < 0)
		return error_set_errno(error, -fd, "BPF output event on CPU %d", ring->cpu);
	output.fd = fd;
	g_array_append_val(b->outputs, output);
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0 ||
	    ioctl(g_array_index(ring->fds, int, 0), PERF_EVENT_IOC_ID, &event_id) != 0)
		return error_set_errno(error, errno, "id of an event on CPU %d", ring->cpu);
	g_ptr_array_add(b->joiners, tls_joiner_new(id, shared, event_id, ring->ring.backward));
	if (bpf_map_update_elem(bpf_map__fd(b->skel->maps.outputs), &ring->cpu, &fd, BPF_ANY) != 0)
		return error_set_errno(error, errno, "BPF output event of CPU %d", ring->cpu);
	return ring_attach(&ring->ring, fd, error);
}

/*
 * One program on all events of the recording: the kernel counts references, and detaches it when an
 * event is closed.
 */
static bool set_program(const struct tls_bpf *b, const struct recording *rec, u32 ev,
			GError **error)
{
	const struct evsel *evsel = event_list_at(rec->events, ev)->evsel;

	for (u32 c = 0; c < rec->target->nr_cpus; c++) {
		for (u32 t = 0; t < rec->target->nr_tids; t++) {
			int fd = openset_fd(rec->set, ev, c, t);

			if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, b->program_fd) != 0)
				return error_set_errno(error, errno, "BPF program on event '%s'",
						       evsel->name);
		}
	}
	return true;
}

/*
 * A BPF program is attached to the tracepoint itself, and runs at every hit, no matter through
 * which event it was set. It must not be set through an event of the user's. Threads inherit these
 * events, and since Linux 6.10 the kernel detaches the program when a thread with an inherited
 * event exits. So the program gets a separate event.
 */
static bool set_hit_program(struct tls_bpf *b, const struct recording *rec,
			    const struct evsel *evsel, GError **error)
{
	const struct record_ring *ring = g_ptr_array_index(rec->rings, 0);
	struct evsel *own = evsel_new();
	int fd;

	own->attr.type = PERF_TYPE_TRACEPOINT;
	own->attr.config = evsel->attr.config;
	own->attr.disabled = 1;
	fd = evsel_sys_open(own, -1, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	evsel_free(own);
	if (fd < 0)
		return error_set_errno(error, -fd, "BPF program on event '%s'", evsel->name);
	g_array_append_val(b->hits, fd);
	/* EEXIST: another event of the same tracepoint has attached it. */
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, b->hit_program_fd) == 0 || errno == EEXIST ||
	       error_set_errno(error, errno, "BPF program on event '%s'", evsel->name);
}

/*
 * Sets the threads whose hits of tracepoints count: the threads with open events, and their
 * children.
 */
static bool set_targets(const struct tls_bpf *b, const struct open_target *target, GError **error)
{
	for (u32 i = 0; i < target->nr_tids; i++) {
		u32 tid = (u32)target->tids[i];
		u8 one = 1;

		if (target->tids[i] < 0)
			b->skel->bss->everyone = true;
		else if (bpf_map_update_elem(bpf_map__fd(b->skel->maps.targets), &tid, &one,
					     BPF_ANY) != 0)
			return error_set_errno(error, errno, "thread %u for the BPF program", tid);
	}
	return true;
}

/*
 * NULL: samples cannot be decoded. Samples of interrupts during a hit are then not distinguished
 * from the hit's own.
 */
static struct perfdata_decoder *sample_decoder(const struct recording *rec)
{
	g_autoptr(GPtrArray) evsels = g_ptr_array_new();

	for (u32 ev = 0; ev < rec->events->specs->len; ev++)
		g_ptr_array_add(evsels, event_list_at(rec->events, ev)->evsel);
	return perfdata_decoder_new((struct evsel *const *)evsels->pdata, evsels->len, NULL);
}

static bool add_tracepoint(struct tls_bpf *b, const struct recording *rec,
			   const struct evsel *evsel, GError **error)
{
	if (!b->decoder)
		b->decoder = sample_decoder(rec);
	for (guint i = 0; i < b->joiners->len; i++)
		for (u32 id = 0; id < evsel->nr_ids && g_ptr_array_index(b->joiners, i); id++)
			tls_joiner_add_tracepoint(g_ptr_array_index(b->joiners, i), evsel->ids[id],
						  b->decoder);
	return set_hit_program(b, rec, evsel, error);
}

/* out: do the sampling events overwrite their rings? Either all must or none. */
static bool find_direction(const struct recording *rec, bool *backward, GError **error)
{
	u32 nr = rec->events->specs->len, nr_backward = 0;

	for (u32 ev = 0; ev < nr; ev++)
		nr_backward += event_list_at(rec->events, ev)->evsel->attr.write_backward;
	*backward = nr_backward > 0;
	return !nr_backward || nr_backward == nr ||
	       error_set(error, PERF_ERROR_USAGE,
			 "--sample-tls by BPF: either all events must overwrite, or none");
}

/* Keeps the arrays parallel to recording.rings. */
static void add_no_output(struct tls_bpf *b)
{
	const struct bpf_output none = { .fd = -1 };

	g_array_append_val(b->outputs, none);
	g_ptr_array_add(b->joiners, NULL);
}

/*
 * What the sampling event itself adds to the CPU's count of contexts (bpf/context.h). A timer of a
 * task or CPU is an interrupt, a counter an NMI. A tracepoint and a page fault run in the context
 * that they sample.
 */
static enum sample_tls_own own_of(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_TRACEPOINT)
		return SAMPLE_TLS_OWN_NONE;
	if (attr->type != PERF_TYPE_SOFTWARE)
		return SAMPLE_TLS_OWN_COUNTER;
	return attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK
		       ? SAMPLE_TLS_OWN_TIMER
		       : SAMPLE_TLS_OWN_NONE;
}

/* For kernels that hide the event from the program: possible if all events are of one kind. */
static void tell_own(const struct tls_bpf *b, const struct recording *rec)
{
	enum sample_tls_own own = own_of(&event_list_at(rec->events, 0)->evsel->attr);

	for (u32 ev = 1; ev < rec->events->specs->len; ev++)
		if (own_of(&event_list_at(rec->events, ev)->evsel->attr) != own)
			own = SAMPLE_TLS_OWN_UNKNOWN;
	b->skel->bss->own_of_all = own;
}

/*
 * The order: outputs before programs. Without its output event, a program could not write B, and
 * the sample would have no bytes although nothing was lost. The events are still disabled, so no
 * sample comes in between.
 */
bool tls_bpf_attach(struct tls_bpf *b, struct recording *rec, GError **error)
{
	const struct evsel *model = event_list_at(rec->events, 0)->evsel;
	bool backward;

	if (!find_direction(rec, &backward, error) || !set_targets(b, rec->target, error))
		return false;
	tell_own(b, rec);
	for (u32 i = 0; i < rec->rings->len; i++) {
		const struct record_ring *ring = g_ptr_array_index(rec->rings, i);

		if (ring->cpu < 0)
			return error_set(error, PERF_ERROR_USAGE,
					 "--sample-tls by BPF needs a ring per CPU: leave out "
					 "--per-thread");
		/* The side records of overwriting events have a separate ring. */
		if (ring->ring.backward != backward)
			add_no_output(b);
		else if (!open_output(b, model, ring, error))
			return false;
	}
	for (u32 ev = 0; ev < rec->events->specs->len; ev++) {
		const struct evsel *evsel = event_list_at(rec->events, ev)->evsel;

		if (evsel->attr.type == PERF_TYPE_TRACEPOINT ? !add_tracepoint(b, rec, evsel, error)
							     : !set_program(b, rec, ev, error))
			return false;
	}
	return true;
}

void tls_bpf_listen(struct tls_bpf *b, tls_join_fn fn, void *arg)
{
	for (guint i = 0; i < b->joiners->len; i++) {
		if (g_ptr_array_index(b->joiners, i))
			tls_joiner_listen(g_ptr_array_index(b->joiners, i), fn, arg);
	}
}

/* Kernels before 6.0 do not count lost records per event: nothing to subtract. */
static void count_lost(const struct tls_bpf *b, u32 ring, struct tls_joiner *joiner)
{
	int fd = g_array_index(b->outputs, struct bpf_output, ring).fd;
	struct {
		u64 value, lost;
	} count;

	if (fd >= 0 && g_array_index(b->outputs, struct bpf_output, ring).counts_lost &&
	    read(fd, &count, sizeof(count)) == sizeof(count))
		tls_joiner_own_lost(joiner, count.lost);
}

void tls_bpf_pass(struct tls_bpf *b, u32 ring, const struct perf_event_header *record,
		  struct outlet *out)
{
	struct tls_joiner *joiner = g_ptr_array_index(b->joiners, ring);

	if (joiner && record->type == PERF_RECORD_LOST)
		count_lost(b, ring, joiner);
	if (joiner)
		tls_joiner_pass(joiner, record, out);
	else
		outlet_put(out, record, record->size);
}

void tls_bpf_flush(struct tls_bpf *b, struct outlet *out)
{
	for (guint i = 0; i < b->joiners->len; i++) {
		struct tls_joiner *joiner = g_ptr_array_index(b->joiners, i);

		if (joiner)
			tls_joiner_flush(joiner, out);
	}
}

void tls_bpf_set_plan(struct tls_bpf *b, u32 pid, const struct sample_tls_plan *plan)
{
	bpf_map_update_elem(bpf_map__fd(b->skel->maps.plans), &pid, plan, BPF_ANY);
}

bool tls_bpf_has_obi(const struct tls_bpf *b)
{
	return b->has_obi;
}

bool tls_bpf_has_context(const struct tls_bpf *b)
{
	return b->skel->rodata->has_count &&
	       (b->timed || b->skel->bss->own_of_all != SAMPLE_TLS_OWN_UNKNOWN);
}

int tls_bpf_plans_fd(const struct tls_bpf *b)
{
	return bpf_map__fd(b->skel->maps.plans);
}

bool tls_bpf_plan(const struct tls_bpf *b, u32 pid, struct sample_tls_plan *plan)
{
	return bpf_map_lookup_elem(bpf_map__fd(b->skel->maps.plans), &pid, plan) == 0;
}

void tls_bpf_forget(struct tls_bpf *b, u32 pid)
{
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.plans), &pid);
}

static struct sample_tls_program program_of(u64 dev, u64 ino)
{
	return (struct sample_tls_program){ .ino = ino, .dev = major(dev) << 20 | minor(dev) };
}

void tls_bpf_set_program(struct tls_bpf *b, u64 dev, u64 ino, const struct sample_tls_plan *plan)
{
	struct sample_tls_program program = program_of(dev, ino);

	bpf_map_update_elem(bpf_map__fd(b->skel->maps.programs), &program, plan, BPF_ANY);
}

void tls_bpf_executes(struct tls_bpf *b, u32 pid, u64 dev, u64 ino)
{
	struct sample_tls_program program = program_of(dev, ino);
	struct sample_tls_plan plan;

	if (bpf_map_lookup_elem(bpf_map__fd(b->skel->maps.programs), &program, &plan) == 0)
		tls_bpf_set_plan(b, pid, &plan);
	else
		tls_bpf_forget(b, pid);
}

struct tls_counts tls_bpf_counts(const struct tls_bpf *b)
{
	struct tls_counts sum = { 0 };

	for (guint i = 0; i < b->joiners->len; i++) {
		const struct tls_joiner *joiner = g_ptr_array_index(b->joiners, i);
		struct tls_counts one;

		if (!joiner)
			continue;
		one = tls_joiner_counts(joiner);
		sum.joined += one.joined;
		sum.unreadable += one.unreadable;
		sum.none += one.none;
		sum.unknown += one.unknown;
		sum.lone += one.lone;
		sum.oversized += one.oversized;
	}
	return sum;
}
