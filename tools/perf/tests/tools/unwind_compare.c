// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the unwinder with elfutils' libdw: results and run time.
 *
 *	unwind_compare rows FILE...	the rules at every address where libdw starts a row; time to make all rows
 *	unwind_compare stacks FILE	call chains of the stacks of programs/stepped.c; time per frame
 *	unwind_compare stops FILE	call chains of the stacks of unwind_stops, compared with libdw's
 *	unwind_compare judged FILE	call chains of the stacks of unwind/gdb_stops.py, compared with gdb's and libdw's
 *
 * Exits with 1 if rows differ; if one of our chains differs from libgcc's; if more than 1 % of our chains neither equal
 * libdw's nor continue it. With judged: if more than 1 % contradict both gdb and libdw, or are shorter without a reason.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/unwind/stacks.h"

#define PASSES	   20
#define FRAMES_MAX 512

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* ---- rows ---- */

static const u8 compared[] = { CFI_RBX, CFI_RBP, CFI_R12, 13, 14, CFI_R15, CFI_RIP };

/* True if libdw has the same rule for a register. @ops is an expression relative to the CFA. */
static bool same_place(const struct cfi_place *p, u32 reg, const Dwarf_Op *ops, size_t nr,
		       bool given)
{
	s64 offset = nr > 1 && ops[1].atom == DW_OP_plus_uconst ? (s64)ops[1].number : 0;

	switch ((enum cfi_how)p->how) {
	case CFI_SAME:
		/* libdw's list of callee-saved registers lacks rbx. */
		return !nr && (!given || reg == CFI_RBX);
	case CFI_UNDEFINED:
		return !nr && given;
	case CFI_AT:
		return nr && nr <= 2 && ops[0].atom == DW_OP_call_frame_cfa && offset == p->value;
	case CFI_PLUS:
		return nr && ops[0].atom == DW_OP_call_frame_cfa && offset == p->value &&
		       ops[nr - 1].atom == DW_OP_stack_value;
	case CFI_REG:
		return nr == 1 && (ops[0].atom == DW_OP_regx ? ops[0].number == p->reg
							     : ops[0].atom == DW_OP_reg0 + p->reg);
	case CFI_AT_REG: /* only from .sframe */
	case CFI_AT_EXPR:
	case CFI_EXPR:
		return nr && ops[nr - 1].atom != DW_OP_call_frame_cfa;
	}
	return false;
}

static bool same_cfa(const struct cfi_place *p, const Dwarf_Op *ops, size_t nr)
{
	if (p->how == CFI_EXPR)
		return nr > 1;
	return nr == 1 && ops[0].atom == DW_OP_bregx && ops[0].number == p->reg &&
	       (s64)ops[0].number2 == p->value;
}

static bool same_rule(const struct cfi_rule *rule, Dwarf_Frame *frame)
{
	Dwarf_Op memory[3], *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) || !same_cfa(&rule->cfa, ops, nr))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(compared); i++)
		if (dwarf_frame_register(frame, compared[i], memory, &ops, &nr) ||
		    !same_place(&rule->regs[compared[i]], compared[i], ops, nr, ops == memory))
			return false;
	return true;
}

struct rows {
	u32 nr, differ;
	u64 ns;
};

/* Reads libdw's rows one after the other. libdw has no list of rows, so gaps are searched byte by byte. */
static void libdw_rows(struct cfi *cfi, Dwarf_CFI *libdw, const struct segment *s, struct rows *r)
{
	Dwarf_Addr pc = s->vaddr, start, end;
	bool signal;

	while (pc < s->vaddr + s->file_size) {
		u64 from = now_ns();
		Dwarf_Frame *frame = NULL;
		bool there = !dwarf_cfi_addrframe(libdw, pc, &frame);
		const struct cfi_rule *rule;

		if (there)
			r->ns += now_ns() - from;
		rule = cfi_find(cfi, pc);
		if (!there) {
			r->differ += rule != NULL;
			pc++;
			continue;
		}
		dwarf_frame_info(frame, &start, &end, &signal);
		r->nr++;
		if (!rule || rule->signal != signal || !same_rule(rule, frame)) {
			if (++r->differ <= 10)
				printf("  differ at %#llx\n", (unsigned long long)pc);
		}
		free(frame);
		pc = end > pc ? end : pc + 1;
	}
}

static bool compare_rows(const char *path)
{
	g_autoptr(GError) error = NULL;
	struct image *image = image_open(path, &error);
	struct cfi *cfi = image ? cfi_open(image, NULL) : NULL;
	Dwarf_CFI *libdw = image ? dwarf_getcfi_elf(image->elf) : NULL;
	struct rows rows = { 0 };
	struct cfi_stats s;
	u64 from, ns;

	if (!cfi || !libdw) {
		printf("%s: %s\n", path, error ? error->message : "no call-frame information");
		return false;
	}
	from = now_ns();
	cfi_compile(cfi);
	ns = now_ns() - from;
	s = cfi_stats(cfi);
	for (u32 i = 0; i < image->nr_segments; i++)
		if (image->segments[i].flags & PF_X)
			libdw_rows(cfi, libdw, &image->segments[i], &rows);
	printf("%s: %u functions, %u rows, %u rules, %.1f bytes a row; %.0f ns a row, libdw %.0f; "
	       "of %u rows of libdw %u differ\n",
	       path, s.nr_functions, s.nr_rows, s.nr_rules, (double)s.bytes / s.nr_rows,
	       (double)ns / s.nr_rows, (double)rows.ns / MAX(rows.nr, 1), rows.nr, rows.differ);
	dwarf_cfi_end(libdw);
	cfi_close(cfi);
	image_close(image);
	return !rows.differ;
}

/* ---- stacks ---- */

struct chain {
	const struct taken *taken;
	u64 ips[FRAMES_MAX];
	u32 nr;
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	bool first = !*thread_arg;

	*thread_arg = arg;
	return first ? 1 : 0;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *arg)
{
	const struct unwind_stack *s = &((struct chain *)arg)->taken->stack;
	u32 word = s->narrow ? 4 : 8;

	if (address < s->address || s->size < word || address - s->address > s->size - word)
		return false;
	*value = 0;
	memcpy(value, s->bytes + (address - s->address), word);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	/* i386 has another order of registers. */
	static const u8 narrow[] = {
		0, 2, 1, CFI_RBX, CFI_RSP, CFI_RBP, CFI_RSI, CFI_RDI, CFI_RIP
	};
	const struct unwind_stack *s = &((const struct chain *)arg)->taken->stack;
	u32 nr = s->narrow ? ARRAY_SIZE(narrow) : CFI_NR_REGS;
	Dwarf_Word regs[CFI_NR_REGS];

	for (u32 i = 0; i < nr; i++)
		regs[i] = s->regs[s->narrow ? narrow[i] : i];
	return dwfl_thread_state_registers(thread, 0, nr, regs);
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct chain *c = arg;
	Dwarf_Addr pc;

	if (c->nr == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	c->ips[c->nr++] = pc;
	return DWARF_CB_OK;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

static int no_debug(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
		    const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks dwfl_callbacks = {
	.find_debuginfo = no_debug,
	.section_address = dwfl_offline_section_address,
};

static Dwfl *open_dwfl(const struct stacks *s, struct chain *c)
{
	Dwfl *dwfl = dwfl_begin(&dwfl_callbacks);

	dwfl_report_begin(dwfl);
	for (guint i = 0; i < s->files->len; i++) {
		const struct mapped_file *f = &g_array_index(s->files, struct mapped_file, i);

		dwfl_report_elf(dwfl, f->path, f->path, -1, f->bias, true);
	}
	dwfl_report_end(dwfl, NULL, NULL);
	if (!dwfl_attach_state(dwfl, NULL, 1, &thread_callbacks, c))
		g_error("libdw: %s", dwfl_errmsg(-1));
	return dwfl;
}

struct pass {
	u64 ns, frames;
	u32 equal;
};

/* Unwinds all stacks once. @count: also compares with libgcc's chains. */
static struct pass our_pass(const struct stacks *s, struct unwinder *u, bool count)
{
	struct unwind_frame frames[FRAMES_MAX];
	struct pass p = { .ns = now_ns() };
	struct unwind_end end;

	for (guint i = 0; i < s->taken->len; i++) {
		const struct taken *t = &g_array_index(s->taken, struct taken, i);
		u32 nr = unwinder_walk(u, &t->stack, frames, FRAMES_MAX, &end), same = 0;

		p.frames += nr;
		while (count && same < nr && same < t->nr_ips && frames[same].ip == t->ips[same])
			same++;
		p.equal += count && same == nr && nr == t->nr_ips;
	}
	p.ns = now_ns() - p.ns;
	return p;
}

static struct pass libdw_pass(const struct stacks *s, Dwfl *dwfl, struct chain *c)
{
	struct pass p = { .ns = now_ns() };

	for (guint i = 0; i < s->taken->len; i++) {
		const struct taken *t = &g_array_index(s->taken, struct taken, i);

		c->taken = t;
		c->nr = 0;
		dwfl_getthread_frames(dwfl, 1, add_frame, c);
		p.frames += c->nr;
		p.equal += c->nr == t->nr_ips && !memcmp(c->ips, t->ips, c->nr * sizeof(u64));
	}
	p.ns = now_ns() - p.ns;
	return p;
}

static double per_frame(const struct pass *p)
{
	return (double)p->ns / (double)MAX(p->frames, 1);
}

static bool compare_stacks(const char *path)
{
	struct stacks *s = stacks_open(path);
	struct unwinder *u = unwinder_new(&stacks_ops);
	struct chain *c = g_new0(struct chain, 1);
	Dwfl *dwfl = open_dwfl(s, c);
	struct pass ours = our_pass(s, u, true), libdw = libdw_pass(s, dwfl, c);
	double our_first = per_frame(&ours), our_best = our_first;
	double libdw_first = per_frame(&libdw), libdw_best = libdw_first;
	bool same = ours.equal == s->taken->len;

	for (u32 i = 0; i < PASSES; i++) {
		struct pass p = our_pass(s, u, false), q = libdw_pass(s, dwfl, c);

		our_best = MIN(our_best, per_frame(&p));
		libdw_best = MIN(libdw_best, per_frame(&q));
	}
	printf("%u stacks, %llu frames\n", s->taken->len, (unsigned long long)ours.frames);
	printf("ours:  %.1f ns a frame, %.1f in the first pass; %u chains are libgcc's\n", our_best,
	       our_first, ours.equal);
	printf("libdw: %.1f ns a frame, %.1f in the first pass; %u chains are libgcc's\n",
	       libdw_best, libdw_first, libdw.equal);
	dwfl_end(dwfl);
	unwinder_free(u);
	stacks_close(s);
	g_free(c);
	return same;
}

struct agreement {
	u32 equal, longer, shorter, others;
	u32 made_up;  /* libdw's next frame is no code; we end there, or have code */
	u32 left_out; /* libdw lacks the function that a signal interrupted */
	u32 ends[UNWIND_NR_WHYS];
};

/* True if the return address is no code; or if another stack begins (for example a Go runtime's), unknown to gdb and libdw. */
static bool they_go_astray(const struct unwind_end *end)
{
	return end->why == UNWIND_UNMAPPED || (end->why == UNWIND_ROOT && end->zero);
}

static bool is_code(Dwfl *dwfl, u64 address)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
	Dwarf_Addr in_section = address, bias;
	GElf_Shdr head;
	Elf_Scn *section = module ? dwfl_module_address_section(module, &in_section, &bias) : NULL;

	return section && gelf_getshdr(section, &head) && head.sh_flags & SHF_EXECINSTR;
}

/*
 * Where no call-frame information is, elfutils 0.192 takes rbp for a frame pointer: in most functions of musl's libc.a it is
 * another number. Its frame @at is then no code. Ours is none, or is code.
 */
static bool is_made_up(const struct unwind_frame *frames, u32 nr, const struct chain *libdw, u32 at,
		       Dwfl *dwfl)
{
	return !is_code(dwfl, libdw->ips[at]) && (at == nr || is_code(dwfl, frames[at].ip));
}

/* The same at Go's sigreturn: rbp is right there, but leads to the caller of the interrupted function. gdb has this function. */
static bool is_left_out(const struct unwind_frame *frames, u32 nr, const struct chain *libdw,
			u32 at)
{
	if (!at || at >= nr || !frames[at].exact || nr - 1 > libdw->nr)
		return false;
	for (u32 i = at; i < nr - 1; i++)
		if (libdw->ips[i] != frames[i + 1].ip)
			return false;
	return true;
}

/* Prints the first few differences. */
static void add_agreement(struct agreement *a, const struct unwind_frame *frames, u32 nr,
			  const struct chain *libdw, const struct unwind_end *end, Dwfl *dwfl)
{
	bool astray = they_go_astray(end);
	u32 same = 0, before = a->shorter + a->others;

	while (same < nr && same < libdw->nr && frames[same].ip == libdw->ips[same])
		same++;
	if (same == nr && same == libdw->nr) {
		a->equal++;
		return;
	}
	if (same == libdw->nr)
		a->longer++;
	else if ((same == nr && astray) || is_made_up(frames, nr, libdw, same, dwfl))
		a->made_up++;
	else if (is_left_out(frames, nr, libdw, same))
		a->left_out++;
	else if (same == nr)
		a->shorter++;
	else
		a->others++;
	if (a->shorter + a->others > before && before < 3)
		printf("frame %u: ours %#llx, libdw %#llx; ours ended: %s\n", same,
		       same < nr ? (unsigned long long)frames[same].ip : 0,
		       (unsigned long long)libdw->ips[same], unwind_why_text(end->why));
}

static bool compare_stops(const char *path)
{
	struct stacks *s = stacks_open(path);
	struct unwinder *u = unwinder_new(&stacks_ops);
	struct chain *c = g_new0(struct chain, 1);
	Dwfl *dwfl = open_dwfl(s, c);
	struct unwind_frame frames[FRAMES_MAX];
	struct agreement a = { 0 };
	u32 all = s->taken->len;
	struct unwind_end end;

	for (guint i = 0; i < all; i++) {
		const struct taken *t = &g_array_index(s->taken, struct taken, i);
		u32 nr = unwinder_walk(u, &t->stack, frames, FRAMES_MAX, &end);

		a.ends[end.why]++;
		c->taken = t;
		c->nr = 0;
		dwfl_getthread_frames(dwfl, 1, add_frame, c);
		add_agreement(&a, frames, nr, c, &end, dwfl);
	}
	printf("of %u stacks %u are libdw's, %u go on, %u end or have code where libdw makes one "
	       "up, "
	       "%u have a function more, where a signal came, %u end before, %u are others;",
	       all, a.equal, a.longer, a.made_up, a.left_out, a.shorter, a.others);
	for (u32 why = 0; why < UNWIND_NR_WHYS; why++)
		if (a.ends[why])
			printf(" %s %u", unwind_why_text(why), a.ends[why]);
	puts("");
	dwfl_end(dwfl);
	unwinder_free(u);
	stacks_close(s);
	g_free(c);
	return all && (a.shorter + a.others) * 100ull <= all;
}

/* ---- two judges ---- */

enum verdict {
	BOTH,	  /* gdb's and libdw's */
	GDBS,	  /* as gdb's; libdw's is shorter or different */
	LIBDWS,	  /* as libdw's; gdb's is shorter or different */
	CUT,	  /* ends with the copy; gdb reads more stack from the process */
	NO_CODE,  /* ends where theirs continue to an address without code */
	GOES_ON,  /* begins as the longer of theirs, and has more callers */
	STOPS,	  /* begins as theirs, and has a reason for its end */
	CONTRARY, /* none of these */
	NR_VERDICTS,
};

static const char *const verdict_texts[NR_VERDICTS] = {
	"of both",
	"of gdb alone",
	"of libdw alone",
	"cut as the copy is",
	"ended where theirs goes astray",
	"longer than theirs",
	"shorter than theirs",
	"contrary to both",
};

static u32 common(const u64 *a, u32 nr_a, const u64 *b, u32 nr_b)
{
	u32 same = 0;

	while (same < nr_a && same < nr_b && a[same] == b[same])
		same++;
	return same;
}

static enum verdict judge(const u64 *ips, u32 nr, const struct unwind_end *end,
			  const struct taken *gdb, const struct chain *libdw)
{
	u32 as_gdb = common(ips, nr, gdb->ips, gdb->nr_ips);
	u32 as_libdw = common(ips, nr, libdw->ips, libdw->nr);
	bool gdbs = as_gdb == nr && nr == gdb->nr_ips, libdws = as_libdw == nr && nr == libdw->nr;

	if (gdbs || libdws)
		return gdbs && libdws ? BOTH : gdbs ? GDBS : LIBDWS;
	if (as_gdb == nr && end->why == UNWIND_CUT)
		return CUT;
	if (as_gdb == nr && as_libdw == nr && they_go_astray(end))
		return NO_CODE;
	if (as_gdb == gdb->nr_ips || as_libdw == libdw->nr)
		return GOES_ON;
	return as_gdb == nr || as_libdw == nr ? STOPS : CONTRARY;
}

static void show_judged(enum verdict v, const u64 *ips, u32 nr, const struct taken *gdb,
			const struct chain *libdw, const struct unwind_end *end)
{
	printf("%s; ours ended: %s\n", verdict_texts[v], unwind_why_text(end->why));
	for (u32 i = 0; i < MAX(nr, MAX(gdb->nr_ips, libdw->nr)); i++)
		printf("  %3u %#14llx %#14llx %#14llx\n", i,
		       i < nr ? (unsigned long long)ips[i] : 0,
		       i < gdb->nr_ips ? (unsigned long long)gdb->ips[i] : 0,
		       i < libdw->nr ? (unsigned long long)libdw->ips[i] : 0);
}

static u32 verdicts_sum(const u32 *verdicts)
{
	u32 sum = 0;

	for (u32 v = 0; v < NR_VERDICTS; v++)
		sum += verdicts[v];
	return sum;
}

static bool compare_judged(const char *path)
{
	struct stacks *s = stacks_open(path);
	struct unwinder *u = unwinder_new(&stacks_ops);
	struct chain *c = g_new0(struct chain, 1);
	Dwfl *dwfl = open_dwfl(s, c);
	struct unwind_frame frames[FRAMES_MAX];
	u32 verdicts[NR_VERDICTS] = { 0 }, shown[NR_VERDICTS] = { 0 }, odd;
	u64 ips[FRAMES_MAX];
	struct unwind_end end;

	for (guint i = 0; i < s->taken->len; i++) {
		const struct taken *t = &g_array_index(s->taken, struct taken, i);
		u32 nr = unwinder_walk(u, &t->stack, frames, FRAMES_MAX, &end);
		enum verdict v;

		for (u32 k = 0; k < nr; k++)
			ips[k] = frames[k].ip;
		c->taken = t;
		c->nr = 0;
		dwfl_getthread_frames(dwfl, 1, add_frame, c);
		v = judge(ips, nr, &end, t, c);
		verdicts[v]++;
		if (v != BOTH && shown[v]++ < 2)
			show_judged(v, ips, nr, t, c, &end);
	}
	printf("of %u stacks %u are gdb's and libdw's", s->taken->len, verdicts[BOTH]);
	for (u32 v = BOTH + 1; v < NR_VERDICTS; v++)
		if (verdicts[v])
			printf(", %u %s", verdicts[v], verdict_texts[v]);
	puts("");
	odd = verdicts[STOPS] + verdicts[CONTRARY];
	dwfl_end(dwfl);
	unwinder_free(u);
	stacks_close(s);
	g_free(c);
	return (u64)odd * 100 <= verdicts_sum(verdicts);
}

int main(int argc, char **argv)
{
	bool same = argc > 2;

	for (int i = 2; i < argc; i++)
		same &= !strcmp(argv[1], "rows")     ? compare_rows(argv[i])
			: !strcmp(argv[1], "stops")  ? compare_stops(argv[i])
			: !strcmp(argv[1], "judged") ? compare_judged(argv[i])
						     : compare_stacks(argv[i]);
	return !same;
}
