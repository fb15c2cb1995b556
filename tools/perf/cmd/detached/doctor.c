// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf doctor: what will be kept of a crash, what will not, and what changes it. And which instruction samples name
 * on this machine.
 */
#include <signal.h>
#include <stdio.h>

#include "base/text.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "detached/diagnosis.h"
#include "perfevent/slow_loop.h"
#include "record/skid_kept.h"

struct doctor_words {
	int pid;
};

static const struct option_row rows[] = {
	{ 'p', "pid", OPT_INT, "pid",
	  "check this process (default: programs that this shell starts)",
	  offsetof(struct doctor_words, pid) },
};
static const char *const usage[] = { "perf doctor [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

/* Events that this machine does not have, or does not permit, have no line. */
static bool check_skid(const char *machine, enum skid_kind kind)
{
	g_autofree char *sentence = NULL;
	struct skid_measure m;
	enum skid_place place;
	bool fine;

	if (!slow_loop_measure(kind, kernel_paths_host(), NULL, &m, NULL))
		return true;
	sentence = skid_measure_sentence(&m);
	place = skid_measure_place(&m);
	fine = place == SKID_AT || place == SKID_AFTER;
	printf("%-4s skid: %s: %s\n", fine ? "ok" : "no", skid_kind_name(kind), sentence);
	if (place != SKID_UNKNOWN)
		skid_kept_put(machine, kind, &m);
	return fine;
}

static int check_all_skid(void)
{
	struct perfdata_info *host = perfdata_info_of_host();
	g_autofree char *machine = skid_kept_machine(host);
	int nr = 0;

	perfdata_info_free(host);
	for (enum skid_kind kind = 0; kind < NR_SKID_KINDS; kind++)
		nr += !check_skid(machine, kind);
	return nr;
}

static int doctor_run(const struct config *config, int argc, char **argv)
{
	struct doctor_words words = { 0 };
	g_autoptr(GPtrArray) all = NULL;
	int status, nr = 0;

	if (!options_parse(&spec, &argc, &argv, &words, &status))
		return status;
	if (words.pid < 0 || (words.pid && kill(words.pid, 0))) {
		fprintf(stderr, "perf: process %d does not exist, or belongs to another user\n",
			words.pid);
		return 1;
	}
	all = diagnose(words.pid);
	for (u32 i = 0; i < all->len; i++) {
		const struct finding *f = g_ptr_array_index(all, i);
		g_autofree char *value = text_shown(f->value);

		printf("%-4s %s: %s: %s\n", f->fine ? "ok" : "no", f->what, value, f->effect);
		if (f->command)
			printf("       %s\n", f->command);
		nr += !f->fine;
	}
	if (!words.pid)
		nr += check_all_skid();
	return nr ? 1 : 0;
}

const struct command cmd_doctor = {
	"doctor", "Show what will be kept of a crash, and which instruction samples name",
	doctor_run
};
