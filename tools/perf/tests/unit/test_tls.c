// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a thread-local variable is: what this says of programs built in every way, against what
 * the running program itself says. The compiler is the oracle, so it is needed to run this.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <gelf.h>
#include <glib/gstdio.h>

#include "dso/tls.h"
#include "have.h"
#include "record/tls/lookup.h"
#include "record/tls/objects.h"
#include "sectionless.h"

/* A program, perhaps with a library; it prints the variable's offset and waits. */
struct build {
	const char *name;
	const char *flags; /* of the program */
	const char *tls;   /* its thread-local variables */
	const char *lib;   /* the library's, NULL: none */
	const char *libflags;
	const char *where; /* expression of the variable's address; NULL: wanted */
	bool loaded_late;  /* by dlopen() */
	const char *cc;	   /* the compiler, NULL: the usual one */
	bool sectionless;  /* both files are without section headers */
};

#define WANTED "__thread char wanted[16];"

static const struct build builds[] = {
	{ "pie", "-fPIE -pie", WANTED },
	{ "no-pie", "-no-pie", WANTED },
	{ "static", "-static", WANTED },
	{ "static-pie", "-static-pie -fPIE", WANTED },
	{ "hidden", "-fPIE -pie", "static " WANTED },
	{ "exported only", "-fPIE -pie -rdynamic -s", WANTED },
	{ "among others", "-fPIE -pie",
	  "__thread int before = 1; __thread char wanted[16]; __thread char after[100];" },
	{ "large alignment", "-fPIE -pie",
	  WANTED "__thread char big[3] __attribute__((aligned(256))) = {1};" },
	/* .tdata has little alignment and .tbss much: p_vaddr is then no multiple of p_align. */
	{ "odd address", "-fPIE -pie",
	  "__thread char one = 1; __thread char two[37] = {1}; " WANTED
	  "__thread char big[3] __attribute__((aligned(128)));" },
	{ "odd address, static", "-static",
	  "__thread char one = 1; __thread char two[37] = {1}; " WANTED
	  "__thread char big[3] __attribute__((aligned(128)));" },
	{ "library", "-fPIE -pie", "__thread char own[200];", WANTED, "" },
	{ "library, no-pie", "-no-pie", "", WANTED, "" },
	{ "library, initial-exec", "-fPIE -pie", "", WANTED, "-ftls-model=initial-exec" },
	{ "library, descriptors", "-fPIE -pie", "", WANTED, "-mtls-dialect=gnu2" },
	{ "library, hidden", "-fPIE -pie", "", "static " WANTED "char *where(void){return wanted;}",
	  "-O0", "where()" },
	{ "library, hidden, initial-exec", "-fPIE -pie", "",
	  "static " WANTED "char *where(void){return wanted;}", "-O0 -ftls-model=initial-exec",
	  "where()" },
	{ "library, large alignment", "-fPIE -pie", "__thread char own[3];",
	  WANTED "__thread char big[3] __attribute__((aligned(256)));", "" },
	{ "loaded late, initial-exec", "-fPIE -pie", "", WANTED "char *where(void){return wanted;}",
	  "-ftls-model=initial-exec", NULL, true },
	{ "loaded late, descriptors", "-fPIE -pie", "", WANTED "char *where(void){return wanted;}",
	  "-mtls-dialect=gnu2", NULL, true },
	{ "no sections, exported", "-fPIE -pie -rdynamic -s", WANTED, .sectionless = true },
	{ "no sections, library", "-fPIE -pie", "__thread char own[200];", WANTED, "",
	  .sectionless = true },
	{ "no sections, library, descriptors", "-fPIE -pie", "", WANTED, "-mtls-dialect=gnu2",
	  .sectionless = true },
	{ "musl", "-fPIE -pie", WANTED, .cc = "musl-gcc" },
	{ "musl, static", "-static", "__thread char one = 1;" WANTED, .cc = "musl-gcc" },
	{ "musl, library, descriptors", "-fPIE -pie", "__thread char own[200];", WANTED,
	  "-mtls-dialect=gnu2", .cc = "musl-gcc" },
	{ "musl, library, initial-exec", "-fPIE -pie", "__thread char own[200];", WANTED,
	  "-ftls-model=initial-exec", .cc = "musl-gcc" },
};

struct running {
	char *dir, *program, *library;
	pid_t pid;
	int in, out;
	s64 tpoff; /* as the program itself says */
	u64 tp;	   /* the thread pointer of its thread */
};

static void write_file(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static bool compile(const struct build *b, const char *dir, const char *command)
{
	g_autofree char *line = g_strdup_printf("cd '%s' && %s %s 2>log", dir,
						b->cc ? b->cc : "${CC:-cc}", command);

	return system(line) == 0;
}

static char *source_of(const struct build *b)
{
	g_autofree char *get = NULL;

	if (b->loaded_late)
		get = g_strdup("((char *(*)(void))dlsym(dlopen(\"./lib.so\", 2), \"where\"))()");
	else
		get = g_strdup(b->where ? b->where : "wanted");
	return g_strdup_printf("#include <stdio.h>\n#include <dlfcn.h>\n"
			       "%s\nextern __thread char wanted[16]; char *where(void);\n"
			       "int main(void) { char *tp = __builtin_thread_pointer();"
			       "printf(\"%%ld %%lx\\n\", (long)((char *)%s - tp), (long)tp);"
			       "fflush(stdout);\n"
			       "return getchar(); }\n",
			       b->tls, get);
}

static void start(const struct build *b, struct running *r)
{
	g_autofree char *source = NULL, *command = NULL, *libcommand = NULL;
	char *argv[2] = { NULL };
	char text[64] = "";
	ssize_t size;

	r->dir = g_dir_make_tmp("perf-tls-XXXXXX", NULL);
	assert_non_null(r->dir);
	r->program = g_build_filename(r->dir, "program", NULL);
	r->library = g_build_filename(r->dir, "lib.so", NULL);
	source = source_of(b);
	write_file(r->dir, "program.c", source);
	if (b->lib) {
		write_file(r->dir, "lib.c", b->lib);
		libcommand =
			g_strdup_printf("-w -O1 -fPIC -shared %s -o lib.so lib.c", b->libflags);
		assert_true(compile(b, r->dir, libcommand));
	}
	command = g_strdup_printf("-w -O1 %s -o program program.c %s", b->flags,
				  b->lib && !b->loaded_late ? "./lib.so" : "");
	assert_true(compile(b, r->dir, command));
	if (b->sectionless)
		assert_true(cut_sections(r->program) && (!b->lib || cut_sections(r->library)));
	argv[0] = r->program;
	assert_true(g_spawn_async_with_pipes(r->dir, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
					     NULL, &r->pid, &r->in, &r->out, NULL, NULL));
	size = read(r->out, text, sizeof(text) - 1);
	assert_true(size > 0);
	assert_int_equal(sscanf(text, "%" SCNd64 " %" SCNx64, &r->tpoff, &r->tp), 2);
}

static void stop(struct running *r)
{
	g_autofree char *line = g_strdup_printf("rm -r '%s'", r->dir);

	close(r->in);
	close(r->out);
	waitpid(r->pid, NULL, 0);
	assert_int_equal(system(line), 0);
	g_free(r->dir);
	g_free(r->program);
	g_free(r->library);
}

/* By the program's file alone. */
static void check_file(const struct running *r)
{
	struct tls_segment segment;
	struct tls_symbol symbol;
	int fd = open(r->program, O_RDONLY);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	assert_true(tls_supported(elf));
	assert_true(tls_find_segment(elf, &segment));
	assert_true(tls_find_symbol(elf, "wanted", &symbol));
	assert_int_equal(symbol.size, 16);
	assert_int_equal(tls_main_tpoff(&segment, symbol.value), r->tpoff);
	assert_false(tls_find_symbol(elf, "unwanted", &symbol));
	elf_end(elf);
	close(fd);
}

struct heard {
	GString *text;
	GArray *asked;
	u32 pid;
};

static void hear(const struct tls_news *news, void *arg)
{
	static const char *const names[] = { "found",  "settled", "sought", "withdrawn",
					     "absent", "foreign", "gone" };
	struct heard *heard = arg;
	const struct tls_publisher *publisher = news->publisher;

	g_string_append_printf(heard->text, "%s%s +%d at %d", heard->text->len ? "; " : "",
			       names[news->change], (int)(news->pid - heard->pid), (int)news->time);
	if (publisher) {
		g_autofree char *object = g_path_get_basename(publisher->object);

		g_string_append_printf(heard->text, " %s", object);
		if (publisher->place.reach == TLS_STATIC)
			g_string_append_printf(heard->text, " %d", (int)publisher->placed.tpoff);
		else
			g_string_append_printf(heard->text, " module %u + %d",
					       publisher->place.module,
					       (int)publisher->place.offset);
	}
	if (news->parent)
		g_string_append(heard->text, " inherited");
}

static struct tls_lookup *listen_to(const struct activity_layout *layout, struct heard *heard)
{
	heard->text = g_string_new("");
	heard->asked = g_array_new(FALSE, FALSE, sizeof(*layout));
	g_array_append_vals(heard->asked, layout, 1);
	return tls_lookup_new(heard->asked, kernel_paths_host(), hear, heard);
}

static void hear_no_more(struct tls_lookup *l, struct heard *heard)
{
	tls_lookup_free(l);
	g_string_free(heard->text, TRUE);
	g_array_unref(heard->asked);
}

static void check_heard(struct heard *heard, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void check_heard(struct heard *heard, const char *format, ...)
{
	g_autofree char *expected = NULL;
	va_list ap;

	va_start(ap, format);
	expected = g_strdup_vprintf(format, ap);
	va_end(ap);
	assert_string_equal(heard->text->str, expected);
	g_string_truncate(heard->text, 0);
}

static const struct activity_layout wanted = { .format = ACTIVITY_HEX, .symbol = "wanted" };

/* Those that @cc makes; NULL: the system's compiler. */
static void check_builds(const char *cc)
{
	if (cc && !have(cc)) {
		print_message("%s is not installed\n", cc);
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(builds); i++) {
		struct running r;
		struct heard heard;
		struct tls_lookup *l;

		if (g_strcmp0(builds[i].cc, cc) != 0)
			continue;
		print_message("%s\n", builds[i].name);
		l = listen_to(&wanted, &heard);
		start(&builds[i], &r);
		assert_true(r.tpoff < 0);
		heard.pid = (u32)r.pid;
		if (!builds[i].lib)
			check_file(&r);
		tls_lookup_process(l, (u32)r.pid);
		check_heard(&heard, "found +0 at 0 %s %d", builds[i].lib ? "lib.so" : "program",
			    (int)r.tpoff);
		hear_no_more(l, &heard);
		stop(&r);
	}
}

#define WHERE "char *where(void) { return wanted; }"

/* Libraries with a block of their own for each thread, to be found by the thread's vector. */
static void test_builds(void **state)
{
	check_builds(NULL);
}

static void test_builds_musl(void **state)
{
	check_builds("musl-gcc");
}

static const struct build dynamic_builds[] = {
	{ "late", "-fPIE -pie", "", WANTED WHERE, "", NULL, true },
	/* More than the reserve that late libraries may share. */
	{ "late, large", "-fPIE -pie", "", WANTED "__thread char big[100000];" WHERE, "", NULL,
	  true },
	{ "late, large, descriptors", "-fPIE -pie", "", "__thread char big[100000];" WANTED WHERE,
	  "-mtls-dialect=gnu2", NULL, true },
	{ "late, hidden", "-fPIE -pie", "",
	  "__thread char first[48]; static " WANTED
	  "char *where(void) { return first[0] + wanted; }",
	  "-O0", NULL, true },
	{ "musl, late", "-fPIE -pie", "", WANTED WHERE, "", NULL, true, "musl-gcc" },
	{ "musl, library", "-fPIE -pie", "", "__thread char first[48];" WANTED WHERE, "", "where()",
	  false, "musl-gcc" },
};

/* What a thread's vector leads to, as the ABI of the C library has it. */
static u64 follow(const struct running *r, const struct tls_place *place)
{
	u64 vector, head, block, entry = place->reach == TLS_MUSL ? 8 : 16;

	assert_true(tls_peek((u32)r->pid, r->tp + 8, &vector, sizeof(vector)));
	assert_true(tls_peek((u32)r->pid, vector, &head, sizeof(head)));
	if (place->reach == TLS_GLIBC)
		assert_true(place->generation > 0 && place->generation <= head);
	assert_true(tls_peek((u32)r->pid, vector + place->module * entry, &block, sizeof(block)));
	return block + (u64)place->offset;
}

static void keep_place(const struct tls_news *news, void *arg)
{
	if (news->change == TLS_FOUND)
		*(struct tls_place *)arg = news->publisher->place;
}

static void check_dynamic(const char *cc)
{
	g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(wanted));

	if (cc && !have(cc)) {
		print_message("%s is not installed\n", cc);
		skip();
	}
	g_array_append_val(asked, wanted);
	for (size_t i = 0; i < ARRAY_SIZE(dynamic_builds); i++) {
		struct tls_place place = { 0 };
		struct tls_lookup *l;
		struct running r;

		if (g_strcmp0(dynamic_builds[i].cc, cc) != 0)
			continue;
		print_message("%s\n", dynamic_builds[i].name);
		l = tls_lookup_new(asked, kernel_paths_host(), keep_place, &place);
		start(&dynamic_builds[i], &r);
		tls_lookup_process(l, (u32)r.pid);
		assert_int_not_equal(place.reach, TLS_STATIC);
		assert_int_equal(follow(&r, &place), r.tp + (u64)r.tpoff);
		tls_lookup_free(l);
		stop(&r);
	}
}

static void test_dynamic(void **state)
{
	check_dynamic(NULL);
}

static void test_dynamic_musl(void **state)
{
	check_dynamic("musl-gcc");
}

static void test_lives_of_processes(void **state)
{
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&wanted, &heard);
	u64 now = (u64)g_get_monotonic_time() * 1000;
	u32 pid, child;
	int off;

	start(&builds[0], &r);
	off = (int)r.tpoff;
	pid = heard.pid = (u32)r.pid;
	child = pid + 1000000000; /* no such process */
	tls_lookup_process(l, pid);
	check_heard(&heard, "found +0 at 0 program %d", off);
	tls_lookup_process(l, pid);
	tls_lookup_retry(l, now + 2000000000ull, 0);
	check_heard(&heard, "%s", ""); /* once is enough */

	tls_lookup_fork(l, &(struct event_task){ .pid = pid, .ppid = pid, .tid = pid + 1 }, 5);
	check_heard(&heard, "%s", ""); /* a thread */
	tls_lookup_fork(l, &(struct event_task){ .pid = child, .ppid = pid, .tid = child }, 10);
	check_heard(&heard, "found +1000000000 at 10 program %d inherited", off);
	tls_lookup_exit(l, &(struct event_task){ .pid = child, .ppid = pid, .tid = child + 1 }, 15);
	check_heard(&heard, "%s", "");
	tls_lookup_exec(l, child, 20);
	check_heard(&heard, "gone +1000000000 at 20");
	tls_lookup_exit(l, &(struct event_task){ .pid = child, .ppid = pid, .tid = child }, 30);
	check_heard(&heard, "%s", "");

	/* A number that is used again, with an end that nobody heard of. */
	tls_lookup_fork(l, &(struct event_task){ .pid = child, .ppid = pid, .tid = child }, 40);
	check_heard(&heard, "found +1000000000 at 40 program %d inherited", off);
	tls_lookup_fork(l, &(struct event_task){ .pid = child, .ppid = 1, .tid = child }, 50);
	check_heard(&heard, "gone +1000000000 at 50");

	tls_lookup_each(l, hear, &heard);
	check_heard(&heard, "found +0 at 0 program %d", off);
	hear_no_more(l, &heard);
	stop(&r);
}

/* A started program is found by its file, without a look into a process that may be gone. */
static void test_program_that_is_gone(void **state)
{
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&wanted, &heard);
	struct event_mmap map = { .len = 0x1000, .pgoff = 0x1000, .start = 0x555555555000 };

	start(&builds[0], &r);
	heard.pid = map.pid = map.tid = 2000000000;
	map.filename = r.program;
	tls_lookup_exec(l, map.pid, 100);
	tls_lookup_mmap(l, &map, 110);
	check_heard(&heard, "found +0 at 110 program %d", (int)r.tpoff);
	hear_no_more(l, &heard);
	stop(&r);
}

/* What happens to two processes, parent and child. */
#define PARENT	   2000000000u
#define CHILD	   2000000001u
#define MAX_EVENTS 4

enum what { FORK = 1, EXEC, MAP, MAP_OTHER };

static const struct sequence {
	const char *name;
	struct {
		enum what what;
		u32 pid;
	} events[MAX_EVENTS]; /* one each 10 ns */
	bool parent_has, child_has;
} sequences[] = {
	{ "a child that executes it", { { FORK, CHILD }, { EXEC, CHILD }, { MAP, CHILD } }, 0, 1 },
	{ "inherited", { { EXEC, PARENT }, { MAP, PARENT }, { FORK, CHILD } }, 1, 1 },
	{ "too late to inherit", { { EXEC, PARENT }, { FORK, CHILD }, { MAP, PARENT } }, 1, 0 },
	{ "given up", { { MAP, PARENT }, { FORK, CHILD }, { EXEC, CHILD } }, 1, 0 },
	{ "another program after it",
	  { { EXEC, CHILD }, { MAP, CHILD }, { EXEC, CHILD }, { MAP_OTHER, CHILD } },
	  0,
	  0 },
	{ "it after another program",
	  { { EXEC, CHILD }, { MAP_OTHER, CHILD }, { EXEC, CHILD }, { MAP, CHILD } },
	  0,
	  1 },
	{ "a number used again", { { MAP, CHILD }, { FORK, CHILD }, { EXEC, CHILD } }, 0, 0 },
};

/* What is said last of each, by time. */
struct last_heard {
	u64 time[2];
	bool has[2];
};

static void hear_last(const struct tls_news *news, void *arg)
{
	struct last_heard *last = arg;
	u32 which = news->pid - PARENT;

	if (news->time >= last->time[which]) {
		last->time[which] = news->time;
		last->has[which] = news->change == TLS_FOUND;
	}
}

static void tell_event(struct tls_lookup *l, const struct sequence *s, u32 i,
		       const struct running *r)
{
	u32 pid = s->events[i].pid;
	u64 time = 10 * (i + 1);
	struct event_task task = { .pid = pid, .ppid = PARENT, .tid = pid, .time = time };
	struct event_mmap map = { .pid = pid,
				  .tid = pid,
				  .len = 0x1000,
				  .pgoff = 0x1000,
				  .start = 0x555555555000,
				  .filename = r->program };

	switch (s->events[i].what) {
	case FORK:
		tls_lookup_fork(l, &task, time);
		break;
	case EXEC:
		tls_lookup_exec(l, pid, time);
		break;
	case MAP_OTHER:
		map.filename = "/bin/true";
		/* fall through */
	case MAP:
		tls_lookup_mmap(l, &map, time);
		break;
	}
}

/* Calls itself for each order of what is left in @bits. */
static void each_order(const struct sequence *s, const struct running *r, GArray *asked,
		       u32 order[MAX_EVENTS], u32 nr, u32 bits)
{
	struct last_heard last = { { 0 }, { 0 } };
	struct tls_lookup *l;

	for (u32 i = 0; i < MAX_EVENTS; i++) {
		if (!(bits >> i & 1))
			continue;
		order[nr] = i;
		each_order(s, r, asked, order, nr + 1, bits & ~(1u << i));
	}
	if (bits)
		return;
	l = tls_lookup_new(asked, kernel_paths_host(), hear_last, &last);
	for (u32 i = 0; i < nr; i++)
		tell_event(l, s, order[i], r);
	if (last.has[0] != s->parent_has || last.has[1] != s->child_has ||
	    tls_lookup_has(l, PARENT) != s->parent_has || tls_lookup_has(l, CHILD) != s->child_has)
		fail_msg("%s, heard in the order %u %u %u %u", s->name, order[0], order[1],
			 order[2], nr > 3 ? order[3] : 0);
	tls_lookup_free(l);
}

/* Each CPU's records are heard of one after the other, so everything may come before its cause. */
static void test_any_order(void **state)
{
	g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(wanted));
	struct running r;

	(void)state;
	start(&builds[0], &r);
	g_array_append_val(asked, wanted);
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++) {
		u32 order[MAX_EVENTS] = { 0 };
		u32 nr = sequences[i].events[3].what ? 4 : 3;

		each_order(&sequences[i], &r, asked, order, 0, (1u << nr) - 1);
	}
	stop(&r);
}

/* The program that samples reads what is said first until it hears more: a child has it all at once. */
static void hear_whole(const struct tls_news *news, void *arg)
{
	u32 nr = 0, *children = arg;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		nr += news->all[i].found;
	if (news->pid == PARENT)
		return;
	assert_int_equal(news->parent, PARENT);
	assert_int_equal(nr, 2);
	++*children;
}

static void test_all_at_once(void **state)
{
	static const struct sequence inherited = {
		.events = { { MAP, PARENT }, { FORK, CHILD } },
	};
	g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(wanted));
	struct tls_lookup *l;
	struct running r;
	u32 children = 0;

	(void)state;
	start(&builds[0], &r);
	g_array_append_val(asked, wanted);
	g_array_append_val(asked, wanted);
	l = tls_lookup_new(asked, kernel_paths_host(), hear_whole, &children);
	for (u32 i = 0; i < 2; i++)
		tell_event(l, &inherited, i, &r);
	assert_int_equal(children, 2);
	tls_lookup_free(l);
	stop(&r);
}

/* What does not have the variable: said after a second, and only once. */
static void test_absent(void **state)
{
	static const struct activity_layout nowhere = { .format = ACTIVITY_HEX,
							.symbol = "unwanted" };
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&nowhere, &heard);
	u64 now = (u64)g_get_monotonic_time() * 1000;

	start(&builds[0], &r);
	heard.pid = (u32)r.pid;
	tls_lookup_process(l, (u32)r.pid);
	tls_lookup_retry(l, now + 500000000ull, 0);
	check_heard(&heard, "%s", "");
	tls_lookup_retry(l, now + 2000000000ull, 0);
	check_heard(&heard, "absent +0 at 0");
	tls_lookup_retry(l, now + 4000000000ull, 0);
	check_heard(&heard, "%s", "");
	tls_lookup_exec(l, (u32)r.pid, 70);
	check_heard(&heard, "gone +0 at 70");
	hear_no_more(l, &heard);
	stop(&r);
}

#define MS 1000000ull

/*
 * A library of this very process that is unloaded. When it is missed at time 2000 (of the newest
 * sample by then), samples of up to 2999 may still have been taken before: they are in the next round.
 */
static void test_unloaded(void **state)
{
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&wanted, &heard);
	u64 now = (u64)g_get_monotonic_time() * 1000;
	char *(*where)(void);
	void *library;

	(void)state;
	start(&builds[17], &r);
	assert_string_equal(builds[17].name, "loaded late, initial-exec");
	library = dlopen(r.library, RTLD_NOW);
	assert_non_null(library);
	where = (char *(*)(void))dlsym(library, "where");
	heard.pid = (u32)getpid();
	tls_lookup_process(l, heard.pid);
	check_heard(&heard, "found +0 at 0 lib.so %d",
		    (int)(where() - (char *)__builtin_thread_pointer()));
	tls_lookup_retry(l, now + 100 * MS, 1000);
	assert_int_equal(dlclose(library), 0);
	tls_lookup_retry(l, now + 200 * MS, 2000);
	tls_lookup_retry(l, now + 210 * MS, 2999);
	tls_lookup_retry(l, now + 300 * MS, 4000);
	check_heard(&heard, "%s", "");
	tls_lookup_retry(l, now + 400 * MS, 5000);
	check_heard(&heard, "sought +0 at 1000; withdrawn +0 at 3000");
	hear_no_more(l, &heard);
	stop(&r);
}

/* Rings that overwrite pass no samples before the end: nothing that was read before is lost. */
static void test_unloaded_unseen(void **state)
{
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&wanted, &heard);
	u64 now = (u64)g_get_monotonic_time() * 1000;
	void *library;

	(void)state;
	start(&builds[17], &r);
	library = dlopen(r.library, RTLD_NOW);
	assert_non_null(library);
	heard.pid = (u32)getpid();
	tls_lookup_process(l, heard.pid);
	g_string_truncate(heard.text, 0);
	assert_int_equal(dlclose(library), 0);
	for (u32 i = 1; i < 10; i++)
		tls_lookup_retry(l, now + i * 100 * MS, 0);
	check_heard(&heard, "%s", "");
	tls_lookup_retry(l, now + 1000 * MS, 7000);
	check_heard(&heard, "sought +0 at 0; withdrawn +0 at 7001");
	hear_no_more(l, &heard);
	stop(&r);
}

static void test_unfit(void **state)
{
	static const struct activity_layout too_much = {
		.format = ACTIVITY_UUID, .size = 16, .offset = 8, .symbol = "wanted"
	};
	struct running r;
	struct heard heard;
	struct tls_lookup *l = listen_to(&too_much, &heard);

	start(&builds[0], &r);
	tls_lookup_process(l, (u32)r.pid);
	check_heard(&heard, "%s", "");
	assert_int_equal(tls_lookup_counts(l)->unfit, 1);
	assert_non_null(
		strstr(tls_lookup_unfit(l), "'wanted' has 16 bytes, too few for 16 at offset 8"));
	hear_no_more(l, &heard);
	stop(&r);
}

/* Says that the program is for another machine. */
static void make_foreign(const char *path)
{
	static const u16 machine = EM_AARCH64;
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_int_equal(pwrite(fd, &machine, sizeof(machine), offsetof(Elf64_Ehdr, e_machine)),
			 sizeof(machine));
	close(fd);
}

/* What a file says before anything has mapped it. A file for another machine is told of if it defines the variable. */
static void check_program(const char *variable, bool defines)
{
	const struct build b = { "program", "-fPIE -pie", variable };
	g_autofree char *dir = g_dir_make_tmp("perf-tls-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "program", NULL);
	g_autofree char *source = g_strdup_printf("%s int main(void) { return 0; }\n", variable);
	g_autofree char *line = g_strdup_printf("rm -r '%s'", dir);
	g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(wanted));
	struct tls_objects *objects;
	struct tls_object *object;

	g_array_append_vals(asked, &wanted, 1);
	objects = tls_objects_new(asked, kernel_paths_host());
	write_file(dir, "program.c", source);
	assert_true(compile(&b, dir, "-w -O1 -o program program.c"));
	object = tls_object_read(objects, path);
	assert_non_null(object);
	assert_int_equal(object->mentions, defines);
	assert_int_equal(object->mention[0].defines, defines);
	assert_false(object->foreign);
	tls_object_free(object);
	make_foreign(path);
	object = tls_object_read(objects, path);
	assert_non_null(object);
	assert_false(object->mentions);
	assert_int_equal(object->foreign, defines);
	tls_object_free(object);
	tls_objects_free(objects);
	assert_int_equal(system(line), 0);
}

static void test_program_file(void **state)
{
	check_program(WANTED, true);
	check_program("__thread char other[16];", false);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builds),
		cmocka_unit_test(test_builds_musl),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_dynamic_musl),
		cmocka_unit_test(test_lives_of_processes),
		cmocka_unit_test(test_program_that_is_gone),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_all_at_once),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_unloaded),
		cmocka_unit_test(test_unloaded_unseen),
		cmocka_unit_test(test_unfit),
		cmocka_unit_test(test_program_file),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
