// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a process context is read while its publisher may be writing it (OTEP 4719).
 *
 *	header of the mapping:  "OTEL_CTX" | version | payload size | published_at_ns | payload's address
 *
 *	writer: published_at_ns = 0; change the payload; published_at_ns = now
 *	reader: header (time 7); payload; header again (time 7: it did not change meanwhile)
 *
 * 0, or another time at the second reading: the publisher is writing, and it is tried again,
 * NR_TRIES times, then at the next poll.
 *
 * How a context is found. Named mappings are candidates for ever. A small unnamed mapping is a
 * candidate for CANDIDATE_POLLS polls: the publisher maps it first, and writes the signature later.
 * So memory that a program maps for other reasons is forgotten soon.
 *
 * What is not seen: a context that was published and removed between two polls; a payload of more
 * than MAX_PAYLOAD bytes; and an unnamed mapping of more than MAX_ANONYMOUS bytes.
 */
#include "record/tls/facts.h"

#include <string.h>

#include "base/cursor.h"
#include "perfevent/proc.h"
#include "record/tls/placement.h"

#define SIGNATURE	  "OTEL_CTX"
#define SIGNATURE_SIZE	  8
#define ANONYMOUS	  "//anon"    /* name of anonymous mappings in the kernel's records */
#define MAX_PAYLOAD	  (60u << 10) /* limit: it must fit into one record */
#define MAX_ANONYMOUS	  (64u << 10) /* a context's mapping is not larger */
#define MAX_CANDIDATES	  16 /* unnamed mappings kept per process; a new one replaces the oldest */
#define CANDIDATE_POLLS	  8  /* an unnamed mapping without a signature is dropped after so many */
#define NR_TRIES	  3  /* if a publisher writes during the reading */
#define CONTEXTS_PER_POLL 256

/* A mapping that is, or may become, a process context. */
struct candidate {
	u64 va;
	u32 polls_left;
};

struct header {
	char signature[SIGNATURE_SIZE];
	u32 version, payload_size;
	u64 published_at_ns; /* 0: the publisher is changing it */
	u64 payload;	     /* address in the process */
};

/* What a process has stated. data NULL: nothing yet. */
struct facts_of {
	u32 pid;
	u64 since;	    /* facts hold from then on: before, it may have been another program */
	GArray *candidates; /* struct candidate, or NULL */
	u64 context_va;	    /* 0: none found */
	u64 published_at_ns;
	/* Elastic: address of a pointer that is still zero; 0: none, or already read */
	u64 storage_va;
	enum activity_process_form form;
	GBytes *data; /* data of the last news */
};

struct tls_facts {
	const struct kernel_paths *paths;
	tls_facts_fn fn;
	void *arg;
	GHashTable *processes; /* pid -> struct facts_of */
	u32 next;	       /* the contexts that the next poll reads */
};

static void facts_of_free(void *data)
{
	struct facts_of *of = data;

	if (of->candidates)
		g_array_unref(of->candidates);
	g_bytes_unref(of->data);
	g_free(of);
}

struct tls_facts *tls_facts_new(const struct kernel_paths *paths, tls_facts_fn fn, void *arg)
{
	struct tls_facts *f = g_new0(struct tls_facts, 1);

	f->paths = paths;
	f->fn = fn;
	f->arg = arg;
	f->processes = g_hash_table_new_full(NULL, NULL, NULL, facts_of_free);
	return f;
}

void tls_facts_free(struct tls_facts *f)
{
	if (!f)
		return;
	g_hash_table_destroy(f->processes);
	g_free(f);
}

static struct facts_of *find(const struct tls_facts *f, u32 pid)
{
	return g_hash_table_lookup(f->processes, GUINT_TO_POINTER(pid));
}

static struct facts_of *get(struct tls_facts *f, u32 pid, u64 time)
{
	struct facts_of *of = find(f, pid);

	if (!of) {
		of = g_new0(struct facts_of, 1);
		of->pid = pid;
		of->since = time;
		g_hash_table_insert(f->processes, GUINT_TO_POINTER(pid), of);
	}
	return of;
}

static void tell_of(const struct facts_of *of, u64 time, tls_facts_fn fn, void *arg)
{
	gsize size = 0;
	struct tls_facts_news news = {
		.pid = of->pid,
		.form = of->form,
		.time = time,
		.data = of->data ? g_bytes_get_data(of->data, &size) : NULL,
	};

	news.size = (u32)size;
	fn(&news, arg);
}

static void set_data(struct tls_facts *f, struct facts_of *of, enum activity_process_form form,
		     GBytes *data, u64 time)
{
	g_bytes_unref(of->data);
	of->form = form;
	of->data = data;
	tell_of(of, MAX(time, of->since), f->fn, f->arg);
}

static bool read_header(u32 pid, u64 va, struct header *header)
{
	return tls_peek(pid, va, header, sizeof(*header)) &&
	       memcmp(header->signature, SIGNATURE, SIGNATURE_SIZE) == 0 &&
	       (header->version == 1 || header->version == 2);
}

/* A pointer of a 32-bit program has 4 bytes. The next 4 bytes are another variable. */
static bool peek_payload(u32 pid, u64 va, void *to, u32 size)
{
	return tls_peek(pid, va, to, size) || (va >> 32 && tls_peek(pid, (u32)va, to, size));
}

/*
 * The payload, if the publisher did not change it while it was read. NULL: there was no payload.
 *
 * known_ns is the time of the payload that is known already: then nothing is read. A publisher that
 * writes all the time gets NR_TRIES, and the next poll tries again.
 */
static GBytes *read_payload(u32 pid, u64 va, u64 known_ns, u64 *published_at_ns)
{
	for (u32 try = 0; try < NR_TRIES; try++) {
		g_autofree void *payload = NULL;
		struct header before, after;

		if (!read_header(pid, va, &before))
			return NULL;
		if (before.published_at_ns == known_ns)
			return NULL;
		if (!before.published_at_ns || !before.payload_size)
			continue;
		if (before.payload_size > MAX_PAYLOAD)
			return NULL;
		payload = g_malloc(before.payload_size);
		if (!peek_payload(pid, before.payload, payload, before.payload_size) ||
		    !read_header(pid, va, &after) || memcmp(&before, &after, sizeof(after)) != 0)
			continue;
		*published_at_ns = before.published_at_ns;
		return g_bytes_new_take(g_steal_pointer(&payload), before.payload_size);
	}
	return NULL;
}

/* True: a context is at @va, even if it could not be read yet. */
static bool try_context(struct tls_facts *f, struct facts_of *of, u64 va, u64 time)
{
	struct header header;
	GBytes *payload;
	u64 published;

	if (!read_header(of->pid, va, &header))
		return false;
	if (of->context_va != va) {
		of->context_va = va;
		of->published_at_ns = 0;
	}
	payload = read_payload(of->pid, va, of->published_at_ns, &published);
	if (payload) {
		of->published_at_ns = published;
		set_data(f, of, ACTIVITY_PROCESS_OTEL, payload, time);
	}
	return true;
}

static bool is_context_name(const char *name)
{
	return g_str_has_prefix(name, "/memfd:" SIGNATURE) ||
	       g_str_has_prefix(name, "[anon_shmem:" SIGNATURE) ||
	       g_str_has_prefix(name, "[anon:" SIGNATURE);
}

static bool is_candidate(const struct facts_of *of, u64 va)
{
	for (guint i = 0; i < of->candidates->len; i++)
		if (g_array_index(of->candidates, struct candidate, i).va == va)
			return true;
	return false;
}

void tls_facts_mapping(struct tls_facts *f, u32 pid, u64 start, u64 size, const char *name,
		       bool tracked, u64 time)
{
	bool named = is_context_name(name);
	struct candidate candidate = { start, named ? G_MAXUINT32 : CANDIDATE_POLLS };
	struct facts_of *of;

	if (!named && !(tracked && size <= MAX_ANONYMOUS && g_str_has_prefix(name, ANONYMOUS)))
		return;
	of = get(f, pid, time);
	if (try_context(f, of, start, time))
		return;
	if (!of->candidates)
		of->candidates = g_array_new(FALSE, FALSE, sizeof(candidate));
	if (is_candidate(of, start))
		return;
	if (of->candidates->len == MAX_CANDIDATES)
		g_array_remove_index(of->candidates, 0);
	g_array_append_val(of->candidates, candidate);
}

struct scan {
	struct tls_facts *f;
	u32 pid;
	bool tracked;
	u64 time;
};

static bool scan_map(const struct proc_map *map, void *arg)
{
	const struct scan *scan = arg;

	tls_facts_mapping(scan->f, scan->pid, map->start, map->end - map->start, map->name,
			  scan->tracked, scan->time);
	return true;
}

void tls_facts_scan(struct tls_facts *f, u32 pid, bool tracked, u64 time)
{
	struct scan scan = { f, pid, tracked, time };

	proc_maps(f->paths, (pid_t)pid, true, scan_map, &scan, NULL);
}

/* Reads the storage: a version and three strings, each preceded by its length. */
static bool read_storage(u32 pid, u64 va, GByteArray *to)
{
	u32 length;

	g_byte_array_set_size(to, sizeof(u16));
	if (!tls_peek(pid, va, to->data, sizeof(u16)))
		return false;
	for (u32 i = 0; i < 3; i++) {
		guint at = to->len;

		if (!tls_peek(pid, va + at, &length, sizeof(length)) || length > MAX_PAYLOAD ||
		    at + sizeof(length) + length > MAX_PAYLOAD)
			return false;
		g_byte_array_set_size(to, at + (guint)sizeof(length) + length);
		if (!tls_peek(pid, va + at, to->data + at, sizeof(length) + length))
			return false;
	}
	return true;
}

static void try_storage(struct tls_facts *f, struct facts_of *of, u64 time)
{
	GByteArray *bytes;
	u64 at;

	if (!tls_peek(of->pid, of->storage_va, &at, sizeof(at)) || !at)
		return;
	bytes = g_byte_array_new();
	of->storage_va = 0; /* the publisher sets the pointer once, after the data is complete */
	if (!read_storage(of->pid, at, bytes) || of->form == ACTIVITY_PROCESS_OTEL) {
		g_byte_array_unref(bytes);
		return;
	}
	set_data(f, of, ACTIVITY_PROCESS_ELASTIC, g_byte_array_free_to_bytes(bytes), time);
}

void tls_facts_storage(struct tls_facts *f, u32 pid, u64 va, u64 time)
{
	struct facts_of *of = get(f, pid, time);

	of->storage_va = va;
	try_storage(f, of, time);
}

/*
 * The child has a copy of the parent's memory, so the names of labels are the same. The mapping of
 * a context is not inherited (MADV_DONTFORK, as the specification demands), so the child has no
 * context of its own.
 */
void tls_facts_fork(struct tls_facts *f, u32 parent, u32 child, u64 time)
{
	const struct facts_of *from = find(f, parent);
	struct facts_of *to;

	if (!from || find(f, child))
		return;
	to = get(f, child, time);
	to->storage_va = from->storage_va;
	if (from->data)
		set_data(f, to, from->form, g_bytes_ref(from->data), time);
}

void tls_facts_gone(struct tls_facts *f, u32 pid, u64 time)
{
	struct facts_of *of = find(f, pid);

	if (of && of->data)
		set_data(f, of, ACTIVITY_PROCESS_GONE, NULL, time);
	g_hash_table_remove(f->processes, GUINT_TO_POINTER(pid));
}

static void poll_candidates(struct tls_facts *f, struct facts_of *of, u64 time)
{
	for (guint i = of->candidates->len; i-- > 0;) {
		struct candidate *c = &g_array_index(of->candidates, struct candidate, i);

		if (try_context(f, of, c->va, time) || c->polls_left-- == 0)
			g_array_remove_index(of->candidates, i);
	}
	if (of->candidates->len == 0)
		g_clear_pointer(&of->candidates, g_array_unref);
}

/*
 * Candidates are read at each call: they are few and short-lived. Known contexts and storages take
 * turns, CONTEXTS_PER_POLL at a call. With 10,000 processes that publish, a change is seen after 40
 * calls.
 */
void tls_facts_poll(struct tls_facts *f, u64 time)
{
	u32 nr = g_hash_table_size(f->processes), at = 0;
	GHashTableIter it;
	gpointer value;

	if (f->next >= nr)
		f->next = 0;
	g_hash_table_iter_init(&it, f->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		struct facts_of *of = value;
		bool due = at >= f->next && at < f->next + CONTEXTS_PER_POLL;

		at++;
		if (of->candidates)
			poll_candidates(f, of, time);
		if (of->storage_va && due)
			try_storage(f, of, time);
		if (of->context_va && due)
			try_context(f, of, of->context_va, time);
	}
	f->next += CONTEXTS_PER_POLL;
}

void tls_facts_each(const struct tls_facts *f, tls_facts_fn fn, void *arg)
{
	GHashTableIter it;
	gpointer value;

	g_hash_table_iter_init(&it, f->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		const struct facts_of *of = value;

		if (of->data)
			tell_of(of, 0, fn, arg);
	}
}
