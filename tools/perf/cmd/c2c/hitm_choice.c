// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/c2c/hitm_choice.h"

#include <string.h>

#include "base/error.h"

struct hitm_word {
	const char *name;
	u32 value;
};

static bool find_word(const struct hitm_word *words, u32 nr, const char *name, u32 *value)
{
	for (u32 i = 0; i < nr; i++) {
		if (strcmp(words[i].name, name) != 0)
			continue;
		*value = words[i].value;
		return true;
	}
	return false;
}

bool hitm_choice_given(const struct hitm_choice *c)
{
	return c->display || c->coalesce || c->node_info || c->counts_only || c->all ||
	       c->no_source;
}

static bool parse_display(const struct hitm_choice *c, const char *arch, u32 *display,
			  GError **error)
{
	static const struct hitm_word words[] = {
		{ "tot", HITM_BY_TOTAL },
		{ "lcl", HITM_BY_LOCAL },
		{ "rmt", HITM_BY_REMOTE },
		{ "peer", HITM_BY_PEER },
	};

	/* Arm's hardware does not state HITM. */
	*display = !g_strcmp0(arch, "aarch64") || !g_strcmp0(arch, "arm64") ? HITM_BY_PEER
									    : HITM_BY_TOTAL;
	if (!c->display || find_word(words, ARRAY_SIZE(words), c->display, display))
		return true;
	return error_set(error, PERF_ERROR_USAGE,
			 "--display: '%s': expected one of: tot lcl rmt peer", c->display);
}

static bool parse_coalesce(const struct hitm_choice *c, u32 *bits, GError **error)
{
	static const struct hitm_word words[] = {
		{ "pid", HITM_OF_PID },
		{ "tid", HITM_OF_TID },
		{ "iaddr", HITM_OF_CODE },
		{ "dso", HITM_OF_DSO },
	};
	g_auto(GStrv) names = g_strsplit(c->coalesce ?: "iaddr", ",", -1);

	*bits = 0;
	for (u32 i = 0; names[i]; i++) {
		u32 bit = 0;

		if (!find_word(words, ARRAY_SIZE(words), names[i], &bit))
			return error_set(error, PERF_ERROR_USAGE,
					 "--coalesce: '%s': expected some of: pid tid iaddr dso",
					 names[i]);
		*bits |= bit;
	}
	return true;
}

bool hitm_choice_parse(const struct hitm_choice *c, const char *arch, struct hitm_options *out,
		       GError **error)
{
	u32 display;

	if (!parse_display(c, arch, &display, error) || !parse_coalesce(c, &out->coalesce, error))
		return false;
	out->display = display;
	out->all = c->all;
	out->sources = !c->no_source && out->coalesce & HITM_OF_CODE;
	return true;
}
