// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/cross.h"

#include <string.h>

#include "base/intern.h"
#include "dso/dso.h"
#include "fields/identity.h"
#include "fields/waits.h"
#include "hist/cross_private.h"
#include "perfdata/wall.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

enum { SITE_DSO, SITE_VADDR, SITE_TYPE, SITE_OFFSET, SITE_HOW, SITE_WORDS };
enum { FRAME_PARENT, FRAME_FUNCTION, FRAME_TEXT, FRAME_DSO, FRAME_WORDS };
#define FUNCTION_NONE UINT64_MAX /* of a frame without code; its text is the state */
#define FUNCTION_NAMED                                                                             \
	(UINT64_MAX - 1) /* of two builds: its text is what their names have in common */
#define FUNCTION_INLINED (UINT64_MAX - 2) /* likewise */

static void set_defaults(struct cross_limits *limits)
{
	static const struct cross_limits defaults = {
		.frames = 10000,
		.sites = 5000,
		.values = 1000,
		.groups = 12000,
		.slices = 1024,
		.moments = 60000,
	};

	limits->frames = limits->frames ?: defaults.frames;
	limits->sites = limits->sites ?: defaults.sites;
	limits->values = limits->values ?: defaults.values;
	limits->groups = limits->groups ?: defaults.groups;
	limits->slices = limits->slices ?: defaults.slices;
	limits->moments = limits->moments ?: defaults.moments;
}

static void free_array(gpointer array)
{
	g_array_unref(array);
}

struct cross *cross_new(const struct cross_options *options)
{
	static const u64 root[FRAME_WORDS] = { UINT64_MAX };
	static const u64 others[SITE_WORDS] = { UINT64_MAX };
	struct cross *c = g_new0(struct cross, 1);
	struct cross_own *own = c->own = g_new0(struct cross_own, 1);
	const struct cross_site no_site = { 0 };
	const struct cross_frame no_frame = { 0 };

	c->options = *options;
	set_defaults(&c->options.limits);
	c->needs = NEED_SYMBOL | NEED_CHAIN | NEED_DATA_TYPE | NEED_THREAD | NEED_SAMPLE;
	c->needs |= options->no_inline ? 0 : NEED_INLINE;
	for (u32 i = 0; i < options->fields->len; i++)
		c->needs |= ((const struct field *)options->fields->pdata[i])->needs;
	own->frames = tuples_new(FRAME_WORDS);
	own->frame_list = g_array_new(FALSE, FALSE, sizeof(struct cross_frame));
	own->known = g_ptr_array_new_with_free_func(free_array);
	own->sites = tuples_new(SITE_WORDS);
	own->site_list = g_array_new(FALSE, FALSE, sizeof(struct cross_site));
	own->groups = tuples_new(GROUP_KEYS + options->fields->len);
	own->sums = g_array_new(FALSE, TRUE, sizeof(struct cross_sums));
	own->words = g_new0(u64, GROUP_KEYS + options->fields->len);
	moments_init(&own->now);
	moments_init(&own->before);
	tuples_id(own->frames, root);
	g_array_append_val(own->frame_list, no_frame);
	tuples_id(own->sites, others);
	g_array_append_val(own->site_list, no_site);
	c->frames = g_array_new(FALSE, TRUE, sizeof(struct cross_frame));
	c->sites = g_array_new(FALSE, TRUE, sizeof(struct cross_site));
	c->values = g_ptr_array_new_with_free_func(free_array);
	c->groups = g_array_new(FALSE, TRUE, sizeof(struct cross_group));
	c->group_values = g_array_new(FALSE, TRUE, sizeof(u32));
	c->now.moments = g_array_new(FALSE, TRUE, sizeof(struct cross_moment));
	c->before.moments = g_array_new(FALSE, TRUE, sizeof(struct cross_moment));
	return c;
}

void cross_free(struct cross *c)
{
	struct cross_own *own;

	if (!c)
		return;
	own = c->own;
	tuples_free(own->frames);
	tuples_free(own->sites);
	tuples_free(own->groups);
	g_array_unref(own->frame_list);
	g_array_unref(own->site_list);
	g_array_unref(own->sums);
	g_ptr_array_unref(own->known);
	moments_release(&own->now);
	moments_release(&own->before);
	g_free(own->words);
	g_free(own);
	g_array_unref(c->frames);
	g_array_unref(c->sites);
	g_ptr_array_unref(c->values);
	g_array_unref(c->groups);
	g_array_unref(c->group_values);
	g_array_unref(c->now.moments);
	g_array_unref(c->before.moments);
	g_free(c);
}

/* Objects with the same name are one, also in different recordings. */
static u32 dso_number(const struct cross *c, const struct dso *dso)
{
	return intern_id(c->options.lexicon->texts, dso_long_name(dso));
}

static u32 frame_number(struct cross_own *own, const u64 *words, const struct cross_frame *frame)
{
	u32 id = tuples_id(own->frames, words);

	if (id == own->frame_list->len)
		g_array_append_val(own->frame_list, *frame);
	return id;
}

/* Two builds: their functions have different numbers, and may be in files of other names. */
static u32 frame_compared(struct cross *c, u32 parent, const struct code *code)
{
	const char *name = code_name(code);
	g_autofree char *identity = name ? identity_function(name) : NULL;
	const u64 words[FRAME_WORDS] = {
		[FRAME_PARENT] = parent,
		[FRAME_FUNCTION] = name ? code->inlined ? FUNCTION_INLINED : FUNCTION_NAMED : 0,
		[FRAME_TEXT] =
			intern_id(c->options.lexicon->texts, identity	 ? identity
							     : code->dso ? dso_short_name(code->dso)
									 : NULL),
	};

	return frame_number(c->own, words, &(struct cross_frame){ .code = code });
}

static u32 frame_below(struct cross *c, u32 parent, const struct code *code)
{
	bool named = code->inlined || code->symbol;
	const u64 words[FRAME_WORDS] = {
		[FRAME_PARENT] = parent,
		/* All addresses without a symbol in an object are one frame. */
		[FRAME_FUNCTION] = named ? code->function : 0,
		[FRAME_TEXT] = intern_id(c->options.lexicon->texts, code->inlined),
		[FRAME_DSO] = named || !code->dso ? 0 : dso_number(c, code->dso),
	};

	if (c->options.compared)
		return frame_compared(c, parent, code);
	return frame_number(c->own, words, &(struct cross_frame){ .code = code });
}

/* The state of a thread whose call chain the event @place should have, but has not; NULL: nothing is missing. */
static const char *state_without_chain(const struct place *place)
{
	struct wait wait;
	u32 frames = 0;

	if (!(place->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN) ||
	    !wait_of(place->evsel, place->sample, &wait))
		return NULL;
	for (u32 i = 0; i < place->nr_chain; i++)
		frames += !place->chain[i]->inlined;
	return frames > 1 ? NULL : wait_state_name((enum wall_state)wait.raw.state);
}

static u32 frame_of_state(struct cross *c, const char *state)
{
	const u64 words[FRAME_WORDS] = { [FRAME_FUNCTION] = FUNCTION_NONE,
					 [FRAME_TEXT] =
						 intern_id(c->options.lexicon->texts, state) };

	return frame_number(c->own, words, &(struct cross_frame){ .state = state });
}

/* The slot for the frames of a chain that was seen before; NULL: the place has no chain number. */
static u32 *known_chain(struct cross *c, const struct place *place)
{
	u32 file = session_index(place->session);
	GArray *known;

	if (!place->chain_id)
		return NULL;
	while (c->own->known->len <= file)
		g_ptr_array_add(c->own->known, g_array_new(FALSE, TRUE, sizeof(u32)));
	known = c->own->known->pdata[file];
	if (known->len <= place->chain_id)
		g_array_set_size(known, place->chain_id + 1);
	return &g_array_index(known, u32, place->chain_id);
}

static u32 frame_of(struct cross *c, const struct place *place)
{
	const char *state = state_without_chain(place);
	u32 *known = state ? NULL : known_chain(c, place), frame = 0;

	if (known && *known)
		return *known - 1;
	if (state)
		frame = frame_of_state(c, state);
	for (u32 i = place->nr_chain; i--;)
		frame = frame_below(c, frame, place->chain[i]);
	if (!place->nr_chain)
		frame = frame_below(c, frame, place->ip);
	if (known)
		*known = frame + 1;
	return frame;
}

static u32 site_of(struct cross *c, const struct place *place)
{
	const struct code *ip = place->ip;
	struct cross_site site = { .code = ip };
	u64 words[SITE_WORDS] = { ip->dso ? dso_number(c, ip->dso) : 0, ip->vaddr };
	u32 id;

	if (place->access)
		site.access = *place->access;
	words[SITE_TYPE] = (uintptr_t)site.access.type;
	words[SITE_OFFSET] = (u64)site.access.offset;
	words[SITE_HOW] = (u64)site.access.how << 8 | site.access.why;
	id = tuples_id(c->own->sites, words);
	if (id == c->own->site_list->len)
		g_array_append_val(c->own->site_list, site);
	return id;
}

/* A wait lasted for its period, up to the sample's time. Other samples are instants. */
static u64 length_of(const struct place *place)
{
	u64 ns = wall_is_stretch(place->evsel->name) ? place->sample->period : 0;

	return ns <= place->time ? ns : 0;
}

void cross_take(struct cross *c, const struct place *place, u32 filtered)
{
	struct cross_own *own = c->own;
	struct lexicon *lexicon = c->options.lexicon;
	const struct cross_sum sum = { 1, c->options.memory
						  ? evsel_weight(place->evsel, place->sample)
						  : evsel_period(place->evsel, place->sample) };
	u64 time = place->time + (u64)place->to_wall;
	bool before = session_index(place->session) >= c->options.nr_files;
	struct cross_sums *sums;
	u32 group;

	if (filtered || (c->options.no_unresolved && !place->ip->symbol))
		return;
	own->words[GROUP_EVENT] = intern_id(lexicon->texts, place->evsel->name);
	own->words[GROUP_FRAME] = frame_of(c, place);
	own->words[GROUP_SITE] = site_of(c, place);
	for (u32 i = 0; i < c->options.fields->len; i++) {
		const struct field *field = c->options.fields->pdata[i];

		own->words[GROUP_KEYS + i] = field->key(field, lexicon, place);
	}
	group = tuples_id(own->groups, own->words);
	if (group == own->sums->len)
		g_array_set_size(own->sums, group + 1);
	sums = &g_array_index(own->sums, struct cross_sums, group);
	cross_sum_add(before ? &sums->before : &sums->now, &sum);
	moments_add(before ? &own->before : &own->now, group, time - length_of(place), time, &sum,
		    &c->options.limits);
}
