/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf c2c report that are about what events of hardware state: upstream's. */
#ifndef CMD_C2C_HITM_CHOICE_H
#define CMD_C2C_HITM_CHOICE_H

#include "cli/options.h"
#include "sharing/hitm.h"

struct hitm_choice {
	const char *display, *coalesce; /* NULL: the default */
	int node_info;
	bool counts_only, all, no_source;
};

/* clang-format off */
#define HITM_OPTION_ROWS(at)                                                                       \
	{ 'c', "coalesce", OPT_STRING, "pid,tid,iaddr,dso",                                        \
	  "what makes rows of a cache line, besides the offset (default: iaddr)",                  \
	  at + offsetof(struct hitm_choice, coalesce) },                                           \
	{ 'd', "display", OPT_STRING, "tot,lcl,rmt,peer",                                          \
	  "which hits in other caches sort cache lines: HITM, local, remote; hits of peers",       \
	  at + offsetof(struct hitm_choice, display) },                                            \
	{ 'N', "node-info", OPT_COUNT, NULL, "shares of NUMA nodes; twice: their CPUs",            \
	  at + offsetof(struct hitm_choice, node_info) },                                          \
	{ 0, "no-source", OPT_FLAG, NULL, "leave source lines out",                                \
	  at + offsetof(struct hitm_choice, no_source) },                                          \
	{ 0, "show-all", OPT_FLAG, NULL, "cache lines without such hits, too",                     \
	  at + offsetof(struct hitm_choice, all) },                                                \
	{ 0, "stats", OPT_FLAG, NULL, "only the counts of accesses",                               \
	  at + offsetof(struct hitm_choice, counts_only) }
/* clang-format on */

/* Some of the options was given. */
bool hitm_choice_given(const struct hitm_choice *choice);

/* Sets all of @out but line_size. @arch: of the recorded machine; NULL: not known. False with an error: an unknown word. */
bool hitm_choice_parse(const struct hitm_choice *choice, const char *arch, struct hitm_options *out,
		       GError **error);

#endif
