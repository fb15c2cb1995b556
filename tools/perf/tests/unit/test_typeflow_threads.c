// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions are analysed by several threads: the answers are those of one, for who asks them all, and for later runs. */
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dwarf/debuginfo.h"
#include "dwarf/protos.h"
#include "have.h"
#include "programs.h"
#include "resolve/data.h"
#include "typeflow/typeflow.h"

static void assert_same(const struct access *got, const struct access *wanted)
{
	assert_int_equal(got->how, wanted->how);
	assert_int_equal(got->why, wanted->why);
	assert_int_equal(got->offset, wanted->offset);
	assert_int_equal(got->width, wanted->width);
	assert_int_equal(got->roles, wanted->roles);
	assert_int_equal(got->type != NULL, wanted->type != NULL);
	if (got->type) {
		assert_string_equal(got->type->name, wanted->type->name);
		assert_string_equal(type_shown_name(got->type), type_shown_name(wanted->type));
		assert_int_equal(got->type->size, wanted->type->size);
	}
}

/* The ways to each instruction, and what they access. */
static void assert_same_ways(struct typeflow *one, struct typeflow *several, struct dso *dso,
			     u64 vaddr)
{
	g_autoptr(GArray) wanted = g_array_new(false, false, sizeof(struct waited_way));
	g_autoptr(GArray) got = g_array_new(false, false, sizeof(struct waited_way));

	typeflow_waited(one, dso, vaddr, false, wanted);
	typeflow_waited(several, dso, vaddr, false, got);
	assert_true(wanted->len > 0);
	assert_int_equal(got->len, wanted->len);
	for (u32 i = 0; i < got->len; i++) {
		const struct waited_way *a = &g_array_index(got, struct waited_way, i);
		const struct waited_way *b = &g_array_index(wanted, struct waited_way, i);
		struct access x, y;

		assert_int_equal(a->how, b->how);
		assert_int_equal(a->vaddr, b->vaddr);
		assert_int_equal(a->from, b->from);
		if (a->how != WAITED_BEFORE)
			continue;
		typeflow_lookup(one, dso, a->vaddr, &x);
		typeflow_lookup(several, dso, a->vaddr, &y);
		assert_same(&y, &x);
	}
}

static u32 check(struct dso *dso, const GArray *all, bool waited)
{
	struct typeflow *one = typeflow_new(FUSION_NONE, NULL);
	struct typeflow *several = typeflow_new(FUSION_NONE, NULL);
	struct typeflow_counts prepared;

	if (waited) {
		typeflow_expect_waited(one);
		typeflow_expect_waited(several);
	}
	for (u32 i = 0; i < all->len; i += 3)
		typeflow_expect(several, dso, g_array_index(all, u64, i), waited, 1);
	typeflow_prepare(several, 3, 1);
	typeflow_counts(several, &prepared);
	for (u32 first = 0; first < 3; first++)
		for (u32 i = first; i < all->len; i += 3) {
			struct access got, wanted;

			typeflow_lookup(one, dso, g_array_index(all, u64, i), &wanted);
			typeflow_lookup(several, dso, g_array_index(all, u64, i), &got);
			assert_same(&got, &wanted);
			if (waited)
				assert_same_ways(one, several, dso, g_array_index(all, u64, i));
		}
	typeflow_free(one);
	typeflow_free(several);
	return prepared.functions;
}

static void answers_are_those_of_one_thread(void **state)
{
	static const struct {
		const char *compiler;
		bool split; /* types cannot be told to another thread */
	} builds[] = {
		{ "gcc -g -O2", false },
		{ "gcc -g -O2 -gsplit-dwarf", true },
		{ "clang -g -O1", false },
	};

	for (u32 i = 0; i < ARRAY_SIZE(builds); i++) {
		g_autoptr(GArray) all = NULL;
		struct dsos *dsos;
		struct dso *dso;
		char *folder;
		u32 nr;

		if (!have(builds[i].compiler))
			continue;
		dso = program_build(builds[i].compiler, &folder, &dsos);
		all = program_instructions(dso);
		nr = check(dso, all, i == 0);
		assert_int_equal(nr > 10, !builds[i].split);
		dsos_free(dsos);
		program_remove(folder);
	}
}

/* So many instructions that their answers are kept. */
#define KEPT 60000u

/* Of what threads have found out, nothing is analysed again by a later run. */
static void answers_of_threads_are_kept(void **state)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	char *folder = g_dir_make_tmp("types-XXXXXX", NULL);
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = folder });
	struct dso *dso = dsos_get(dsos, self, NULL, 0, DSO_USER);
	struct typeflow *first = typeflow_new(FUSION_NONE, folder);
	struct typeflow_counts before, after;
	struct typeflow *later;
	g_autoptr(GArray) all = program_instructions(dso);
	g_autoptr(GArray) found = g_array_new(false, false, sizeof(struct access));

	assert_true(all->len > KEPT);
	for (u32 i = 0; i < KEPT; i += 4)
		typeflow_expect(first, dso, g_array_index(all, u64, i), false, 1);
	typeflow_prepare(first, 3, 1);
	typeflow_counts(first, &before);
	assert_true(before.functions > 100);
	for (u32 i = 0; i < KEPT; i += 4) {
		struct access access;

		typeflow_lookup(first, dso, g_array_index(all, u64, i), &access);
		access.type = NULL;
		g_array_append_val(found, access);
	}
	typeflow_counts(first, &after);
	assert_true(after.functions - before.functions < before.functions / 20);
	typeflow_free(first);
	later = typeflow_new(FUSION_NONE, folder);
	for (u32 i = 0; i < KEPT; i += 4) {
		const struct access *wanted = &g_array_index(found, struct access, i / 4);
		struct access got;

		typeflow_lookup(later, dso, g_array_index(all, u64, i), &got);
		got.type = NULL;
		assert_same(&got, wanted);
	}
	typeflow_counts(later, &after);
	assert_true(after.functions < before.functions / 20);
	typeflow_free(later);
	dsos_free(dsos);
	program_remove(folder);
}

struct asker {
	struct data_types *types;
	struct dso *dso;
	const GArray *all;
	GString *told;
};

/* The ways to @code. */
static void tell_ways(struct asker *a, const struct code *code)
{
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));

	data_types_ways(a->types, code, false, ways);
	for (u32 i = 0; i < ways->len; i++) {
		const struct waited_way *way = &g_array_index(ways, struct waited_way, i);

		g_string_append_printf(a->told, " %d %" PRIx64, way->how, way->vaddr);
	}
}

/* What a printer of lines does, with code of a resolver of its own. */
static void *ask_all(void *arg)
{
	struct asker *a = arg;

	for (u32 i = 0; i < a->all->len; i++) {
		struct code code = { .id = i,
				     .dso = a->dso,
				     .vaddr = g_array_index(a->all, u64, i) };
		const struct access *access = data_types_find(a->types, &code);

		tell_ways(a, &code);
		if (!access->type)
			continue;
		type_lock(access->type);
		type_offset_append(access->type, access->type->name, access->offset, a->told);
		type_unlock(access->type);
	}
	return NULL;
}

static void several_threads_ask_at_once(void **state)
{
	enum { NR = 3 };
	struct data_types *first;
	struct asker askers[NR];
	g_autoptr(GArray) all = NULL;
	pthread_t threads[NR];
	struct dsos *dsos;
	struct dso *dso = NULL;
	char *folder;

	setenv("PERF_TYPES_CACHE", "", true);
	first = data_types_new(NULL, ACCESS_RANK_INFERRED, true);
	dso = program_build("gcc -g -O2", &folder, &dsos);
	all = program_instructions(dso);
	for (u32 i = 0; i < NR; i++) {
		askers[i] = (struct asker){ i ? data_types_new_beside(first) : first, dso, all,
					    g_string_new(NULL) };
		assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &askers[i]), 0);
	}
	for (u32 i = 0; i < NR; i++)
		pthread_join(threads[i], NULL);
	assert_true(askers[0].told->len > 1000);
	for (u32 i = 1; i < NR; i++)
		assert_string_equal(askers[i].told->str, askers[0].told->str);
	for (u32 i = NR; i > 0; i--) {
		data_types_free(askers[i - 1].types);
		g_string_free(askers[i - 1].told, TRUE);
	}
	dsos_free(dsos);
	program_remove(folder);
}

/* A debuginfo of its own over a file, for one thread. */
struct variable_asker {
	struct dso *dso;
	struct debuginfo *debug;
	GString *answers; /* each variable's name and start */
	u32 nr_found;
};

static void variable_asker_init(struct variable_asker *a, struct dso *dso,
				const struct variable_asker *other)
{
	struct debuginfo_source source = { .lock = dso_mutex(dso) };

	source.dwarf = dso_dwarf(dso, &source.dwarf_bias);
	*a = (struct variable_asker){ .dso = dso, .debug = debuginfo_new(&source) };
	a->answers = g_string_new(NULL);
	if (other)
		debuginfo_share(a->debug, other->debug);
}

static void variable_asker_release(struct variable_asker *a)
{
	debuginfo_free(a->debug);
	g_string_free(a->answers, true);
}

/* Asks for the variable at each object, from code of main()'s unit. */
static void *ask_variables(void *arg)
{
	struct variable_asker *a = arg;
	u64 from = dso_symbol_named(a->dso, "main")->start;

	for (u32 i = 0; i < dso_nr_symbols(a->dso); i++) {
		const struct symbol *s = dso_symbol(a->dso, i);
		const struct variable *variable;
		u64 start = 0;

		if (s->type != STT_OBJECT)
			continue;
		variable = debuginfo_global(a->debug, s->start, from, NULL, 0, &start);
		a->nr_found += variable != NULL;
		g_string_append_printf(a->answers, "%" PRIx64 " %s %" PRIx64 "\n", s->start,
				       variable ? variable->name : "-", start);
	}
	return NULL;
}

/* The table of all variables is read once, by all who need it, and outlives the one who began. */
static void variables_are_read_by_all_who_ask(void **state)
{
	struct variable_asker alone, both[2], late;
	pthread_t threads[2];
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	if (!have("gcc"))
		skip();
	dso = program_build("gcc -g -O2", &folder, &dsos);

	variable_asker_init(&alone, dso, NULL);
	ask_variables(&alone);
	assert_true(alone.nr_found > 4);
	variable_asker_init(&both[0], dso, NULL);
	variable_asker_init(&both[1], dso, &both[0]);
	variable_asker_init(&late, dso, &both[1]);
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_variables, &both[i]), 0);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_string_equal(both[i].answers->str, alone.answers->str);
		variable_asker_release(&both[i]);
	}
	ask_variables(&late);
	assert_string_equal(late.answers->str, alone.answers->str);
	variable_asker_release(&late);
	variable_asker_release(&alone);
	dsos_free(dsos);
	program_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_one_thread),
		cmocka_unit_test(answers_of_threads_are_kept),
		cmocka_unit_test(several_threads_ask_at_once),
		cmocka_unit_test(variables_are_read_by_all_who_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
