// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What samples are charged to, by all that a sample and its neighbours know: a program in assembly, samples at its
 * labels, and for each sample the label and the data that it is charged to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "dso/dsos.h"
#include "resolve/resolve.h"
#include "session/session.h"
#include "typeflow/typeflow.h"
#include "tests/unit/forged.h"

/*
 * `where` gets control from the load at `where_load`, and from `where_jump`, a jump behind a division. `both` gets it from
 * a load and from a compare of the same memory, `differ` from a push and from a compare. `head` is a function's entry, and
 * the target of a jump that is fused with the compare before. `entry` is called by `caller`, directly and through
 * memory. `guess` gets control from a load, and from a jump that depends on a register. `forward` jumps to a function through memory, `chosen` to one of two, `straight` to `entry`, `detour` to `forward`.
 */
static const char code[] =
	"where_f: test %rsi,%rsi; je 1f\n"
	"	mov (%rdi),%rcx; mov (%rdi),%rdx; add %rcx,%rdx; mov (%rdi),%rcx; add %rcx,%rdx\n"
	".Lwhere_load: mov (%rdi),%rax\n"
	".Lwhere: add $1,%rax; ret\n"
	"1:	mov %rsi,%rax; cqo; mov %rsi,%rcx\n"
	".Ldivision: idiv %rcx\n"
	".Lwhere_jump: js .Lwhere; jmp where_f\n"
	"both_f: test %rsi,%rsi; je 2f; mov (%rdi),%rax\n"
	".Lboth: add $1,%rax; ret\n"
	"2:	cmp %rsi,(%rdi); jne .Lboth; ret\n"
	"differ_f: test %rsi,%rsi; je 3f; push %rax\n"
	".Ldiffer: add $1,%rax; pop %rcx; ret\n"
	"3:	push %rax; cmp %rsi,(%rdi); jne .Ldiffer; pop %rcx; ret\n"
	"head_f: .Lhead: add $1,%rax\n"
	".Lcompare: cmp %rsi,(%rdi)\n"
	".Lhead_jump: jne .Lhead; ret\n"
	"entry: .Lentry: add $1,%rax; ret\n"
	"forward: .Lforward: jmp *16(%rdi)\n"
	"chosen: test %rsi,%rsi; je 4f; jmp *16(%rdi)\n"
	"4:	jmp *24(%rdi)\n"
	"straight: add $1,%rax\n"
	".Lstraight: jmp entry\n"
	"detour: add $1,%rax; jmp forward\n"
	"table: add $1,%rax; jmp *(%rdi,%rsi,8)\n"
	"caller:\n"
	".Ldirect: call entry\n"
	".Lbehind_direct: add $1,%rax\n"
	".Lmemory: call *8(%rdi)\n"
	".Lbehind_memory: add $1,%rax\n"
	".set .Llast_of_memory, .Lbehind_memory - 1\n"
	".Lother: call both_f\n"
	".Lbehind_other: call forward\n"
	".Lbehind_forward: call chosen\n"
	".Lbehind_chosen: call straight\n"
	".Lbehind_straight: call detour\n"
	".Lbehind_detour: call table\n"
	".Lbehind_table: ret\n";

/* Each function ends where the next one begins. */
static const char *const functions[] = { "where_f", "both_f",  "differ_f", "head_f",
					 "entry",   "forward", "chosen",   "straight",
					 "detour",  "table",   "caller" };

static const char *const names[] = {
	"where",	 "where_load",	    "where_jump",     "division",     "both",
	"entry",	 "direct",	    "behind_direct",  "memory",	      "behind_memory",
	"other",	 "behind_other",    "last_of_memory", "differ",	      "head",
	"compare",	 "head_jump",	    "forward",	      "straight",     "behind_forward",
	"behind_chosen", "behind_straight", "behind_detour",  "behind_table", "global",
	"behind_global", "guess",	    "guess_load"
};

struct program {
	char *folder, *path;
	u64 address[ARRAY_SIZE(names)];
};

static u64 address_of(const struct program *p, const char *name, size_t size)
{
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == size && !strncmp(names[i], name, size))
			return p->address[i];
	fail_msg("no label %.*s", (int)size, name);
	return 0;
}

static void build(struct program *p)
{
	/* A call through a variable, whose type is known. */
	g_autoptr(GString) source = g_string_new(
		"struct ops { long nr; void (*run)(void); } ops;\n"
		"int main(void) {\n"
		"asm volatile(\".Lglobal: call *ops+8(%rip)\\n.Lbehind_global: nop\");\n"
		"asm volatile(\"test %rsi,%rsi; js .Lguess\\n.Lguess_load: mov "
		"ops(%rip),%rax\\n\"\n"
		"	     \".Lguess: add $1,%rax\");\n"
		"return 0; }\n");
	g_autofree char *c = NULL, *line = NULL;
	g_auto(GStrv) lines = g_strsplit(code, "\n", -1);
	const struct symbol *table;
	struct dsos *dsos;
	struct dso *dso;
	const u8 *bytes;
	size_t left;

	for (u32 i = 0; lines[i]; i++)
		g_string_append_printf(source, "asm(\"%s\");\n", g_strstrip(lines[i]));
	for (u32 i = 0; i < ARRAY_SIZE(functions); i++)
		g_string_append_printf(source,
				       "asm(\".type %1$s,@function; .size %1$s,%2$s-%1$s\");\n",
				       functions[i],
				       i + 1 < ARRAY_SIZE(functions) ? functions[i + 1] : ".");
	/* Where the labels are: a function of addresses, which no sample hits. */
	g_string_append(source, "asm(\".type labels,@function; labels:\");\n");
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		g_string_append_printf(source, "asm(\".quad .L%s\");\n", names[i]);
	g_string_append(source, "asm(\".size labels,.-labels\");\n");
	p->folder = g_dir_make_tmp("waited-XXXXXX", NULL);
	c = g_build_filename(p->folder, "source.c", NULL);
	p->path = g_build_filename(p->folder, "program", NULL);
	assert_true(g_file_set_contents(c, source->str, -1, NULL));
	line = g_strdup_printf("gcc -g -no-pie -Wl,--build-id -o '%s' '%s'", p->path, c);
	assert_int_equal(system(line), 0);
	dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder });
	dso = dsos_get(dsos, p->path, NULL, 0, DSO_USER);
	table = dso_symbol_named(dso, "labels");
	assert_non_null(table);
	bytes = dso_code(dso, table->start, &left);
	assert_non_null(bytes);
	assert_true(left >= sizeof(p->address));
	memcpy(p->address, bytes, sizeof(p->address));
	dsos_free(dsos);
}

static void remove_program(struct program *p)
{
	g_autofree char *line = g_strdup_printf("rm -r '%s'", p->folder);

	assert_int_equal(system(line), 0);
	g_free(p->folder);
	g_free(p->path);
}

/* Replaces "{label}" in @text by the label's address. */
static char *with_addresses(const struct program *p, const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *at = text; *at; at++) {
		const char *end = *at == '{' ? strchr(at, '}') : NULL;

		if (!end) {
			g_string_append_c(out, *at);
			continue;
		}
		g_string_append_printf(out, "%#" G_GINT64_MODIFIER "x",
				       address_of(p, at + 1, (size_t)(end - at - 1)));
		at = end;
	}
	return g_string_free(out, FALSE);
}

struct reading {
	const struct program *program;
	GString *text;
};

static const char *name_of(const struct program *p, u64 va)
{
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (p->address[i] == va)
			return names[i];
	return "elsewhere";
}

/* "where_load (unknown)"; with a chain, its frames behind; with "?" a type that is only likely. */
static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct reading *r = arg;

	g_string_append_printf(r->text, "%s%s %s", r->text->len ? ", " : "",
			       name_of(r->program, place->ip->va),
			       place->access ? access_type_name(place->access) : "-");
	if (place->access && place->access->type &&
	    access_rank(place->access) == ACCESS_RANK_INFERRED)
		g_string_append_c(r->text, '?');
	for (u32 i = 0; i < place->nr_chain; i++)
		g_string_append_printf(r->text, " < %s", name_of(r->program, place->chain[i]->va));
	return true;
}

static char *charged_from(const struct program *p, const char *head, const char *samples, u32 needs,
			  enum skid_mode mode, enum access_rank min)
{
	g_autofree char *text = g_strdup_printf(
		"info cpuid=GenuineIntel,6,85,7\n%s\n"
		"mmap pid=-1 start=0xffffffff81000000 len=0x1000 pgoff=0xffffffff81000000 "
		"file=[kernel.kallsyms]_text misc=kernel\ncomm pid=7 text=x misc=exec time=1\n"
		"mmap2 pid=7 start=0x400000 len=0x10000 pgoff=0 prot=5 file=%s time=2 "
		"misc=user\n%s\n",
		head, p->path, samples);
	g_autofree char *forged = with_addresses(p, text);
	g_autofree char *path = forged_file(forged);
	struct session_options options = {
		.input = path, .skid = mode, .type_min = min, .threads = 1
	};
	struct reading r = { p, g_string_new(NULL) };
	g_autoptr(GError) error = NULL;
	struct session *session;

	options.dso.buildid_dir = p->folder;
	session = session_open(&options, &error);
	assert_null(error);
	assert_true(session_each_sample(session, needs, take, &r, &error));
	session_close(session);
	unlink(path);
	return g_string_free(r.text, FALSE);
}

static char *charged(const struct program *p, const char *head, const char *samples, u32 needs,
		     enum skid_mode mode)
{
	return charged_from(p, head, samples, needs, mode, ACCESS_RANK_INFERRED);
}

#define CLOCK	"event cpu-clock sample_type=IP|TID|TIME|PERIOD"
#define CHAINED "event cpu-clock sample_type=IP|TID|TIME|PERIOD|CALLCHAIN"
#define BRANCHES                                                                                   \
	"event cycles type=hardware config=0 sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK "         \
	"branch_type=ANY"
#define CALLS                                                                                      \
	"event cycles type=hardware config=0 sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK "         \
	"branch_type=USER|ANY_CALL"
#define CALL_STACK                                                                                 \
	"event cycles type=hardware config=0 sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK "         \
	"branch_type=USER|CALL_STACK"
#define STACKED                                                                                    \
	"event cpu-clock sample_type=IP|TID|TIME|PERIOD|REGS_USER|STACK_USER regs_user=0xff0fff "  \
	"stack_user=16"
#define WATCH	  "event mem:0x1000:rw type=breakpoint bp_type=3 sample_type=IP|TID|TIME|PERIOD"
#define AT(label) "sample misc=user pid=7 time=10 ip={" label "}"

#define BOTH (NEED_DATA_TYPE | NEED_CHARGED)

static const struct {
	const char *what, *head, *samples, *expected;
	u32 needs;
	enum skid_mode mode;
	enum access_rank min;
} rules[] = {
	{ "one way", CLOCK, AT("where_jump"), "division (no memory access)", BOTH },
	{ "several ways, one access", CLOCK, AT("where"), "where_load (unknown)", BOTH },
	/* The other way is a jump that waits only if it was mispredicted. Most samples of that are further on, so it is never the answer. */
	{ "several ways, the load is likely", CLOCK, AT("guess"), "guess_load struct ops?", BOTH },
	{ "several ways, the load is not certain", CLOCK, AT("guess"), "guess_load (unknown)", BOTH,
	  SKID_AUTO, ACCESS_RANK_FLOW },
	{ "several ways, other data", CLOCK, AT("differ"), "differ (one of several)", BOTH },
	{ "several ways, without data", CLOCK, AT("where"), "where -", NEED_CHARGED },
	{ "several ways, the same data", CLOCK, AT("both"), "both (unknown)", BOTH },
	{ "behind a call", CLOCK, AT("behind_direct"), "behind_direct (stack operation)", BOTH },
	{ "not charged", CLOCK, AT("where_jump"), "where_jump (no memory access)", BOTH,
	  SKID_SAMPLED },
	{ "measured: samples name the instruction that waited",
	  CLOCK "\nnote 'skid.cpu-clock=240 samples: 1 after, 239 at, 0 elsewhere'",
	  AT("where_jump"), "where_jump (no memory access)", BOTH },
	{ "the measurement does not count",
	  CLOCK "\nnote 'skid.cpu-clock=240 samples: 1 after, 239 at, 0 elsewhere'",
	  AT("where_jump"), "division (no memory access)", BOTH, SKID_BEFORE },
	{ "measured: neither",
	  CLOCK "\nnote 'skid.cpu-clock=240 samples: 120 after, 120 at, 0 elsewhere'",
	  AT("where_jump"), "division (no memory access)", BOTH },
	{ "a measurement of another event",
	  CLOCK "\nnote 'skid.cycles=240 samples: 1 after, 239 at, 0 elsewhere'", AT("where_jump"),
	  "division (no memory access)", BOTH },
	{ "a damaged measurement", CLOCK "\nnote 'skid.cpu-clock=240 samples: 1 after, 239 at'",
	  AT("where_jump"), "division (no memory access)", BOTH },
	{ "data is charged, the place is not", CLOCK, AT("behind_memory"),
	  "behind_memory (stack operation)", NEED_DATA_TYPE },
	{ "a watched address was accessed by the way that accesses memory", WATCH, AT("where"),
	  "where_load (unknown)", BOTH },
	{ "the last branch went to the sample", BRANCHES,
	  AT("where") " branches={where_jump}:{where}:0", "where_jump (no memory access)", BOTH },
	{ "the last branch went to the block before", BRANCHES,
	  AT("where") " branches={where_jump}:{where_load}:0", "where_load (unknown)", BOTH },
	{ "an entry without its caller", CLOCK, AT("entry"), "entry (function entry)", BOTH },
	{ "an entry by a direct call", CHAINED,
	  AT("entry") " chain=user,{entry},{behind_direct},{behind_other}",
	  "direct (stack operation) < direct < behind_other", BOTH | NEED_CHAIN },
	{ "a chain that was unwound while recording has the call's last byte", CHAINED,
	  AT("entry") " chain=user,{entry},{last_of_memory}", "memory (unknown) < memory",
	  BOTH | NEED_CHAIN },
	{ "a chain by frame pointers has the caller's caller", CHAINED,
	  AT("entry") " chain=user,{entry},{behind_other}",
	  "entry (function entry) < entry < behind_other", BOTH | NEED_CHAIN },
	{ "whose call through memory may have been of another function", CHAINED,
	  AT("entry") " chain=user,{entry},{behind_memory}",
	  "entry (function entry) < entry < behind_memory", BOTH | NEED_CHAIN },
	{ "the last branch is fused with a compare", BRANCHES,
	  AT("head") " branches={head_jump}:{head}:0", "compare (unknown)", BOTH },
	{ "the last branch came from a caller", BRANCHES, AT("head") " branches={other}:{head}:0",
	  "other (stack operation)", BOTH },
	{ "only calls were recorded, and the head of a loop is a function's entry", CALLS,
	  AT("head") " branches={other}:{head}:0", "head (one of several)", BOTH },
	{ "only calls were recorded, and a loop ends", CALLS,
	  AT("where") " branches={other}:{where_load}:0", "where_load (unknown)", BOTH },
	{ "a call stack, at the head of a loop", CALL_STACK,
	  AT("head") " branches={other}:{head}:0", "head (one of several)", BOTH },
	{ "a call stack, at an entry", CALL_STACK, AT("entry") " branches={memory}:{entry}:0",
	  "memory (unknown)", BOTH },
	{ "the kernel went back to the program", BRANCHES,
	  AT("where") " branches=0xffffffff81000100:{where}:0", "where (return from kernel)",
	  BOTH },
	{ "the chain of a sample that is charged elsewhere in its function", CHAINED,
	  AT("where_jump") " chain=user,{where_jump},{behind_direct}",
	  "division (no memory access) < division < behind_direct", BOTH | NEED_CHAIN | NEED_INSN },
	{ "the chain stays where only its function counts", CHAINED,
	  AT("where_jump") " chain=user,{where_jump},{behind_direct}",
	  "division (no memory access) < where_jump < behind_direct", BOTH | NEED_CHAIN },
};

static void test_rules(void **state)
{
	struct program p;
	u32 failed = 0;

	build(&p);
	for (u32 i = 0; i < ARRAY_SIZE(rules); i++) {
		g_autofree char *got = charged_from(&p, rules[i].head, rules[i].samples,
						    rules[i].needs, rules[i].mode, rules[i].min);

		if (!strcmp(got, rules[i].expected))
			continue;
		print_message("%s: %s, not %s\n", rules[i].what, got, rules[i].expected);
		failed++;
	}
	remove_program(&p);
	assert_int_equal(failed, 0);
}

/* Where @place is charged to, and how far from its place in the file that is: "division +0x100000". */
static bool take_moved(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct reading *r = arg;

	g_string_append_printf(r->text, "%s%s +%#" G_GINT64_MODIFIER "x", r->text->len ? ", " : "",
			       name_of(r->program, place->ip->vaddr),
			       place->ip->va - place->ip->vaddr);
	return true;
}

/*
 * Processes that have one file at different places are charged alike, each at its own place. If only types are asked for, other
 * processes need no code of that place: that of the sample has the same function.
 */
static const struct {
	u32 needs;
	const char *expected;
} processes[] = {
	{ BOTH, "division +0, where_jump +0x100000, division +0" },
	/* The samples have no chain. */
	{ BOTH | NEED_CHAIN | NEED_INLINE, "division +0, where_jump +0x100000, division +0" },
	{ BOTH | NEED_SYMBOL, "division +0, division +0x100000, division +0" },
	{ BOTH | NEED_INSN, "division +0, division +0x100000, division +0" },
};

static void test_processes(void **state)
{
	g_autofree char *text = NULL, *path = NULL;
	struct program p;
	struct reading r = { &p, g_string_new(NULL) };
	struct session_options options = { .threads = 1 };
	g_autoptr(GError) error = NULL;
	struct session *session;
	u64 va;

	build(&p);
	va = address_of(&p, "where_jump", strlen("where_jump"));
	text = g_strdup_printf("info cpuid=GenuineIntel,6,85,7\n" CLOCK "\n"
			       "comm pid=7 text=x misc=exec time=1\n"
			       "comm pid=8 text=x misc=exec time=1\n"
			       "mmap2 pid=7 start=0x400000 len=0x10000 pgoff=0 prot=5 file=%1$s "
			       "time=2 misc=user\n"
			       "mmap2 pid=8 start=0x500000 len=0x10000 pgoff=0 prot=5 file=%1$s "
			       "time=2 misc=user\n"
			       "sample misc=user pid=7 time=10 ip=%2$#" G_GINT64_MODIFIER "x\n"
			       "sample misc=user pid=8 time=11 ip=%3$#" G_GINT64_MODIFIER "x\n"
			       "sample misc=user pid=7 time=12 ip=%2$#" G_GINT64_MODIFIER "x\n",
			       p.path, va, va + 0x100000);
	path = forged_file(text);
	options.input = path;
	options.dso.buildid_dir = p.folder;
	session = session_open(&options, &error);
	assert_null(error);
	for (u32 i = 0; i < ARRAY_SIZE(processes); i++) {
		g_string_truncate(r.text, 0);
		assert_true(
			session_each_sample(session, processes[i].needs, take_moved, &r, &error));
		assert_string_equal(r.text->str, processes[i].expected);
	}
	session_close(session);
	unlink(path);
	g_string_free(r.text, TRUE);
	remove_program(&p);
}

/* At the first instruction, the return address is where the copy of the stack begins. */
static const struct {
	const char *back, *sampled, *expected;
	enum access_rank min;
} entries[] = {
	{ "behind_direct", AT("entry"), "direct (stack operation)" },
	{ "behind_memory", AT("entry"), "memory (unknown)" },
	/* Jumps of the called function. */
	{ "behind_forward", AT("entry"), "forward (unknown)" },
	{ "behind_straight", AT("entry"), "straight (no memory access)" },
	{ "behind_detour", AT("entry"), "forward (unknown)" },
	{ "behind_chosen", AT("entry"), "entry (function entry)" },
	{ "behind_table", AT("entry"), "entry (function entry)" },
	{ "behind_other", AT("entry"), "entry (function entry)" },
	/* The called function may have jumped to this one. */
	{ "behind_global", AT("entry"), "global struct ops?" },
	{ "behind_global", AT("entry"), "global (unknown)", ACCESS_RANK_FLOW },
};

static void test_stack(void **state)
{
	struct program p;
	u32 failed = 0;

	build(&p);
	for (u32 i = 0; i < ARRAY_SIZE(entries); i++) {
		u64 back = GUINT64_TO_LE(address_of(&p, entries[i].back, strlen(entries[i].back)));
		g_autoptr(GString) sample = g_string_new(entries[i].sampled);
		g_autofree char *got = NULL;

		g_string_append(sample, " stack=");
		for (u32 k = 0; k < sizeof(back); k++)
			g_string_append_printf(sample, "%02x", ((u8 *)&back)[k]);
		got = charged_from(&p, STACKED, sample->str, BOTH, SKID_AUTO, entries[i].min);
		if (!strcmp(got, entries[i].expected))
			continue;
		print_message("%s: %s, not %s\n", entries[i].back, got, entries[i].expected);
		failed++;
	}
	remove_program(&p);
	assert_int_equal(failed, 0);
}

/* Where the samples are almost all in one of the blocks before, control came from there. */
static void test_samples_decide(void **state)
{
	g_autoptr(GString) samples = g_string_new(NULL);
	g_autofree char *got = NULL;
	g_auto(GStrv) all = NULL;
	struct program p;

	build(&p);
	for (u32 i = 0; i < 400; i++)
		g_string_append(samples, AT("where_load") "\n");
	g_string_append(samples, AT("where"));
	got = charged(&p, CLOCK, samples->str, BOTH, SKID_AUTO);
	all = g_strsplit(got, ", ", -1);
	assert_string_equal(all[g_strv_length(all) - 1], "where_load (unknown)");
	remove_program(&p);
}

struct counting {
	struct session_feed feed;
	GString *text;
	const struct program *program;
};

static void where_told(struct session_feed *feed, const struct place *place, u32 filtered)
{
	struct counting *c = container_of(feed, struct counting, feed);

	g_string_append_printf(c->text, "%s%s", c->text->len ? ", " : "",
			       name_of(c->program, place->ip->va));
}

static void who_told(struct session_feed *feed, const struct place *place)
{
}

static void add_told(struct session_feed *feed, const struct session_share *shares, u32 nr)
{
}

static void forget_told(struct session_feed *feed)
{
}

/* Samples at an entry are alike only if their callers are. They are told apart without their chains. */
static void test_callers_of_alike(void **state)
{
	static const struct {
		const char *ip, *callers;
	} chains[] = { { "entry", "{behind_direct}" },
		       { "entry", "{last_of_memory}" },
		       { "entry", "{behind_direct},{behind_other}" },
		       { "where_jump", "{behind_direct}" },
		       { "where_jump", "{behind_other}" } };
	struct counting c = { .feed = { .needs = BOTH,
					.where = where_told,
					.who = who_told,
					.add = add_told,
					.forget = forget_told },
			      .text = g_string_new(NULL) };
	g_autofree char *text = NULL, *forged = NULL, *path = NULL;
	g_autoptr(GString) samples = NULL;
	struct program p;
	struct session_options options = { .threads = 1 };
	g_autoptr(GError) error = NULL;
	struct session *session;

	build(&p);
	c.program = &p;
	samples = g_string_new(NULL);
	for (u32 i = 0; i < ARRAY_SIZE(chains); i++)
		g_string_append_printf(
			samples,
			"sample misc=user pid=7 time=10 ip={%1$s} chain=user,{%1$s},%2$s\n",
			chains[i].ip, chains[i].callers);
	text = g_strdup_printf(
		"info cpuid=GenuineIntel,6,85,7\n" CHAINED "\ncomm pid=7 text=x misc=exec time=1\n"
		"mmap2 pid=7 start=0x400000 len=0x10000 pgoff=0 prot=5 file=%s time=2 "
		"misc=user\n%s",
		p.path, samples->str);
	forged = with_addresses(&p, text);
	path = forged_file(forged);
	options.input = path;
	options.dso.buildid_dir = p.folder;
	session = session_open(&options, &error);
	assert_null(error);
	assert_true(session_can_feed(session, BOTH));
	assert_true(session_feed(session, &c.feed, &error));
	assert_string_equal(c.text->str, "direct, memory, division");
	session_close(session);
	unlink(path);
	g_string_free(c.text, TRUE);
	remove_program(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_samples_decide),
		cmocka_unit_test(test_callers_of_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
