// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the type that the analysis finds for instructions, and the derivation:
 *
 *   type_of PROGRAM VADDR...      one line each: the result, or why there is none; then, indented by a tab, the steps
 *   type_of -r PROGRAM VADDR...   one line each: the rank of the answer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dso/dsos.h"
#include "typeflow/typeflow.h"

static void print_step(void *data, u64 vaddr, const char *text)
{
	printf("\t%lx: %s\n", (unsigned long)vaddr, text);
}

static const char *rank_text(const struct access *access)
{
	static const char *const texts[] = { "inferred", "flow", "variable" };
	enum access_rank rank;

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		if (access_rank_parse(texts[i], &rank) && rank == access_rank(access))
			return texts[i];
	return "";
}

int main(int argc, char **argv)
{
	const struct explain_sink sink = { print_step, NULL };
	bool ranks = argc > 1 && !strcmp(argv[1], "-r");
	struct typeflow *flow;
	struct dsos *dsos;
	struct dso *dso;

	if (ranks) {
		argc--;
		argv++;
	}
	if (argc < 3)
		return 2;
	dsos = dsos_new(&(struct dso_options){ 0 });
	dso = dsos_get(dsos, argv[1], NULL, 0, DSO_USER);
	flow = typeflow_new(FUSION_NONE, NULL);
	for (int i = 2; i < argc; i++) {
		u64 vaddr = strtoull(argv[i], NULL, 16);
		struct access access;

		typeflow_lookup(flow, dso, vaddr, &access);
		if (ranks) {
			printf("%lx %s\n", (unsigned long)vaddr, rank_text(&access));
			continue;
		}
		printf("%lx %s\n", (unsigned long)vaddr,
		       access.how ? access_how_text(access.how) : access_why_text(access.why));
		typeflow_explain(flow, dso, vaddr, &sink);
	}
	typeflow_free(flow);
	dsos_free(dsos);
	return 0;
}
