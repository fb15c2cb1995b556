// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/pinned.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bpf/pinned.h"
#include "bpf/pinned.skel.h"
#include "detached/image_consumer.h"
#include "detached/pinned_map.h"
#include "detached/processes.h"
#include "perfdata/image/image_read.h"
#include "perfevent/parse.h"
#include "perfevent/proc.h"
#include "record/base/kernel_types.h"
#include "record/base/target.h"

#define HEAD_ROOM ((1u << 20) - IMAGE_PAGE) /* room for header and facts: whole elements */
#define SIDE_ROOM (2u << 20)

/* State while a recording is created. */
struct pinning {
	const struct detached_options *detached;
	struct record_options *opts;
	char *path;
	struct image_layout layout;
	u64 size;
	u32 nr_cpus;
	struct event_list events;
	u64 rate;
	struct pinned_bpf *skel;
	bool follows; /* the kernel has loaded the programs that follow processes */
	void *memory; /* the mapped array */
	u64 sample_id;
	struct target target;
	struct open_target open;
	struct openset *set;
	struct source source; /* describes the event in the image's facts */
};

static bool parse(struct pinning *p, GError **error)
{
	const struct kernel_paths *paths = kernel_paths_host();
	g_autofree char *warning = NULL;
	const GPtrArray *names = p->opts->events;

	for (u32 i = 0; names && i < names->len; i++)
		if (!event_list_parse(&p->events, paths, g_ptr_array_index(names, i), error))
			return false;
	if ((!names || !names->len) && !event_list_default(&p->events, paths, error))
		return false;
	return pinned_can_carry(p->detached, p->opts, error) &&
	       sample_rate_parse(paths, p->opts->freq ? p->opts->freq : "4000",
				 p->opts->strict_freq, &p->rate, &warning, error);
}

static bool make_directory(struct pinning *p, GError **error)
{
	g_autofree char *dir = pinned_dir();

	if (!dir)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "no bpffs is mounted: mount -t bpf bpf /sys/fs/bpf");
	p->path = g_build_filename(dir, p->detached->name, NULL);
	if (mkdir(dir, 0700) && errno != EEXIST)
		return error_set_errno(error, errno, "%s", dir);
	if (!mkdir(p->path, 0700))
		return true;
	if (errno == EEXIST)
		error_set(error, PERF_ERROR_USAGE,
			  "a detached recording %s exists already: remove it with perf detached rm "
			  "%s",
			  p->detached->name, p->detached->name);
	else
		error_set_errno(error, errno, "%s", p->path);
	g_clear_pointer(&p->path, g_free);
	return false;
}

struct shelf_taken pinned_taken(void)
{
	g_autofree char *dir = pinned_dir();
	g_autoptr(GPtrArray) paths = dir ? shelf_list(dir, NULL) : NULL;
	struct shelf_taken taken = { .count = paths ? paths->len : 0 };

	for (u32 i = 0; i < taken.count; i++) {
		struct pinned_image *p = pinned_open(g_ptr_array_index(paths, i), NULL);

		taken.bytes += p ? p->memory : 0;
		if (p)
			pinned_close(p);
	}
	return taken;
}

static bool plan_layout(struct pinning *p, GError **error)
{
	g_autofree char *dir = shelf_dir(geteuid());
	u64 bytes = DETACHED_KEEP_SIZE, ns = 0;

	if (p->detached->keep && !detached_keep_parse(p->detached->keep, &ns, &bytes, error))
		return false;
	p->nr_cpus = (u32)libbpf_num_possible_cpus();
	bytes = MAX(bytes / p->nr_cpus / PINNED_PIECE, 2) * PINNED_PIECE * p->nr_cpus;
	p->layout = (struct image_layout){ HEAD_ROOM, SIDE_ROOM, bytes, PINNED_PIECE };
	p->size = image_layout_size(&p->layout);
	return shelf_has_room(dir, pinned_taken(), p->size + processes_size(!p->target.pids),
			      error);
}

static bool open_and_load(struct pinning *p, bool follows)
{
	u64 head = IMAGE_PAGE + HEAD_ROOM + 2 * SIDE_ROOM;

	p->skel = pinned_bpf__open();
	if (!p->skel)
		return false;
	bpf_map__set_max_entries(p->skel->maps.image, (u32)(p->size / PINNED_PIECE));
	p->skel->rodata->first_chunk = (u32)(head / PINNED_PIECE);
	p->skel->rodata->chunks_per_cpu = (u32)(p->layout.chunks_room / PINNED_PIECE / p->nr_cpus);
	p->skel->rodata->nr_cpus = p->nr_cpus;
	p->skel->rodata->sample_id = p->sample_id;
	p->skel->rodata->samples_at = offsetof(struct image_header, samples);
	processes_choose_size(p->skel, !p->target.pids);
	p->skel->rodata->chains = p->opts->callgraph.mode == CALLGRAPH_FP;
	p->skel->rodata->follows = true;
	if (!follows)
		processes_leave_out(p->skel);
	if (!pinned_bpf__load(p->skel))
		return true;
	pinned_bpf__destroy(p->skel);
	p->skel = NULL;
	return false;
}

/*
 * Kernels without bpf_find_vma (before Linux 5.17) cannot look up mappings. The recording then
 * works without them.
 */
static bool load(struct pinning *p, GError **error)
{
	libbpf_set_print(NULL);
	p->follows = open_and_load(p, true);
	if (!p->follows && !open_and_load(p, false))
		return kernel_bpf_failed("--carrier=bpf", NULL, errno, error);
	p->memory = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 bpf_map__fd(p->skel->maps.image), 0);
	if (p->memory != MAP_FAILED)
		return true;
	p->memory = NULL;
	return error_set_errno(error, errno, "mmap of a BPF array");
}

/* Sets the event's attributes for the file: what bpf/pinned.bpf.c writes. */
static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	struct pinning *p = container_of(src, struct pinning, source);
	const struct evsel *from = event_list_at(&p->events, 0)->evsel;
	struct evsel *evsel = recording_add_evsel(rec, from->name);

	evsel->attr.type = from->attr.type;
	evsel->attr.config = from->attr.config;
	evsel->attr.freq = 1;
	evsel->attr.sample_freq = p->rate;
	evsel->attr.sample_type |= PERF_SAMPLE_CPU;
	if (p->opts->callgraph.mode == CALLGRAPH_FP)
		evsel->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	evsel->attr.use_clockid = 1;
	evsel->attr.clockid = CLOCK_MONOTONIC;
	p->sample_id = evsel->ids[0];
	return true;
}

static void close_source(struct source *src)
{
}

static const struct source_ops source_ops = {
	.name = "pinned",
	.prepare = prepare,
	.close = close_source,
};

static void sign(const struct pinning *p, struct image_header *h)
{
	u64 bytes, ns = 0;

	shelf_sign(h);
	h->worker_pid = 0;
	h->rings = p->nr_cpus;
	h->created_ns = (u64)g_get_real_time() * 1000;
	if (p->detached->keep)
		detached_keep_parse(p->detached->keep, &ns, &bytes, NULL);
	h->keep_ns = ns;
	g_strlcpy(h->name, p->detached->name, sizeof(h->name));
	g_strlcpy(h->target, p->opts->pids ? p->opts->pids : "all CPUs", sizeof(h->target));
}

/* The facts and the present processes are written by a recorder without counting events. */
static bool fill_head(struct pinning *p, struct recorder *r, GError **error)
{
	struct consumer *c = image_consumer_new(true, NULL);

	sign(p, image_consumer_add(c, p->memory, &p->layout));
	recorder_add_consumer(r, c);
	return recorder_attach(r, error) && recorder_detach(r, error);
}

static bool pin(struct pinning *p, struct bpf_link *link, u32 i, GError **error)
{
	g_autofree char *name = g_strdup_printf("%s/link%u", p->path, i);
	int failed = bpf_link__pin(link, name);

	bpf_link__disconnect(link); /* else destroying the link would disable the event */
	bpf_link__destroy(link);
	return !failed || error_set_errno(error, -failed, "%s", name);
}

/* Events of a process are not bound to a CPU: they count on all CPUs, also in children. */
static bool open_events(struct pinning *p, GError **error)
{
	struct evsel *evsel = event_list_at(&p->events, 0)->evsel;
	static const s32 any_cpu = -1;

	if (!target_init(&p->target, p->opts, kernel_paths_host(), -1, error))
		return false;
	p->open = p->target.open;
	if (p->target.kind != TARGET_CPUS) {
		p->open.cpus = &any_cpu;
		p->open.nr_cpus = 1;
	}
	evsel->attr.freq = 1;
	evsel->attr.sample_freq = p->rate;
	evsel->attr.inherit = p->target.kind != TARGET_CPUS;
	p->set = openset_open(&p->events, &p->open, kernel_paths_host(), error);
	return p->set;
}

/* The link holds its own descriptor. */
static bool attach_one(struct pinning *p, int fd, u32 i, GError **error)
{
	struct bpf_link *link;

	fd = dup(fd);
	link = bpf_program__attach_perf_event(p->skel->progs.pinned_record, fd);
	if (link)
		return pin(p, link, i, error);
	error_set_errno(error, errno, "attaching to the event");
	close(fd);
	return false;
}

static bool attach(struct pinning *p, GError **error)
{
	u32 nr = 0;

	for (u32 c = 0; c < p->open.nr_cpus; c++)
		for (u32 t = 0; t < p->open.nr_tids; t++) {
			int fd = openset_fd(p->set, 0, c, t);

			if (fd >= 0 && !attach_one(p, fd, nr++, error))
				return false;
		}
	return true;
}

static bool pin_image(struct pinning *p, GError **error)
{
	g_autofree char *name = g_build_filename(p->path, "image", NULL);
	int failed = bpf_map__pin(p->skel->maps.image, name);

	return !failed || error_set_errno(error, -failed, "%s", name);
}

/* Called before the present processes are read, so that nothing is missed. */
static bool follow_processes(struct pinning *p, GError **error)
{
	if (p->follows)
		return processes_follow(p->path, p->skel, p->target.pids, error);
	fprintf(stderr,
		"perf: %s: this kernel cannot follow processes by BPF (needs Linux 5.17): "
		"processes that start later, and end before the recording is read, have no "
		"symbols\n",
		p->detached->name);
	return true;
}

static bool make(struct pinning *p, struct recorder *r, GError **error)
{
	return parse(p, error) && plan_layout(p, error) && make_directory(p, error) &&
	       open_events(p, error) && recorder_open(r, error) && load(p, error) &&
	       follow_processes(p, error) && fill_head(p, r, error) && pin_image(p, error) &&
	       attach(p, error);
}

bool pinned_record(const struct detached_options *detached, struct record_options *opts, int argc,
		   char *const *argv, GError **error)
{
	struct pinning p = { .detached = detached, .opts = opts, .source = { &source_ops } };
	struct recorder *r;
	bool fine;

	opts->no_events = opts->quiet = opts->buildid_mmap = true;
	opts->output = NULL;
	event_list_init(&p.events);
	r = recorder_new(opts, argc, argv);
	recorder_add_source(r, &p.source);
	fine = make(&p, r, error);
	recorder_close(r);
	if (!fine && p.path)
		pinned_remove(p.path, NULL);
	if (p.memory)
		munmap(p.memory, p.size);
	pinned_bpf__destroy(p.skel);
	if (p.set)
		openset_close(p.set);
	target_release(&p.target);
	event_list_release(&p.events);
	g_free(p.path);
	return fine;
}

bool pinned_has_links(const char *path)
{
	g_autofree char *link = g_build_filename(path, "link0", NULL);

	return !access(link, F_OK);
}

struct pinned_image *pinned_open(const char *path, GError **error)
{
	struct pinned_map map;
	struct pinned_image *p;

	if (!pinned_map_open(&map, path, "image", PINNED_PIECE, error))
		return NULL;
	p = g_new0(struct pinned_image, 1);
	p->data = map.data;
	p->size = map.size;
	p->memory = map.size + processes_taken(path);
	p->is_recording = pinned_has_links(path);
	if (image_header_read(path, p->data, p->size, &p->header, error)) {
		p->header.side_lost += processes_lost(path);
		return p;
	}
	pinned_close(p);
	return NULL;
}

void pinned_close(struct pinned_image *p)
{
	munmap(p->data, p->size);
	g_free(p);
}
