// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile of a session's files: which way they are read, and how often. */
#include "hist/profile_private.h"
#include "perfdata/read/reader.h"

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	profile_take(arg, place, filtered);
	return true;
}

static bool takes_samples(const struct profile *p)
{
	const GPtrArray *groups = p->options.columns->groups;

	for (u32 i = 0; i < groups->len; i++)
		if (((const struct field *)groups->pdata[i])->take)
			return true;
	return false;
}

static bool read_samples(struct profile *p, GError **error)
{
	if (!takes_samples(p) && session_can_feed(p->session, p->own->needs))
		return profile_feed(p, error);
	return session_each_sample(p->session, p->own->needs, take_sample, p, error);
}

/*
 * For recordings with more ids than rows are allowed. The rows should not go to the ids that came first. So one pass
 * weighs all ids, and the next pass gives the rows to the ids with the most time.
 */
static bool read_for_the_heaviest(struct profile *p, GError **error)
{
	u32 max_ids = p->options.wide ? p->lexicon->max_ids : p->max_rows;

	profile_make_empty(p);
	if (!profile_weigh_ids(p, error))
		return false;
	lexicon_keep_ids(p->lexicon, max_ids);
	p->max_rows *= ROWS_PER_ID;
	return read_samples(p, error);
}

bool profile_read(struct profile *p, GError **error)
{
	if (!read_samples(p, error))
		return false;
	if (p->folded_samples && !perfdata_is_pipe(session_perfdata(p->session)) &&
	    !read_for_the_heaviest(p, error))
		return false;
	profile_look(p);
	return true;
}
