// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf advise: other layouts of data types. `perf advise` shows them, as perf annotate --advise does; `perf advise try` builds a program
 * with one of them and measures whether it is faster.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/config.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "options/config_keys.h"
#include "options/session_options.h"
#include "options/type_options.h"
#include "pages/code/advice_pages.h"
#include "pages/code/annotator.h"
#include "trial/proposal.h"
#include "trial/trial.h"

#define FEWEST_RUNS  3u
#define MOST_UNASKED (1ull << 30) /* bytes of the current folder that are copied without --tree */
#define MOST_RUNS    10000u

struct try_options {
	struct session_options session;
	struct type_options types;
	const char *data_type, *proposal, *tree, *build;
	bool keep, quiet, show;
	u64 runs;
	char **command;
};

#define AT(member) offsetof(struct try_options, member)

static const struct option_row rows[] = {
	{ 'i', "input", OPT_STRING, "file", "input file name", AT(session.input) },
	{ 'q', "quiet", OPT_FLAG, NULL, "no progress", AT(quiet) },
	{ 0, "build", OPT_STRING, "command",
	  "how the program is built, in the folder of the tree (default: make)", AT(build) },
	{ 0, "data-type", OPT_STRING, "name",
	  "the type (default: that with the first proposal, of those that the tree declares)",
	  AT(data_type) },
	{ 0, "diff", OPT_FLAG, NULL, "print the change of the source and try nothing", AT(show) },
	{ 0, "keep", OPT_FLAG, NULL, "do not remove the copies of the tree", AT(keep) },
	{ 0, "proposal", OPT_STRING, "kind",
	  "reorder, close or align (default: the first that is proposed)", AT(proposal) },
	{ 0, "runs", OPT_U64, "n", "how often each program runs (default: 10)", AT(runs) },
	{ 0, "tree", OPT_STRING, "folder", "the folder of the sources (default: the current one)",
	  AT(tree) },
	TYPE_OPTION_ROWS(AT(types)),
};

static const char *const usage[] = { "perf advise [<annotate options>]",
				     "perf advise try [<options>] [--] <command>", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static const struct config_row config_rows[] = {
	{ "report.skid", CONFIG_STRING, AT(types.skid_text) },
	READER_CONFIG_ROWS,
};

/* A proposal, and the file of the tree that declares its type. */
struct chosen {
	const struct advice_list *list;
	const struct advice *advice;
	char *file; /* NULL: it is not in the tree */
};

/* The first proposal of the wanted kind that changes a declaration only; NULL: the page has none. */
static const struct advice *first_of(const struct advice_list *list, s32 at, const char *kind_word)
{
	enum advice_kind kind = 0;
	const struct advice *a = at < 0 ? NULL : advice_at(list, (u32)at);

	if (!a || !advice_applies(a->kind))
		return NULL;
	return !kind_word || (advice_kind_parse(kind_word, &kind) && a->kind == kind) ? a : NULL;
}

static bool nothing_chosen(const struct try_options *o, const struct pages *pages,
			   const char *nothing, GError **error)
{
	if (!pages->nr && o->data_type)
		return error_set(error, PERF_ERROR_ABSENT,
				 "no sample touches a data type called '%s'", o->data_type);
	return error_set(error, PERF_ERROR_ABSENT,
			 "there is no such proposal%s%s: perf advise shows those there are",
			 nothing ? ": " : "", nothing ?: "");
}

/*
 * The first proposal for a type that the tree declares: a type of the kernel or of a library may have more of the time. Says which one was
 * left for it.
 */
static bool choose(const struct try_options *o, const char *tree, struct pages *pages,
		   struct chosen *chosen, GError **error)
{
	const char *nothing = NULL;
	struct chosen left = { NULL };

	for (u32 i = 0; i < pages->nr && !chosen->file; i++) {
		s32 at;

		chosen->list = advice_pages_list(pages, i, &at);
		nothing = chosen->list->nothing;
		chosen->advice = first_of(chosen->list, at, o->proposal);
		if (chosen->advice && chosen->list->declared.file)
			chosen->file = proposal_file(tree, chosen->list->declared.file);
		if (chosen->advice && !left.advice)
			left = *chosen;
	}
	if (!left.advice)
		return nothing_chosen(o, pages, nothing, error);
	if (!chosen->file)
		return error_set(
			error, PERF_ERROR_ABSENT,
			"%s, which declares %s, is not in %s: --tree=FOLDER names the sources",
			left.list->declared.file ?: "the file",
			type_shown_name(left.list->parts.type), tree);
	if (chosen->list != left.list && !o->quiet)
		fprintf(stderr,
			"%s has the first proposal, but is not declared in %s: %s is tried\n",
			type_shown_name(left.list->parts.type), tree,
			type_shown_name(chosen->list->parts.type));
	return true;
}

static void say_measure(const struct trial_result *r, u32 which, const char *name)
{
	const struct trial_measure *m = &r->measures[which];

	printf("  measured:  %5.1f %% %s (95 %%: %.1f to %.1f), %s: %.3f s before, %.3f s after\n",
	       100 * fabs(m->saved), m->saved < 0 ? "more" : "less", 100 * m->low, 100 * m->high,
	       name, m->before, m->after);
}

/* One sentence that can be acted on. */
static const char *verdict(const struct trial_measure *m)
{
	if (m->low > 0)
		return "faster";
	return m->high < 0 ? "slower" : "no difference that is certain";
}

/* Of what the event counts, which need not be time. */
static void say_prediction(const struct advice_list *list, const struct advice *a)
{
	bool time = list->unit == ADVICE_TIME;

	if (list->unit == ADVICE_NEITHER) {
		printf("  predicted: fewer bytes\n");
		return;
	}
	printf("  predicted: %5.1f %% less%s%s (%.1f to %.1f)", 100 * a->saved, time ? "" : " ",
	       time ? "" : list->event, 100 * MAX(a->low, 0), 100 * a->high);
	if (time)
		printf(", or %.1f %% if each line took as long as the first", 100 * a->most);
	putchar('\n');
}

static void say(const struct advice_list *list, const struct advice *a,
		const struct trial_result *r)
{
	printf("%s, %s: %s\n", type_shown_name(list->parts.type), advice_kind_word(a->kind),
	       verdict(&r->measures[TRIAL_CLOCK]));
	say_prediction(list, a);
	say_measure(r, TRIAL_CLOCK, "time");
	say_measure(r, TRIAL_CPU, "CPU time");
	printf("  %u runs of each program, by turns\n", r->pairs);
	if (!r->same_output)
		printf("  the two programs print different output: look for code that relies on "
		       "the "
		       "order of members\n");
	if (r->kept)
		printf("  the copies are in %s\n", r->kept);
}

/* So that a key that ends the run does not leave the copies behind: the child ends, and its status says why. */
static void on_interrupt(int number)
{
}

static bool try_proposal(const struct try_options *o, const char *tree, const struct chosen *chosen,
			 GError **error)
{
	g_autofree char *text =
		proposal_text(tree, chosen->file, chosen->list, chosen->advice, error);
	struct trial_options options = { .tree = tree,
					 .most = o->tree ? UINT64_MAX : MOST_UNASKED,
					 .file = chosen->file,
					 .text = text,
					 .build = o->build ?: "make",
					 .command = (const char *const *)o->command,
					 .runs = (u32)o->runs,
					 .keep = o->keep,
					 .progress = o->quiet || !isatty(STDERR_FILENO) ? NULL
											: stderr };
	struct trial_result result;

	if (!text)
		return false;
	if (o->show) {
		fputs(text, stdout);
		return true;
	}
	signal(SIGINT, on_interrupt);
	if (!trial_run(&options, &result, error))
		return false;
	say(chosen->list, chosen->advice, &result);
	trial_result_release(&result);
	return true;
}

static bool run(const struct try_options *o, GError **error)
{
	g_autofree char *tree = realpath(o->tree ?: ".", NULL);
	struct annotator_options options = {
		.look = { .before = o->types.skid != SKID_SAMPLED, .pattern = o->data_type },
	};
	struct chosen chosen = { NULL };
	struct annotator *annotator;
	struct session *session;
	struct pages *pages;
	bool ok;

	if (!tree)
		return error_set_errno(error, errno, "%s", o->tree ?: "the current folder");
	session = options.session = session_open(&o->session, error);
	if (!session)
		return false;
	annotator = annotator_new(&options);
	pages = annotator_advice(annotator, error);
	ok = pages && choose(o, tree, pages, &chosen, error) &&
	     try_proposal(o, tree, &chosen, error);
	if (pages)
		pages_free(pages);
	g_free(chosen.file);
	annotator_free(annotator);
	session_close(session);
	return ok;
}

static int complete(struct try_options *o, int argc, char **argv)
{
	g_autoptr(GError) wrong = NULL;
	enum advice_kind kind;

	if (!argc && !o->show)
		return options_wrong(&spec, "give the command to run");
	if (o->proposal && (!advice_kind_parse(o->proposal, &kind) || !advice_applies(kind)))
		return options_wrong(&spec, "--proposal: expected reorder, close or align");
	if (o->runs < FEWEST_RUNS || o->runs > MOST_RUNS)
		return options_wrong(&spec, "--runs: expected a number from %u to %u", FEWEST_RUNS,
				     MOST_RUNS);
	if (!type_options_parse(&o->types, false, &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	o->command = argv;
	o->session.type_min = o->types.min;
	o->session.skid = o->types.skid;
	o->session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	o->session.show_progress = !o->quiet;
	return 0;
}

static int try_run(const struct config *config, int argc, char **argv)
{
	struct try_options o = { .runs = 10 };
	g_autoptr(GError) error = NULL;
	int status;

	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), &o))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&spec, &argc, &argv, &o, &status))
		return status;
	status = complete(&o, argc, argv);
	if (status)
		return status;
	if (run(&o, &error))
		return 0;
	fprintf(stderr, "%s\n", error->message);
	return 255;
}

/* As perf annotate --data-type --advise. */
static int show_run(const struct config *config, int argc, char **argv)
{
	g_autofree char **words = g_new0(char *, (size_t)argc + 2);

	words[0] = (char *)"annotate";
	words[1] = (char *)"--advise";
	for (int i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	return cmd_annotate.run(config, argc + 1, words);
}

/* Questions about options are answered with those of try: the others are perf annotate's. */
static bool asks_options(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "--list-opts");
}

static int advise_run(const struct config *config, int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "try"))
		return try_run(config, argc - 1, argv + 1);
	if (argc > 1 && asks_options(argv[1]))
		return try_run(config, argc, argv);
	return show_run(config, argc, argv);
}

const struct command cmd_advise = {
	"advise", "Propose other layouts of data types, and measure whether they are faster",
	advise_run
};
