/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of configuration files that several commands share: rows for their tables ("cli/config.h").
 */
#ifndef OPTIONS_CONFIG_KEYS_H
#define OPTIONS_CONFIG_KEYS_H

#include "cli/config.h"
#include "hist/chain.h"

/* Parses a key of call-graph.* into the struct chain_options at row->offset. */
bool chain_config_take(const struct config_row *row, const char *value, void *opts, GError **error);

#define CHAIN_CONFIG_ROWS(at)                                                                      \
	{ "call-graph.print-type", CONFIG_CALL, at, chain_config_take },                           \
		{ "call-graph.order", CONFIG_CALL, at, chain_config_take },                        \
		{ "call-graph.sort-key", CONFIG_CALL, at, chain_config_take },                     \
		{ "call-graph.threshold", CONFIG_CALL, at, chain_config_take },                    \
		{ "call-graph.print-limit", CONFIG_CALL, at, chain_config_take },                  \
		{ "call-graph.record-mode", CONFIG_UNUSED, .why = "it is for perf record" },       \
	{                                                                                          \
		"call-graph.dump-size", CONFIG_UNUSED, .why = "it is for perf record"              \
	}

#define CONFIG_NO_BROWSER   "it is about browsing on the terminal, and views are plain text"
#define CONFIG_NO_ADDR2LINE "source lines are read without addr2line"
#define CONFIG_NO_OBJDUMP   "instructions are decoded without another program"

/* For commands that read recordings: upstream's keys without effect here. */
#define READER_CONFIG_ROWS                                                                         \
	{ "addr2line.style", CONFIG_UNUSED, .why = CONFIG_NO_ADDR2LINE },                          \
		{ "annotate.addr2line", CONFIG_UNUSED, .why = CONFIG_NO_ADDR2LINE },               \
		{ "annotate.disassembler_style", CONFIG_UNUSED, .why = CONFIG_NO_OBJDUMP },        \
		{ "annotate.disassemblers", CONFIG_UNUSED, .why = CONFIG_NO_OBJDUMP },             \
		{ "annotate.jump_arrows", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },               \
		{ "annotate.objdump", CONFIG_UNUSED, .why = CONFIG_NO_OBJDUMP },                   \
		{ "annotate.offset_level", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },              \
		{ "annotate.show_linenr", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },               \
		{ "annotate.show_nr_jumps", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },             \
		{ "annotate.use_offset", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                \
		{ "colors.*", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                           \
		{ "core.addr2line-disable-warn", CONFIG_UNUSED, .why = CONFIG_NO_ADDR2LINE },      \
		{ "core.addr2line-timeout", CONFIG_UNUSED, .why = CONFIG_NO_ADDR2LINE },           \
		{ "core.proc-map-timeout", CONFIG_UNUSED, .why = "it is for perf record" },        \
		{ "gtk.*", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                              \
		{ "samples.context", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                    \
		{ "tui.*", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                              \
		{ "ui.*", CONFIG_UNUSED, .why = CONFIG_NO_BROWSER },                               \
	{                                                                                          \
		"unwind.style", CONFIG_UNUSED, .why = "call chains are read as they were recorded" \
	}

#endif
