// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that samples hit. Without call chains, it decodes only the process, mode, address and time, which are in a
 * sample's head; the next sample is mostly in the same mapping. Recordings with call chains, and files without parts,
 * are read sample by sample.
 */
#include <linux/perf_event.h>

#include "perfdata/read/samples.h"
#include "session/chained.h"
#include "session/digest.h"
#include "session/private.h"

#define AHEAD	   64u
#define NR_THREADS 64u
#define PART_SIZE  (1u << 20)

struct hit_files {
	struct session *session;
	struct machine_hits hits;
	const struct thread
		*threads[NR_THREADS]; /* one of the process, found by the low bits of its pid */
	const struct map *last;
	GByteArray *seen; /* by dso_id() */
	session_hit_fn *fn;
	void *arg;
};

static void take_dso(struct hit_files *h, struct dso *dso)
{
	u32 id, old = h->seen->len;

	if (!dso)
		return;
	id = dso_id(dso);
	if (id >= old) {
		g_byte_array_set_size(h->seen, id + 1);
		memset(h->seen->data + old, 0, id + 1 - old);
	}
	if (h->seen->data[id])
		return;
	h->seen->data[id] = true;
	h->fn(dso, h->arg);
}

/* Any thread of the process is sufficient. */
static const struct thread *thread_of(struct hit_files *h, const struct sample_head *s)
{
	const struct thread **known = &h->threads[s->pid % NR_THREADS];

	if (!*known || (*known)->pid != s->pid)
		*known = machine_thread(h->session->file->machine, s->pid, s->tid, s->time,
					&h->hits);
	return *known;
}

static void take_head(struct hit_files *h, const struct sample_head *s)
{
	struct mapped mapped;

	machine_find(h->session->file->machine, thread_of(h, s),
		     s->misc & PERF_RECORD_MISC_CPUMODE_MASK, s->ip, s->time, &mapped, &h->hits);
	if (mapped.map == h->last)
		return;
	h->last = mapped.map;
	take_dso(h, mapped.dso);
}

static bool take_place(const struct place *place, u32 filtered, void *arg, GError **error)
{
	take_dso(arg, place->ip->dso);
	for (u32 i = 0; i < place->nr_chain; i++)
		take_dso(arg, place->chain[i]->dso);
	return true;
}

static bool read_parts(struct hit_files *h, const GArray *parts, GError **error)
{
	struct sample_head heads[AHEAD];
	int got = 0;

	for (u32 i = 0; i < parts->len && got >= 0; i++) {
		struct perfdata_part part = g_array_index(parts, struct perfdata_part, i);

		while ((got = perfdata_heads(h->session->file->pd, &part, heads, AHEAD, error)) >
		       0) {
			u32 nr = digest_filter(h->session, heads, (u32)got);

			for (u32 k = 0; k < nr; k++)
				take_head(h, &heads[k]);
		}
		perfdata_give_back(h->session->file->pd,
				   &g_array_index(parts, struct perfdata_part, i));
	}
	return got >= 0;
}

bool session_each_hit(struct session *s, session_hit_fn *fn, void *arg, GError **error)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct perfdata_part));
	struct hit_files h = { .session = s, .seen = g_byte_array_new(), .fn = fn, .arg = arg };
	bool ok = !chained_asked(s) && perfdata_parts(s->file->pd, PART_SIZE, parts)
			  ? read_parts(&h, parts, error)
			  : session_each_sample(s, NEED_CHAIN, take_place, &h, error);

	g_byte_array_unref(h.seen);
	return ok;
}
