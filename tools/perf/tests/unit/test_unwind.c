// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call chains from registers and stacks are those that libgcc's backtrace() found in the running program:
 * at every instruction of functions of all kinds, by two compilers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <dlfcn.h>

#include <glib/gstdio.h>

#include "tests/unwind/stacks.h"
#include "tests/unit/have.h"

#define FRAMES 512

struct build {
	char *dir, *path;
	struct stacks *stacks;
};

static void run(const char *command)
{
	if (system(command))
		fail_msg("%s: failed", command);
}

/* Builds and runs the program; skips the test where the compiler is not here. */
static struct build take(const char *compile, unsigned int stride)
{
	const char *top = getenv("SRC");
	struct build b = { .dir = g_dir_make_tmp("unwind.XXXXXX", NULL) };
	g_autofree char *command = NULL;

	if (!have(compile)) {
		g_rmdir(b.dir);
		g_free(b.dir);
		print_message("%s is not here\n", compile);
		skip();
	}
	b.path = g_build_filename(b.dir, "stacks", NULL);
	command = g_strdup_printf(
		"cd %s && %s -w -o stepped %s/tools/perf/tests/unwind/programs/stepped.c "
		"&& ./stepped %s %u",
		b.dir, compile, top ? top : ".", b.path, stride);
	run(command);
	b.stacks = stacks_open(b.path);
	return b;
}

static void done(struct build *b)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s", b->dir);

	stacks_close(b->stacks);
	run(command);
	g_free(b->dir);
	g_free(b->path);
}

static void show(const char *whose, const struct unwind_frame *frames, const u64 *ips, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		print_message("%s %u: %#llx\n", whose, i,
			      (unsigned long long)(frames ? frames[i].ip : ips[i]));
}

static bool equal(const struct taken *t, const struct unwind_frame *frames, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (frames[i].ip != t->ips[i])
			return false;
	return true;
}

static void check_whole(const char *compile, struct unwinder *u, const struct taken *t, u32 nth)
{
	struct unwind_frame frames[FRAMES];
	struct unwind_end end;
	u32 nr = unwinder_walk(u, &t->stack, frames, FRAMES, &end);

	/* A static program's PLT has no call-frame information: libgcc stops there, we look at the instructions. */
	if (t->nr_ips == 1 && nr > 1 && end.why == UNWIND_ROOT)
		return;
	if (nr == t->nr_ips && equal(t, frames, nr) && end.why == UNWIND_ROOT)
		return;
	show("ours", frames, NULL, nr);
	show("libgcc", NULL, t->ips, t->nr_ips);
	fail_msg("%s: stack %u of pc %#llx: %u frames of %u, then: %s (%#llx)", compile, nth,
		 (unsigned long long)t->stack.regs[CFI_RIP], nr, t->nr_ips,
		 unwind_why_text(end.why), (unsigned long long)end.address);
}

/* Of what is cut off, the frames in front are the same, and the end says what is missing. */
static void check_cut(struct unwinder *u, const struct taken *t, u64 size)
{
	struct unwind_frame frames[FRAMES];
	struct unwind_stack cut = t->stack;
	struct unwind_end end;
	u32 nr;

	if (size >= cut.size || t->nr_ips == 1)
		return;
	cut.size = size;
	nr = unwinder_walk(u, &cut, frames, FRAMES, &end);
	assert_true(nr && nr < t->nr_ips && equal(t, frames, nr));
	if (end.why != UNWIND_CUT)
		fail_msg("pc %#llx, %llu bytes: %u frames of %u, then: %s (%#llx)",
			 (unsigned long long)t->stack.regs[CFI_RIP], (unsigned long long)size, nr,
			 t->nr_ips, unwind_why_text(end.why), (unsigned long long)end.address);
	assert_true(end.address + 8 > cut.address + cut.size);
	assert_true(end.address + 8 <= t->stack.address + t->stack.size);
}

/* A stack in two copies is as good as in one. */
static void check_parts(const char *compile, struct unwinder *u, const struct taken *t, u32 nth,
			u64 size)
{
	struct taken parts = *t;

	if (size > t->stack.size)
		return;
	parts.stack.size = size;
	parts.stack.more = (struct unwind_memory){ t->stack.address + size, t->stack.bytes + size,
						   t->stack.size - size };
	check_whole(compile, u, &parts, nth);
}

static void check_build(const char *compile, unsigned int stride)
{
	struct build b = take(compile, stride);
	struct unwinder *u = unwinder_new(&stacks_ops);

	assert_true(b.stacks->taken->len > 500);
	for (guint i = 0; i < b.stacks->taken->len; i++) {
		const struct taken *t = &g_array_index(b.stacks->taken, struct taken, i);

		check_whole(compile, u, t, i);
		for (u64 size = 0; size < 600; size += 56)
			check_cut(u, t, size);
		for (u64 size = 0; size < 400; size += 40)
			check_parts(compile, u, t, i, size);
	}
	unwinder_free(u);
	done(&b);
}

#define OMIT "-fomit-frame-pointer"
#define KEEP "-fno-omit-frame-pointer"

static void test_gcc(void **state)
{
	check_build("gcc -O0", 1);
	check_build("gcc -O0 -fomit-frame-pointer -Wl,-z,lazy", 3);
	check_build("gcc -O1 " OMIT, 1);
	check_build("gcc -O1 " KEEP, 3);
	check_build("gcc -O2 " OMIT " -Wl,-z,now", 1);
	check_build("gcc -O2 " KEEP " -Wl,-z,lazy", 1);
	check_build("gcc -O2 -fcf-protection -Wl,-z,lazy -Wl,-z,ibtplt", 1);
	check_build("gcc -O2 -no-pie", 3);
}

static void test_clang(void **state)
{
	check_build("clang -O0", 1);
	check_build("clang -O0 " OMIT, 3);
	check_build("clang -O1 " OMIT, 1);
	check_build("clang -O1 " KEEP, 3);
	check_build("clang -O2 " OMIT " -Wl,-z,now", 1);
	check_build("clang -O2 " KEEP " -Wl,-z,lazy", 1);
}

static void test_static(void **state)
{
	check_build("gcc -O2 -static", 1);
	check_build("gcc -O2 -static-pie", 3);
}

static bool nothing_mapped(void *process, u64 ip, struct unwind_code *code)
{
	return false;
}

static bool code_without_cfi(void *process, u64 ip, struct unwind_code *code)
{
	*code = (struct unwind_code){ 0 };
	return true;
}

static const struct unwind_ops nothing = { nothing_mapped, NULL };
static const struct unwind_ops no_cfi = { code_without_cfi, NULL };

static void check_end(const struct unwind_stack *s, const struct unwind_ops *ops, u32 max, u32 nr,
		      enum unwind_why why)
{
	struct unwinder *u = unwinder_new(ops);
	struct unwind_frame frames[FRAMES];
	struct unwind_end end;

	assert_int_equal(unwinder_walk(u, s, frames, max, &end), nr);
	assert_string_equal(unwind_why_text(end.why), unwind_why_text(why));
	/* The same from what is known by now. */
	assert_int_equal(unwinder_walk(u, s, frames, max, &end), nr);
	assert_string_equal(unwind_why_text(end.why), unwind_why_text(why));
	unwinder_free(u);
}

/* Return addresses where nothing is mapped are no frames; 0 is the root's. */
static void check_garbage(const struct unwind_stack *good)
{
	u64 words[64];
	struct unwind_stack s = *good;

	s.bytes = (const u8 *)words;
	s.size = sizeof(words);
	memset(words, 0xee, sizeof(words));
	check_end(&s, &stacks_ops, FRAMES, 1, UNWIND_UNMAPPED);
	memset(words, 0, sizeof(words));
	check_end(&s, &stacks_ops, FRAMES, 1, UNWIND_ROOT);
}

static void test_ends(void **state)
{
	struct build b = take("gcc -O2", 50);
	struct unwind_stack s = g_array_index(b.stacks->taken, struct taken, 0).stack;

	check_end(&s, &stacks_ops, 2, 2, UNWIND_LIMIT);
	check_end(&s, &stacks_ops, 0, 0, UNWIND_LIMIT);
	check_end(&s, &nothing, FRAMES, 1, UNWIND_UNMAPPED);
	check_end(&s, &no_cfi, FRAMES, 1, UNWIND_NO_CFI);
	check_garbage(&s);
	s.address += 1 << 20;
	check_end(&s, &stacks_ops, FRAMES, 1, UNWIND_BAD_MEMORY);
	s.known = 1u << CFI_RIP;
	check_end(&s, &stacks_ops, FRAMES, 0, UNWIND_NO_REGISTER);
	done(&b);
}

/* One object in processes that have it at different addresses, or something else there. */
struct world {
	struct image *image;
	struct cfi *cfi;
	u64 function, code, size; /* as the file states them */
	u64 bias;
	u32 asked;
};

__attribute__((noinline, used)) static int asked_for(int n)
{
	return n ? asked_for(n / 2) + n : 0;
}

static bool find_in_world(void *process, u64 ip, struct unwind_code *code)
{
	struct world *w = process;

	w->asked++;
	if (!w->bias || ip - w->bias - w->code >= w->size)
		return false;
	*code = (struct unwind_code){
		.cfi = w->cfi, .bias = w->bias, .start = w->code + w->bias, .size = w->size
	};
	return true;
}

static void open_world(struct world *w)
{
	Dl_info info;

	assert_true(dladdr((void *)asked_for, &info));
	*w = (struct world){ .image = image_open("/proc/self/exe", NULL) };
	w->cfi = cfi_open(w->image, NULL);
	assert_non_null(w->cfi);
	w->function = (u64)asked_for - (w->image->ehdr.e_type == ET_DYN ? (u64)info.dli_fbase : 0);
	for (u32 i = 0; i < w->image->nr_segments; i++) {
		const struct segment *g = &w->image->segments[i];

		if (g->flags & PF_X) {
			w->code = g->vaddr;
			w->size = g->mem_size;
		}
	}
}

/* The callers are all behind the first byte of a function: their return address is what rsp points at. */
static u32 walk_world(struct unwinder *u, struct world *w, u16 space, u64 bias, u64 mapped)
{
	u64 words[10];
	struct unwind_frame frames[FRAMES];
	struct unwind_stack s = { .known = 1u << CFI_RIP | 1u << CFI_RSP | 1u << CFI_RBP,
				  .address = 0x7fff00000000,
				  .bytes = (const u8 *)words,
				  .size = sizeof(words),
				  .process = w,
				  .space = space };
	struct unwind_end end;

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = w->function + bias + 1;
	s.regs[CFI_RIP] = w->function + bias;
	s.regs[CFI_RSP] = s.address;
	w->bias = mapped;
	w->asked = 0;
	return unwinder_walk(u, &s, frames, FRAMES, &end);
}

static void test_processes_share(void **state)
{
	static const struct unwind_ops ops = { find_in_world, NULL };
	struct unwinder *u = unwinder_new(&ops);
	struct world w;
	u64 misses;

	open_world(&w);
	assert_int_equal(walk_world(u, &w, 1, 0x10000000, 0x10000000), 11);
	misses = unwinder_stats(u).misses;
	/* Elsewhere: where it is must be asked, but no rule. */
	assert_int_equal(walk_world(u, &w, 2, 0x7f0000000000, 0x7f0000000000), 11);
	assert_int_equal(w.asked, 1);
	assert_true(unwinder_stats(u).misses <= misses + 1);
	assert_int_equal(walk_world(u, &w, 2, 0x7f0000000000, 0x7f0000000000), 11);
	assert_int_equal(w.asked, 0);
	/* A process that has nothing there, and one that has it beside. */
	assert_int_equal(walk_world(u, &w, 3, 0x10000000, 0), 1);
	assert_int_equal(walk_world(u, &w, 4, 0x10000000, 0x50000000), 1);
	assert_int_equal(walk_world(u, &w, 4, 0x50000000, 0x50000000), 11);
	/* The number stands for another process now. */
	unwinder_forget(u);
	assert_int_equal(walk_world(u, &w, 2, 0x7f0000000000, 0), 1);
	assert_int_equal(walk_world(u, &w, 2, 0x60000000, 0x60000000), 11);
	unwinder_free(u);
	cfi_close(w.cfi);
	image_close(w.image);
}

/* Frames of @t in order, some left out. */
static bool are_some_of(const struct taken *t, const struct unwind_frame *frames, u32 nr)
{
	u32 at = 0;

	for (u32 i = 0; i < nr; i++) {
		while (at < t->nr_ips && t->ips[at] != frames[i].ip)
			at++;
		if (at++ == t->nr_ips)
			return false;
	}
	return true;
}

/* All return addresses that libgcc found. */
static GHashTable *callers_of(const struct stacks *s)
{
	GHashTable *ips = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < s->taken->len; i++) {
		const struct taken *t = &g_array_index(s->taken, struct taken, i);

		for (u32 k = 1; k < t->nr_ips; k++)
			g_hash_table_add(ips, GSIZE_TO_POINTER(t->ips[k]));
	}
	return ips;
}

struct range {
	u64 start, end;
};

/* Where the program has leaves(). Compilers append to the name: leaves.constprop.0 */
static struct range find_leaves(const struct stacks *s)
{
	const struct mapped_file *program = &g_array_index(s->files, struct mapped_file, 0);
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(program->image->elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &head) || head.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *name =
				elf_strptr(program->image->elf, head.sh_link, symbol.st_name);
			u64 start = symbol.st_value + program->bias;

			if (name && g_str_has_prefix(name, "leaves"))
				return (struct range){ start, start + symbol.st_size };
		}
	}
	fail_msg("the program has no leaves()");
	return (struct range){ 0 };
}

/*
 * True if the chain ends in leaves(), and is libgcc's up to there. That function's last instruction is the call of longjmp(),
 * so without a frame pointer no instruction shows its frame. How many chains these are depends on libc's longjmp().
 */
static bool ends_in_leaves(const struct taken *t, const struct unwind_frame *frames, u32 nr,
			   const struct unwind_end *end, const struct range *leaves)
{
	return nr && nr < t->nr_ips && equal(t, frames, nr) && end->why == UNWIND_NO_CFI &&
	       frames[nr - 1].ip >= leaves->start && frames[nr - 1].ip <= leaves->end;
}

/*
 * A program without call-frame information: at least @least of 100 chains are whole or end in leaves(), at most @most of 100
 * have a frame left out, and none has a frame that is made up. libgcc itself drops main() behind the `leave` of functions that
 * realign their stack: gcc's rule for rbp is wrong there.
 */
static void check_without_rules(const char *compile, u32 least, u32 most)
{
	struct build b = take(compile, 1);
	g_autoptr(GHashTable) callers = callers_of(b.stacks);
	struct unwinder *u = unwinder_new(&stacks_without_cfi);
	struct range leaves = find_leaves(b.stacks);
	struct unwind_frame frames[FRAMES];
	u32 whole = 0, left = 0, others = 0, all = b.stacks->taken->len;
	struct unwind_end end;

	for (guint i = 0; i < all; i++) {
		const struct taken *t = &g_array_index(b.stacks->taken, struct taken, i);
		u32 nr = unwinder_walk(u, &t->stack, frames, FRAMES, &end);

		for (u32 k = 1; k < nr; k++)
			if (!g_hash_table_contains(callers, GSIZE_TO_POINTER(frames[k].ip)))
				fail_msg("stack %u of pc %#llx: frame %u, %#llx, is made up", i,
					 (unsigned long long)frames[0].ip, k,
					 (unsigned long long)frames[k].ip);
		whole += nr == t->nr_ips && equal(t, frames, nr);
		left += ends_in_leaves(t, frames, nr, &end, &leaves);
		others += !are_some_of(t, frames, nr) ||
			  (nr < t->nr_ips && nr > 1 && !equal(t, frames, nr));
	}
	print_message("%s: of %u chains %u are whole, %u end in leaves(), %u others; %llu steps "
		      "without rules\n",
		      compile, all, whole, left, others,
		      (unsigned long long)unwinder_stats(u).guided);
	assert_true((whole + left) * 100ull >= all * (u64)least);
	assert_true(others * 100ull <= all * (u64)most);
	unwinder_free(u);
	done(&b);
}

static void test_frame_pointers(void **state)
{
	check_without_rules("gcc -O2 " KEEP " -mno-omit-leaf-frame-pointer", 98, 1);
}

/* A function without a frame pointer returns as its instructions say: also if its caller has one. */
static void test_no_frame_pointers(void **state)
{
	check_without_rules("gcc -O2 " KEEP " -momit-leaf-frame-pointer", 98, 1);
	check_without_rules("clang -O1 " KEEP, 98, 1);
	check_without_rules("gcc -O2 " OMIT, 98, 1);
	check_without_rules("gcc -O0 " OMIT, 98, 1);
	check_without_rules("clang -O2 " OMIT, 98, 1);
}

#define WAITER 0x401000

/* A function that waits for ever: it does not return, so only the frame pointer tells its caller. */
static const char waiter[] = "\x90\x90\x90\x90\x90\x90\x90\x90"
			     "\xe8\x13\x00\x00\x00" /* 08: call 0x20 */
			     "\xe8\x0e\x00\x00\x00" /* 0d: call 0x20 */
			     "\x0f\x0b\x90\x90\x90\x90\x90\x90"
			     "\x90\x90\x90\x90\x90\x90"
			     "\x55"		/* 20: push %rbp */
			     "\x48\x89\xe5"	/* 21: mov %rsp,%rbp */
			     "\x48\x83\xec\x10" /* 24: sub $16,%rsp */
			     "\xf3\x90"		/* 28: pause */
			     "\xeb\xfc"		/* 2a: jmp 0x28 */
			     "\x90\x90\x90\x90\x90\x90\x90\x90";

static bool find_waiter(void *process, u64 ip, struct unwind_code *code)
{
	*code = (struct unwind_code){ .start = WAITER, .size = sizeof(waiter) };
	return ip - WAITER < sizeof(waiter);
}

static bool read_waiter(void *process, u64 address, u32 size, void *to)
{
	if (address < WAITER || address - WAITER > sizeof(waiter) ||
	    size > sizeof(waiter) - (address - WAITER))
		return false;
	memcpy(to, waiter + (address - WAITER), size);
	return true;
}

/*
 * In the middle of a function, the word at rsp is one of its own: here a return address that an earlier call has left. The
 * caller is what the frame pointer leads to.
 */
static void test_middle_of_a_function(void **state)
{
	static const struct unwind_ops ops = { find_waiter, read_waiter };
	const u64 words[] = { WAITER + 0x12, 0, 0, WAITER + 0xd };
	struct unwind_stack s = { .known = 1u << CFI_RIP | 1u << CFI_RSP | 1u << CFI_RBP,
				  .address = 0x7fff00000000,
				  .bytes = (const u8 *)words,
				  .size = sizeof(words) };
	struct unwinder *u = unwinder_new(&ops);
	struct unwind_frame frames[2];
	struct unwind_end end;

	s.regs[CFI_RIP] = WAITER + 0x28;
	s.regs[CFI_RSP] = s.address;
	s.regs[CFI_RBP] = s.address + 16;
	assert_int_equal(unwinder_walk(u, &s, frames, 2, &end), 2);
	assert_int_equal(frames[1].ip, WAITER + 0xd);
	assert_int_equal(frames[1].sp, s.address + sizeof(words));
	unwinder_free(u);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_static),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_processes_share),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_no_frame_pointers),
		cmocka_unit_test(test_middle_of_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
