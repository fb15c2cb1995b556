// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modifiers choose the levels at which an event counts. Without any, everything counts except
 * guests. There are two kinds: u, k, h, and G, H. The first letter of a kind switches all levels of
 * that kind off; then each letter switches its own level on. Example: "u" counts user mode only,
 * "uk" user and kernel mode. The modifiers of a group are applied on top of those of its events.
 */
#include <string.h>

#include "perfevent/parser.h"

bool modifiers_check(const char *text, size_t len, const char **bad)
{
	static const char letters[] = "ukhGHpPSDWeI";
	u32 seen[sizeof(letters)] = { 0 };

	for (size_t i = 0; i < len; i++) {
		const char *known = strchr(letters, text[i]);
		u32 most = text[i] == 'p' ? 3 : 1;

		if (!text[i] || !known || ++seen[known - letters] > most) {
			*bad = text + i;
			return false;
		}
	}
	return true;
}

static void exclude_levels(struct perf_event_attr *attr)
{
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv)
		return;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
}

static void exclude_worlds(struct event_spec *spec)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	if (spec->levels_given)
		return;
	attr->exclude_guest = attr->exclude_host = 1;
	spec->levels_given = true;
}

static void apply_letter(char letter, struct event_spec *spec)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	switch (letter) {
	case 'u':
		exclude_levels(attr);
		attr->exclude_user = 0;
		if (!spec->levels_given)
			attr->exclude_guest = 1;
		break;
	case 'k':
		exclude_levels(attr);
		attr->exclude_kernel = 0;
		break;
	case 'h':
		exclude_levels(attr);
		attr->exclude_hv = 0;
		break;
	case 'G':
		exclude_worlds(spec);
		attr->exclude_guest = 0;
		break;
	case 'H':
		exclude_worlds(spec);
		attr->exclude_host = 0;
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'p':
		attr->precise_ip++;
		if (!spec->levels_given)
			attr->exclude_guest = 1;
		break;
	case 'P':
		attr->precise_ip = 3;
		spec->max_precise = true;
		break;
	case 'S':
		spec->sample_read = true;
		break;
	case 'W':
		spec->weak = true;
		break;
	}
}

void modifiers_apply(const struct modifiers *m, struct event_spec *spec, bool to_group)
{
	struct perf_event_attr *attr = &spec->evsel->attr;
	bool leads = spec->evsel->leader == spec->evsel->idx;

	if (!m->len)
		return;
	if (!to_group)
		attr->exclude_guest = attr->exclude_host = 0;
	if (memchr(m->text, 'p', m->len) || memchr(m->text, 'P', m->len))
		attr->precise_ip = 0;
	for (size_t i = 0; i < m->len; i++)
		apply_letter(m->text[i], spec);
	/* Only a leader can be asked to be on the PMU always, or alone. */
	if (leads && memchr(m->text, 'D', m->len))
		attr->pinned = 1;
	if (leads && memchr(m->text, 'e', m->len))
		attr->exclusive = 1;
}
