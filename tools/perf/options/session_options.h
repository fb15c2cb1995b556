/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of report, annotate, script and top that fill a struct session_options, which is at @at of the command's
 * options. Letters differ between the commands, as in upstream: 0 for none.
 */
#ifndef OPTIONS_SESSION_OPTIONS_H
#define OPTIONS_SESSION_OPTIONS_H

#include "cli/options.h"
#include "session/session.h"

#define SESSION_AT(at, member) ((at) + offsetof(struct session_options, member))

/* Names of symbols, for live recordings, too. */
#define DEMANGLE_KERNEL_OPTION_ROW(at)                                                             \
	{                                                                                          \
		0, "demangle-kernel", OPT_FLAG, NULL, "Enable kernel symbol demangling",           \
			SESSION_AT(at, dso.demangle_kernel)                                        \
	}
#define VMLINUX_OPTION_ROW(at)                                                                     \
	{                                                                                          \
		'k', "vmlinux", OPT_STRING, "file", "vmlinux pathname",                            \
			SESSION_AT(at, dso.vmlinux)                                                \
	}
#define IGNORE_VMLINUX_OPTION_ROW(at)                                                              \
	{                                                                                          \
		0, "ignore-vmlinux", OPT_FLAG, NULL, "don't load vmlinux even if found",           \
			SESSION_AT(at, dso.no_vmlinux)                                             \
	}
#define KALLSYMS_OPTION_ROW(at)                                                                    \
	{                                                                                          \
		0, "kallsyms", OPT_STRING, "file", "kallsyms pathname",                            \
			SESSION_AT(at, dso.kallsyms)                                               \
	}

/* How a recording is read. */
#define READING_OPTION_ROWS(at)                                                                    \
	{                                                                                          \
		'f',                                                                               \
		"force",                                                                           \
		OPT_FLAG,                                                                          \
		NULL,                                                                              \
		"read files of other owners, too",                                                 \
		SESSION_AT(at, force)                                                              \
	},                                                                                         \
		{ 0,                                                                               \
		  "symfs",                                                                         \
		  OPT_STRING,                                                                      \
		  "directory",                                                                     \
		  "Look for files with symbols relative to this directory",                        \
		  SESSION_AT(at, dso.symfs) },                                                     \
		{ 0,                                                                               \
		  "no-demangle",                                                                   \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "Disable symbol demangling",                                                     \
		  SESSION_AT(at, dso.no_demangle) },                                               \
		{ 0,                                                                               \
		  "threads",                                                                       \
		  OPT_INT,                                                                         \
		  "n",                                                                             \
		  "Read with this many threads (default: one per CPU)",                            \
		  SESSION_AT(at, threads) },                                                       \
		VMLINUX_OPTION_ROW(at), DEMANGLE_KERNEL_OPTION_ROW(at)

/* Which samples count. */
#define CPU_FILTER_ROW(at)                                                                         \
	{                                                                                          \
		'C', "cpu", OPT_STRING, "cpu", "list of cpus to profile",                          \
			SESSION_AT(at, filter.cpus)                                                \
	}
#define DSOS_FILTER_ROW(at, letter)                                                                \
	{                                                                                          \
		letter, "dsos", OPT_STRING, "dso[,dso...]", "only consider symbols in these dsos", \
			SESSION_AT(at, filter.dsos)                                                \
	}
#define CODE_FILTER_ROWS(at, comms_letter, dsos_letter, symbols_letter)                            \
	{ comms_letter,                                                                            \
	  "comms",                                                                                 \
	  OPT_STRING,                                                                              \
	  "comm[,comm...]",                                                                        \
	  "only consider symbols in these comms",                                                  \
	  SESSION_AT(at, filter.comms) },                                                          \
		{ symbols_letter,                                                                  \
		  "symbols",                                                                       \
		  OPT_STRING,                                                                      \
		  "symbol[,symbol...]",                                                            \
		  "only consider these symbols",                                                   \
		  SESSION_AT(at, filter.symbols) },                                                \
		DSOS_FILTER_ROW(at, dsos_letter)
#define THREAD_FILTER_ROWS(at)                                                                     \
	{ 0,                                                                                       \
	  "pid",                                                                                   \
	  OPT_STRING,                                                                              \
	  "pid[,pid...]",                                                                          \
	  "only consider symbols in these pids",                                                   \
	  SESSION_AT(at, filter.pids) },                                                           \
		{ 0,                                                                               \
		  "tid",                                                                           \
		  OPT_STRING,                                                                      \
		  "tid[,tid...]",                                                                  \
		  "only consider symbols in these tids",                                           \
		  SESSION_AT(at, filter.tids) },                                                   \
	{                                                                                          \
		0, "time", OPT_STRING, "str", "Time span of interest (start,stop)",                \
			SESSION_AT(at, filter.time)                                                \
	}

#define SWITCH_OPTION_ROWS(at)                                                                     \
	{ 0,                                                                                       \
	  "switch-on",                                                                             \
	  OPT_STRING,                                                                              \
	  "event",                                                                                 \
	  "Consider samples after a sample of this event",                                         \
	  SESSION_AT(at, filter.switch_on) },                                                      \
		{ 0,                                                                               \
		  "switch-off",                                                                    \
		  OPT_STRING,                                                                      \
		  "event",                                                                         \
		  "Stop considering samples after a sample of this event",                         \
		  SESSION_AT(at, filter.switch_off) },                                             \
	{                                                                                          \
		0, "show-on-off-events", OPT_FLAG, NULL,                                           \
			"Consider the samples of --switch-on and --switch-off, too",               \
			SESSION_AT(at, filter.show_switches)                                       \
	}

#endif
