// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several threads ask one dso its first questions, each in another order. So each part of a dso that is made at the
 * first question is made while other threads ask for it. ThreadSanitizer finds what is read without a lock.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dso/dso.h"
#include "dso/lines.h"
#include "have.h"
#include "programs.h"
#include "typeflow/answers/identity.h"

enum { NR_THREADS = 4, ROUNDS = 6 };

/* The address of the function that all threads ask about. */
static u64 asked(struct dso *dso)
{
	const struct symbol *s = dso_symbol_named(dso, "main");

	return s ? s->start : 0;
}

static u64 ask_symbols(struct dso *dso)
{
	u64 sum = 0;

	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *s = dso_symbol(dso, i);

		assert_ptr_equal(dso_find_symbol(dso, s->start), s);
		sum += strlen(dso_symbol_name(dso, s)) + dso_symbol_named(dso, s->raw)->start;
		sum += dso_alias(dso, s->start, 0) != NULL;
	}
	return sum + dso_symbols_origin(dso);
}

static u64 ask_lines(struct dso *dso)
{
	const struct source_frame *frames;
	const char *file;
	u64 sum = 0;
	u32 line;

	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		u64 start = dso_symbol(dso, i)->start;

		if (dso_line(dso, start, &file, &line))
			sum += line + strlen(file);
		sum += dso_frames(dso, start, &frames);
	}
	return sum;
}

static u64 ask_functions(struct dso *dso)
{
	const struct source_frame *frames;
	u64 sum = 0;

	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		u32 nr = dso_functions(dso, dso_symbol(dso, i)->start, &frames);

		for (u32 k = 0; k < nr; k++)
			sum += frames[k].function ? strlen(frames[k].function) : 0;
	}
	return sum;
}

static u64 ask_files(struct dso *dso)
{
	const char *code = dso_file(dso), *debug = dso_debug_file(dso);

	return (code ? strlen(code) : 0) + (debug ? strlen(debug) : 0) + dso_machine(dso);
}

static u64 ask_addresses(struct dso *dso)
{
	u64 foff = 0, vaddr = 0, low, high;
	size_t left;
	const u8 *code = dso_code(dso, asked(dso), &left);

	dso_vaddr_to_foff(dso, asked(dso), &foff);
	dso_foff_to_vaddr(dso, foff, &vaddr);
	return (code ? *code + left : 0) + foff + vaddr + dso_kernel_vaddr(dso, 0x1000) +
	       dso_externals(dso, &low, &high);
}

static u64 ask_dwarf(struct dso *dso)
{
	Dwarf_Addr bias;

	return (dso_dwarf(dso, &bias) != NULL) + bias + (dso_dwarf_package(dso) != NULL);
}

static u64 ask_cfi(struct dso *dso)
{
	Dwarf_Addr eh_bias, bias;
	u64 sum = (dso_eh_cfi(dso, &eh_bias) != NULL) + eh_bias;

	return sum + (dso_dwarf_cfi(dso, &bias) != NULL) + bias;
}

static u64 ask_absences(struct dso *dso)
{
	return strlen(dso_no_symbols(dso).text) + strlen(dso_no_debug_info(dso).text) +
	       strlen(dso_no_code(dso).text);
}

static u64 ask_identity(struct dso *dso)
{
	return object_identity(dso);
}

static u64 (*const questions[])(struct dso *dso) = {
	ask_cfi,       ask_dwarf, ask_lines,	ask_functions, ask_symbols,
	ask_addresses, ask_files, ask_absences, ask_identity,
};

struct asker {
	struct dso *dso;
	u32 first; /* question */
	pthread_barrier_t *start;
	u64 answers[ARRAY_SIZE(questions)];
};

static void *ask_all(void *arg)
{
	struct asker *a = arg;

	pthread_barrier_wait(a->start);
	for (u32 i = 0; i < ARRAY_SIZE(questions); i++) {
		u32 at = (a->first + i) % ARRAY_SIZE(questions);

		a->answers[at] = questions[at](a->dso);
	}
	return NULL;
}

/* All threads get the same answers. */
static void ask_in_threads(struct dso *dso, u32 first)
{
	struct asker askers[NR_THREADS];
	pthread_t threads[NR_THREADS];
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (u32 i = 0; i < NR_THREADS; i++) {
		/* Two threads begin with the same question. */
		askers[i] = (struct asker){ dso, first + i / 2, &start };
		assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &askers[i]), 0);
	}
	for (u32 i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (u32 i = 1; i < NR_THREADS; i++)
		assert_memory_equal(askers[i].answers, askers[0].answers,
				    sizeof(askers[0].answers));
	pthread_barrier_destroy(&start);
}

static void first_questions_of_several_threads(void **state)
{
	static const char *const builds[] = {
		"gcc -g -O2",
		"gcc -g -O2 -fno-asynchronous-unwind-tables", /* .debug_frame */
		"gcc -g -O2 -gsplit-dwarf",
		"gcc -O2 -s", /* no symbols, no debug information */
		"clang -g -O1",
	};

	for (u32 i = 0; i < ARRAY_SIZE(builds); i++) {
		g_autofree char *path = NULL;
		struct dsos *dsos;
		char *folder;

		if (!have(builds[i]))
			continue;
		path = g_strdup(dso_long_name(program_build(builds[i], &folder, &dsos)));
		dsos_free(dsos);
		for (u32 first = 0; first < MAX(ROUNDS, ARRAY_SIZE(questions)); first++) {
			dsos = dsos_new(&(struct dso_options){ .buildid_dir = folder });
			ask_in_threads(dsos_get(dsos, path, NULL, 0, DSO_USER), first);
			dsos_free(dsos);
		}
		program_remove(folder);
	}
}

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000100 T main\n"
			       "ffffffff81000200 T schedule\n"
			       "ffffffffc0000000 t in_module\t[far]\n";

/* A module's symbols are in the kernel's kallsyms, which is read at the first question about any of its modules. */
static void first_questions_about_the_kernel(void **state)
{
	char *folder = g_dir_make_tmp("kernel-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "kallsyms", NULL);

	g_file_set_contents(path, kallsyms, -1, NULL);
	for (u32 first = 0; first < ARRAY_SIZE(questions); first++) {
		struct dsos *dsos = dsos_new(&(struct dso_options){
			.buildid_dir = folder, .kallsyms = path, .no_vmlinux = true });
		struct dso *kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
		struct dso *module = dsos_get(dsos, "[far]", NULL, 0, DSO_MODULE);

		dso_kernel_reference(kernel, "_text", 0xffffffff81000000);
		dso_kernel_reference(module, "", 0xffffffffc0000000);
		ask_in_threads(first % 2 ? kernel : module, first);
		ask_in_threads(first % 2 ? module : kernel, first);
		assert_int_equal(dso_nr_symbols(module), 1);
		dsos_free(dsos);
	}
	program_remove(folder);
}

struct teller {
	struct dsos *dsos;
	struct dso *dso;
	struct build_id id;
};

static void *tell_build_id(void *arg)
{
	struct teller *t = arg;

	dsos_know_build_id(t->dsos, dso_long_name(t->dso), t->id.bytes, t->id.size);
	return NULL;
}

static void *ask_build_id(void *arg)
{
	struct teller *t = arg;
	struct build_id id = dso_recorded_build_id(t->dso);

	assert_true(!id.size || build_id_equal(&id, &t->id));
	id = dso_build_id(t->dso);
	assert_true(build_id_equal(&id, &t->id));
	return NULL;
}

/* The build-id table of a pipe is a record in its middle: it is read while other threads look up samples. */
static void build_id_is_told_while_others_ask(void **state)
{
	g_autofree char *path = NULL;
	struct teller t = { 0 };
	char *folder;

	if (!have("gcc"))
		skip();
	t.dso = program_build("gcc -Wl,--build-id", &folder, &t.dsos);
	path = g_strdup(dso_long_name(t.dso));
	t.id = dso_build_id(t.dso);
	assert_true(t.id.size);
	dsos_free(t.dsos);
	for (u32 i = 0; i < 50; i++) {
		pthread_t threads[3];

		t.dsos = dsos_new(&(struct dso_options){ .buildid_dir = folder });
		t.dso = dsos_get(t.dsos, path, NULL, 0, DSO_USER);
		for (u32 k = 0; k < ARRAY_SIZE(threads); k++)
			assert_int_equal(pthread_create(&threads[k], NULL,
							k == i % 3 ? tell_build_id : ask_build_id,
							&t),
					 0);
		for (u32 k = 0; k < ARRAY_SIZE(threads); k++)
			pthread_join(threads[k], NULL);
		dsos_free(t.dsos);
	}
	program_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_questions_of_several_threads),
		cmocka_unit_test(first_questions_about_the_kernel),
		cmocka_unit_test(build_id_is_told_while_others_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
