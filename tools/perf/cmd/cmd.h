/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One command of perf: cmd/NAME.c exports `const struct command cmd_NAME`, perf.c lists it.
 *
 * A command turns its words into const options, wires the stages together, and prints the
 * one line that a failure deserves. Everything else is in the rooms it wires.
 */
#ifndef PERF_CMD_H
#define PERF_CMD_H

struct config; /* "cli/config.h" */

struct command {
	const char *name;
	const char *summary; /* one line of `perf help` */
	/* argv[0] is the command's name; what @config says stands behind what they say. Returns the
	 * exit status. */
	int (*run)(const struct config *config, int argc, char **argv);
};

extern const struct command cmd_advise;
extern const struct command cmd_annotate;
extern const struct command cmd_archive;
extern const struct command cmd_buildid_cache;
extern const struct command cmd_buildid_list;
extern const struct command cmd_c2c;
extern const struct command cmd_check;
extern const struct command cmd_config;
extern const struct command cmd_core_handler;
extern const struct command cmd_data;
extern const struct command cmd_detached;
extern const struct command cmd_diff;
extern const struct command cmd_doctor;
extern const struct command cmd_evlist;
extern const struct command cmd_inject;
extern const struct command cmd_keep;
extern const struct command cmd_list;
extern const struct command cmd_mcp;
extern const struct command cmd_mem;
extern const struct command cmd_query;
extern const struct command cmd_record;
extern const struct command cmd_report;
extern const struct command cmd_script;
extern const struct command cmd_ship;
extern const struct command cmd_top;
extern const struct command cmd_stacktrace;
extern const struct command cmd_version;

#endif
