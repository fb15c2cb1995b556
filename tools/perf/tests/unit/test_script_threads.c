// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What perf script prints is the same by one thread, two and three, byte for byte: its lines, what
 * it says on stderr, its exit status. The recordings are drawn by chance from a fixed seed: threads
 * that change their names, processes that map, fork and exec, two events, chains, rounds.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib.h>

#include "base/types.h"
#include "cli/config.h"
#include "cmd/cmd.h"
#include "forged.h"
#include "programs.h"
#include "sanitized.h"

/* So many that every thread has several batches. */
#define NR_SAMPLES (SANITIZED ? 8000 : 12000)

/* That are compared with one. */
#define FEWEST_THREADS (SANITIZED ? 3 : 2)

/* The call chain of one sample, which a test damages. */
#define MARKER 0xfeedf00dull

static void add_change(GString *t, u64 *state, u64 time)
{
	static const char *const files[] = { "/none/a", "/none/b", "/none/c.so" };
	u32 pid = 10 + (u32)forged_draw(state, 4), tid = pid * 10 + (u32)forged_draw(state, 3);
	unsigned long long at = time;

	switch (forged_draw(state, 5)) {
	case 0:
		g_string_append_printf(t, "comm pid=%u tid=%u text=name%u time=%llu\n", pid, tid,
				       (u32)forged_draw(state, 4), at);
		break;
	case 1:
		g_string_append_printf(
			t, "mmap2 pid=%u start=%#x len=0x4000 file=%s misc=user time=%llu\n", pid,
			0x10000 + (u32)forged_draw(state, 4) * 0x2000, files[forged_draw(state, 3)],
			at);
		break;
	case 2:
		g_string_append_printf(t, "fork pid=%u ppid=%u tid=%u ptid=%u time=%llu\n", pid,
				       10 + (u32)forged_draw(state, 4), pid * 10 + 3, pid * 10, at);
		break;
	case 3:
		g_string_append_printf(t, "comm pid=%u tid=%u text=new misc=exec time=%llu\n", pid,
				       pid, at);
		break;
	default:
		g_string_append_printf(t, "exit pid=%u ppid=%u tid=%u ptid=%u time=%llu\n", pid,
				       pid, tid, pid * 10, at);
	}
}

static void add_sample(GString *t, u64 *state, u64 time, u64 caller)
{
	u32 pid = 10 + (u32)forged_draw(state, 5), tid = pid * 10 + (u32)forged_draw(state, 4);
	bool kernel = !forged_draw(state, 4);
	u64 ip = (kernel ? 0xffffffff81000000 : 0x10000) + forged_draw(state, 8) * 0x1000;

	g_string_append_printf(t,
			       "sample event=%u pid=%u tid=%u ip=%#llx time=%llu cpu=%u period=%u "
			       "misc=%s chain=%s,%#llx,%#llx addr=%#x\n",
			       (u32)forged_draw(state, 2), pid, tid, (unsigned long long)ip,
			       (unsigned long long)time, (u32)forged_draw(state, 3),
			       1 + (u32)forged_draw(state, 5), kernel ? "kernel" : "user",
			       kernel ? "kernel" : "user", (unsigned long long)ip,
			       (unsigned long long)caller,
			       0x10000 + (u32)forged_draw(state, 3) * 0x1000);
}

struct kind {
	const char *first, *second; /* event lines */
	bool by_rounds;		    /* times go back within a round */
	bool damaged;		    /* a sample behind the middle states too many callers */
};

static const struct kind plain = {
	"event cpu-clock sample_type=IDENTIFIER|IP|TID|TIME|ADDR|CPU|PERIOD",
	"event task-clock sample_type=IDENTIFIER|IP|TID|TIME|ADDR|CPU|PERIOD", false, false
};
static const struct kind chains = {
	"event cpu-clock sample_type=IDENTIFIER|IP|TID|TIME|ADDR|CPU|PERIOD|CALLCHAIN",
	"event task-clock sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD", true, false
};
static const struct kind tracepoints = {
	"event sched:sched_switch type=tracepoint config=3 "
	"sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN",
	"event task-clock sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN", true, false
};
static const struct kind damaged = {
	"event cpu-clock sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN",
	"event task-clock sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN", true, true
};

/* The marker is the third word of its call chain; its number of words stands before it. */
static void damage(u64 *words, size_t nr)
{
	size_t i = 3;

	while (i < nr && words[i] != MARKER)
		i++;
	assert_true(i < nr);
	assert_int_equal(words[i - 3], 3);
	words[i - 3] = 1 << 20;
}

static char *recording(u64 seed, const struct kind *kind)
{
	GString *t = g_string_new(NULL);
	u64 state = seed;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *copy = NULL;
	char path[] = "/tmp/test-perf-script.XXXXXX";
	int fd = mkstemp(path);
	size_t size;

	g_string_append_printf(t, "%s\n%s\n", kind->first, kind->second);
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		u64 time = 1000000 + (kind->by_rounds ? i ^ 63 : i) * 1000;

		if (!forged_draw(&state, 40))
			add_change(t, &state, time - forged_draw(&state, 3) * 10000);
		add_sample(t, &state, time,
			   kind->damaged && i == NR_SAMPLES / 3 * 2
				   ? MARKER
				   : 0x10000 + forged_draw(&state, 3) * 0x1000);
		if (kind->by_rounds && i % 1024 == 1023)
			g_string_append(t, "finished_round\n");
	}
	bytes = forge_text(t->str, &error);
	g_string_free(t, TRUE);
	assert_null(error);
	assert_true(fd >= 0);
	size = g_bytes_get_size(bytes);
	copy = g_memdup2(g_bytes_get_data(bytes, NULL), size);
	if (kind->damaged)
		damage((u64 *)(void *)copy, size / sizeof(u64));
	assert_int_equal(write(fd, copy, size), size);
	close(fd);
	return g_strdup(path);
}

struct printed {
	int status;
	char *out, *err;
	size_t size;
};

static int redirect(int fd, const char *path)
{
	int kept = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(kept >= 0 && to >= 0);
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	assert_int_equal(dup2(to, fd), fd);
	close(to);
	return kept;
}

static void put_back(int fd, int kept)
{
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	dup2(kept, fd);
	close(kept);
}

/* perf script -i @path --threads @threads @words... */
static void run(const char *path, const char *threads, const char *words, struct printed *p)
{
	g_autofree char *line =
		g_strdup_printf("script -i %s --threads %s %s", path, threads, words);
	g_autofree char *out = g_strconcat(path, ".out", NULL);
	g_autofree char *err = g_strconcat(path, ".err", NULL);
	g_auto(GStrv) words_owned = NULL;
	g_autofree char **argv = NULL; /* the command moves words about */
	struct config *config = config_load(CONFIG_ALL);
	int argc, out_kept, err_kept;

	assert_true(g_shell_parse_argv(line, &argc, &words_owned, NULL));
	argv = g_memdup2(words_owned, ((size_t)argc + 1) * sizeof(*argv));
	out_kept = redirect(STDOUT_FILENO, out);
	err_kept = redirect(STDERR_FILENO, err);
	p->status = cmd_script.run(config, argc, argv);
	put_back(STDOUT_FILENO, out_kept);
	put_back(STDERR_FILENO, err_kept);
	assert_true(g_file_get_contents(out, &p->out, &p->size, NULL));
	assert_true(g_file_get_contents(err, &p->err, NULL, NULL));
	unlink(out);
	unlink(err);
	config_free(config);
}

static void printed_free(struct printed *p)
{
	g_free(p->out);
	g_free(p->err);
}

/* What one thread prints, which is what two and three print; printed_free(). */
static struct printed assert_same(const char *path, const char *words)
{
	struct printed one, more;

	run(path, "1", words, &one);
	for (u32 n = FEWEST_THREADS; n <= 3; n++) {
		run(path, n == 2 ? "2" : "3", words, &more);
		if (one.size != more.size || memcmp(one.out, more.out, one.size))
			fail_msg("%u threads print other lines of '%s'", n, words);
		assert_string_equal(one.err, more.err);
		assert_int_equal(one.status, more.status);
		printed_free(&more);
	}
	return one;
}

static void assert_lines(const struct kind *kind, const char *const *words, u32 nr)
{
	g_autofree char *path = recording(88172645463325252ull, kind);

	for (u32 i = 0; i < nr; i++) {
		struct printed one = assert_same(path, words[i]);

		assert_int_equal(one.status, 0);
		assert_true(one.size > 10000);
		printed_free(&one);
	}
	unlink(path);
}

static const char *const usual[] = {
	"",
	"-F comm,pid,tid,cpu,time,event,ip,sym,dso --ns",
	"-F +tgid,+activity",
	"--show-task-events --show-mmap-events --show-round-events",
	"--comms name1,new",
	"--tid 101,110,121 -C 1",
	"--time 10%-60% --dsos a,[unknown]",
	"--reltime",
	"--reltime --tid 101 --show-task-events",
	"--deltatime",
};

static void lines_are_the_same(void **state)
{
	assert_lines(&plain, usual, ARRAY_SIZE(usual));
}

static void chains_are_the_same(void **state)
{
	static const char *const more[] = { "-G", "--max-stack 1", "-F ip,sym,symoff,dsoff",
					    "--format json", "--format csv" };

	assert_lines(&chains, usual, ARRAY_SIZE(usual));
	assert_lines(&chains, more, ARRAY_SIZE(more));
}

static void dumps_are_the_same(void **state)
{
	static const char *const some[] = { "-D", "-D --tid 101 --reltime",
					    "--dump-unsorted-raw-trace" };

	assert_lines(&chains, some, ARRAY_SIZE(some));
}

static void tracepoints_are_the_same(void **state)
{
	static const char *const some[] = { "-F -trace", "-F -trace --show-task-events" };

	assert_lines(&tracepoints, some, ARRAY_SIZE(some));
}

/* What stands before a record that cannot be read is printed, and then the error. */
static void a_damaged_record_ends_it(void **state)
{
	g_autofree char *path = recording(7919, &damaged);
	struct printed by_time = assert_same(path, ""), most = assert_same(path, "--tid 100,110");

	assert_int_not_equal(by_time.status, 0);
	assert_true(by_time.size > 10000);
	assert_non_null(strstr(by_time.err, "malformed"));
	assert_int_not_equal(most.status, 0);
	printed_free(&by_time);
	printed_free(&most);
	unlink(path);
}

/* Samples at instructions of a program, which is mapped where it states it. */
static char *recording_of(const char *program, const GArray *instructions)
{
	g_autoptr(GString)
		t = g_string_new("event cpu-clock sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD\n");
	u64 state = 1234567;

	g_string_append_printf(
		t, "mmap2 pid=10 start=0x400000 len=0x100000 file=%s misc=user time=1\n", program);
	for (u32 i = 0; i < NR_SAMPLES; i++)
		g_string_append_printf(
			t, "sample event=0 pid=10 tid=10 ip=%#llx time=%u cpu=1 misc=user\n",
			(unsigned long long)g_array_index(instructions, u64,
							  forged_draw(&state, instructions->len)),
			1000 + i);
	return forged_file(t->str);
}

static void data_types_are_the_same(void **state)
{
	static const char *const some[] = { "-F ip,type", "-F comm,typeoff,typecln",
					    "-F ip,typeoff --format json" };
	g_autofree char *path = NULL;
	g_autoptr(GArray) all = NULL;
	struct dsos *dsos;
	char *folder;
	struct dso *dso = program_build("gcc -g -O2 -no-pie", &folder, &dsos);

	all = program_instructions(dso);
	path = recording_of(dso_long_name(dso), all);
	setenv("PERF_TYPES_CACHE", "", true);
	for (u32 i = 0; i < ARRAY_SIZE(some); i++) {
		struct printed one = assert_same(path, some[i]);

		assert_int_equal(one.status, 0);
		assert_non_null(strstr(one.out, "struct node"));
		printed_free(&one);
	}
	unlink(path);
	dsos_free(dsos);
	program_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_the_same),
		cmocka_unit_test(chains_are_the_same),
		cmocka_unit_test(dumps_are_the_same),
		cmocka_unit_test(tracepoints_are_the_same),
		cmocka_unit_test(data_types_are_the_same),
		cmocka_unit_test(a_damaged_record_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
