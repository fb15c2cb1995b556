// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a program one instruction at a time and notes which object each memory operand
 * touches:
 *
 *   step [-n STEPS] TRUTH PROGRAM [ARG...]
 *
 * Measured are the functions that have debug information; all else (the C library, the
 * allocator that names objects) runs at full speed up to its return or to a call back. Out
 * comes TRUTH, one line for each distinct (instruction, place), separated by tabs:
 *
 *   VADDR OPERAND WIDTH rw CLASS TYPE OFFSET SIZE COUNT CHOICE TIMES TEXT
 *
 * Lines of one VADDR and CHOICE belong to the same TIMES executions: each of them may name what lay
 * there (two variables that share a slot; an object and what it was placed in). Each
 * iteration of a `rep` is an execution.
 *
 * CLASS says who knows: heap (the program named it), global, thread, frame (variables). For
 * these TYPE is the name that the program gave, or @DIE, the offset of a type in the debug
 * information; SIZE and COUNT are those of the named object. The other classes have no TYPE:
 * implicit (push, call and their kind), stack (no variable's: spills, saves, arguments),
 * canary, unnamed (anything else), or the ELF section where it lies.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

#include "decode.h"
#include "go_types.h"
#include "objects.h"
#include "variables.h"

#define MAX_GATHER 8
#define RED_ZONE   128
#define STACK_SIZE (8ull << 20)

struct section {
	u64 low, high;
	const char *name;
};

struct stepper {
	pid_t pid, first; /* the thread that is looked at; the first one */
	int mem;
	u64 bias, low, high; /* the program's code: @low, @high in the ELF file */
	u64 steps, max_steps;
	struct variables *variables;
	struct objects *objects;
	struct decoder *decoder;
	struct decoded *decoded; /* by vaddr - low */
	u32 *line_of;		 /* by vaddr - low, plus 1; 0: not looked up */
	u8 *code;		 /* as in the file */
	Elf *elf;
	GArray *sections;    /* struct section */
	u64 tls_size;	     /* of the program's TLS block; 0: has none */
	GArray *frames;	     /* struct frame, the innermost last */
	GArray *returns;     /* struct breakpoint: where outside code comes back to */
	GHashTable *choices; /* truth: lines of one execution, a line each -> u64 times */
	GString *lines;	     /* of this operand at this execution */
	GHashTable *known;   /* stack places: key -> struct places */
	struct user_regs_struct regs;
	struct go_types *go;	/* NULL: no Go program */
	GHashTable *goroutines; /* Go: address of a goroutine -> its frames */
	u64 goroutine;		/* Go: of @frames */
	GArray *allocations;	/* Go: struct allocation, those that have not returned */
};

struct breakpoint {
	u64 vaddr, sp; /* stack pointer after the return */
	u64 goroutine; /* Go: that called */
};

struct allocation {
	u64 back, sp, size, type;
};

struct place_key {
	u64 ip, pc, at_cfa, sp, reached;
};

struct places {
	u32 nr;
	struct covering found[4];
};

static guint place_hash(gconstpointer p)
{
	const struct place_key *key = p;

	return (guint)(key->ip * 31 + key->pc * 131 + key->at_cfa * 8191 + key->sp);
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct place_key));
}

static void get_regs(struct stepper *s)
{
	if (ptrace(PTRACE_GETREGS, s->pid, NULL, &s->regs))
		err(2, "PTRACE_GETREGS");
}

static void poke(struct stepper *s, u64 vaddr, u8 byte)
{
	if (pwrite(s->mem, &byte, 1, (off_t)(vaddr + s->bias)) != 1)
		err(2, "cannot write to the program");
}

static bool has_code(const struct stepper *s, u64 vaddr)
{
	return vaddr >= s->low && vaddr < s->high && variables_code(s->variables, vaddr);
}

/* Waits; false: the program has ended. Other signals than SIGTRAP are handed on by @signal. */
static bool wait_stop(struct stepper *s, int *signal)
{
	int status;

	if (waitpid(s->pid, &status, __WALL) < 0)
		err(2, "waitpid");
	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		if (WIFSIGNALED(status) || WEXITSTATUS(status))
			errx(3, "the program ended with status 0x%x", status);
		return false;
	}
	*signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	return true;
}

/*
 * As wait_stop(), for whichever thread stops first, which becomes s->pid. Go's threads run one at a time, so the others may
 * go on.
 */
static bool wait_any(struct stepper *s, int *signal)
{
	pid_t pid;
	int status;

	for (;;) {
		bool begins;

		pid = waitpid(-1, &status, __WALL);
		if (pid < 0)
			err(2, "waitpid");
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid != s->first)
				continue;
			if (WIFSIGNALED(status) || WEXITSTATUS(status))
				errx(3, "the program ended with status 0x%x", status);
			return false;
		}
		begins = s->go &&
			 (status >> 16 == PTRACE_EVENT_CLONE || WSTOPSIG(status) == SIGSTOP);
		if (!begins && WSTOPSIG(status) == SIGTRAP)
			break;
		*signal = begins ? 0 : WSTOPSIG(status);
		if (ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)*signal))
			err(2, "PTRACE_CONT");
	}
	s->pid = pid;
	*signal = 0;
	return true;
}

static const struct decoded *decoded_at(struct stepper *s, u64 vaddr)
{
	struct decoded *insn = &s->decoded[vaddr - s->low];

	if (!insn->size)
		decode(s->decoder, s->code + (vaddr - s->low), MIN(16, s->high - vaddr), vaddr,
		       insn);
	return insn;
}

static void note(struct stepper *s, u64 vaddr, u32 operand, const struct operand *op, u32 width,
		 const char *class, const char *what, const char *text)
{
	g_string_append_printf(s->lines, "%lx\t%u\t%u\t%s%s\t%s\t%s\t%s\n", (unsigned long)vaddr,
			       operand, width, op->access & CS_AC_READ ? "r" : "",
			       op->access & CS_AC_WRITE ? "w" : "", class, what, text);
}

/* All that was noted since the last call is one execution's. */
static void count_execution(struct stepper *s)
{
	u64 *times = g_hash_table_lookup(s->choices, s->lines->str);

	if (!times && s->lines->len) {
		times = g_new0(u64, 1);
		g_hash_table_insert(s->choices, g_strdup(s->lines->str), times);
	}
	if (times)
		++*times;
	g_string_truncate(s->lines, 0);
}

static void note_covering(struct stepper *s, u64 vaddr, u32 operand, const struct operand *op,
			  u32 width, const char *class, const struct covering *c, const char *text)
{
	g_autofree char *what =
		g_strdup_printf("@%lx\t%ld\t0\t1", (unsigned long)c->type, (long)c->offset);

	note(s, vaddr, operand, op, width, class, what, text);
}

static void note_object(struct stepper *s, u64 vaddr, u32 operand, const struct operand *op,
			u32 width, const char *class, const struct object *object, u64 address,
			const char *text)
{
	g_autofree char *type = g_strdup(object->type), *what = NULL;

	if (*type == '&') {
		u64 die = variables_pointee(s->variables, strtoull(type + 1, NULL, 16) - s->bias);

		g_free(type);
		type = die ? g_strdup_printf("@%lx", (unsigned long)die) : g_strdup("");
	}
	if (!*type) {
		note(s, vaddr, operand, op, width, "untyped heap", "-\t0\t0\t0", text);
		return;
	}
	what = g_strdup_printf("%s\t%lu\t%lu\t%lu", type,
			       (unsigned long)(address - object->address),
			       (unsigned long)object->size, (unsigned long)object->count);
	note(s, vaddr, operand, op, width, class, what, text);
}

static struct places *places_in(struct stepper *s, u64 vaddr, const struct frame *frame,
				u64 address)
{
	struct place_key key = { vaddr, frame->pc, address - frame->cfa,
				 frame->cfa - frame->regs.rsp, frame->reached };
	struct places *places = g_hash_table_lookup(s->known, &key);

	if (!places) {
		places = g_new0(struct places, 1);
		places->nr = variables_frame(s->variables, frame, s->mem, s->bias, address,
					     places->found, ARRAY_SIZE(places->found));
		g_hash_table_insert(s->known, g_memdup2(&key, sizeof(key)), places);
	}
	return places;
}

/* The innermost frame that owns the address, or the running one, for the arguments above it. */
static const struct places *find_in_frames(struct stepper *s, u64 vaddr, u64 address)
{
	for (u32 i = s->frames->len; i--;) {
		struct frame *frame = &g_array_index(s->frames, struct frame, i);
		bool owns = address < frame->cfa;
		const struct places *places;

		if (!owns && i + 1 < s->frames->len)
			continue;
		places = places_in(s, vaddr, frame, address);
		if (places->nr || owns)
			return places;
	}
	return NULL;
}

static const char *section_name(const struct stepper *s, u64 vaddr)
{
	for (u32 i = 0; i < s->sections->len; i++) {
		const struct section *section = &g_array_index(s->sections, struct section, i);

		if (vaddr >= section->low && vaddr < section->high)
			return section->name;
	}
	return "unnamed";
}

static void classify(struct stepper *s, u64 vaddr, u32 operand, const struct operand *op, u32 width,
		     u64 address, const char *text)
{
	const struct object *object = objects_find(s->objects, s->mem, address);
	const char *nothing = "-\t0\t0\t0";
	u64 tls_low = s->regs.fs_base - s->tls_size;
	struct covering c;

	if (object) {
		const struct object *around = objects_around(s->objects, object, address);

		note_object(s, vaddr, operand, op, width, "heap", object, address, text);
		if (around && *around->type)
			note_object(s, vaddr, operand, op, width, "around", around, address, text);
	} else if (variables_static(s->variables, address - s->bias, &c)) {
		note_covering(s, vaddr, operand, op, width, "global", &c, text);
	} else if (s->tls_size && address >= tls_low && address < s->regs.fs_base) {
		if (variables_thread(s->variables, address - tls_low, &c))
			note_covering(s, vaddr, operand, op, width, "thread", &c, text);
		else
			note(s, vaddr, operand, op, width, "unnamed", nothing, text);
	} else if (address == s->regs.fs_base + 0x28) {
		note(s, vaddr, operand, op, width, "canary", nothing, text);
	} else if (s->frames->len && address >= s->regs.rsp - RED_ZONE &&
		   address < g_array_index(s->frames, struct frame, 0).cfa) {
		const struct places *places = find_in_frames(s, vaddr, address);
		bool found = false;

		for (u32 i = 0; places && i < places->nr; i++) {
			const struct covering *place = &places->found[i];

			/*
			 * Its slot is something else's by now, or this store makes it so, or what is touched
			 * goes beyond it.
			 */
			if (((place->ends || (place->pointer && width < 8)) &&
			     !(op->access & CS_AC_READ)) ||
			    (u64)place->offset + width > place->size)
				continue;
			note_covering(s, vaddr, operand, op, width, "frame", place, text);
			found = true;
		}
		if (!found)
			note(s, vaddr, operand, op, width, "stack", nothing, text);
	} else {
		note(s, vaddr, operand, op, width, section_name(s, address - s->bias), nothing,
		     text);
	}
}

static bool get_vectors(struct stepper *s, struct vectors *vectors)
{
	u8 area[4096];
	struct iovec io = { area, sizeof(area) };

	if (ptrace(PTRACE_GETREGSET, s->pid, NT_X86_XSTATE, &io) || io.iov_len < 576 + 256)
		return false;
	for (u32 i = 0; i < 16; i++) {
		memset(vectors->regs[i], 0, sizeof(vectors->regs[i]));
		memcpy(vectors->regs[i], area + 160 + 16 * i, 16);
		memcpy(vectors->regs[i] + 16, area + 576 + 16 * i, 16);
	}
	return true;
}

static void note_operands(struct stepper *s, u64 vaddr, const struct decoded *insn)
{
	static const struct operand implicit = { .access = 0 };
	u64 addresses[MAX_GATHER];
	struct vectors vectors;
	bool have_vectors = insn->index_size && get_vectors(s, &vectors);

	if (!insn->nr_operands && insn->stack_op) {
		note(s, vaddr, 0, &implicit, 8, "implicit", "-\t0\t0\t0", insn->text);
		count_execution(s);
	}
	if (!strncmp(insn->text, "rep", 3) && !s->regs.rcx)
		return;
	for (u32 i = 0; i < insn->nr_operands; i++) {
		u32 width = insn->index_size ? insn->element_size : insn->operands[i].width;
		u32 nr = operand_addresses(insn, i, vaddr + s->bias, &s->regs,
					   have_vectors ? &vectors : NULL, addresses, MAX_GATHER);

		for (u32 j = 0; j < nr; j++) {
			classify(s, vaddr, i, &insn->operands[i], width, addresses[j], insn->text);
			count_execution(s);
		}
	}
}

static void push_frame(struct stepper *s, u64 cfa)
{
	g_array_append_vals(s->frames, &(struct frame){ .cfa = cfa }, 1);
}

static void pop_frames(struct stepper *s)
{
	while (s->frames->len) {
		u64 cfa = g_array_index(s->frames, struct frame, s->frames->len - 1).cfa;

		if (cfa > s->regs.rsp)
			break;
		objects_forget(s->objects, s->mem, cfa - STACK_SIZE, cfa);
		g_array_set_size(s->frames, s->frames->len - 1);
	}
}

static bool step(struct stepper *s)
{
	u64 vaddr = s->regs.rip - s->bias;
	bool planted = variables_entry(s->variables, vaddr);
	int signal = 0;
	bool alive;

	if (planted)
		poke(s, vaddr, s->code[vaddr - s->low]);
	do {
		if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, (void *)(intptr_t)signal))
			err(2, "PTRACE_SINGLESTEP");
		alive = wait_stop(s, &signal);
	} while (alive && signal);
	if (planted && alive)
		poke(s, vaddr, 0xcc);
	return alive;
}

/*
 * Go: each goroutine has a stack. %r14 is the goroutine in all measured code.
 */
static void choose_frames(struct stepper *s)
{
	u64 goroutine = s->regs.r14;

	if (!s->go || goroutine == s->goroutine)
		return;
	s->goroutine = goroutine;
	s->frames = g_hash_table_lookup(s->goroutines, GSIZE_TO_POINTER(goroutine));
	if (!s->frames) {
		s->frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
		g_hash_table_insert(s->goroutines, GSIZE_TO_POINTER(goroutine), s->frames);
	}
}

/* Go: the stack was copied to a larger one. All that was on it is @by bytes further. */
static void move_stack(struct stepper *s, u64 by)
{
	for (u32 i = 0; i < s->frames->len; i++)
		g_array_index(s->frames, struct frame, i).cfa += by;
	for (u32 i = 0; i < s->returns->len; i++) {
		struct breakpoint *b = &g_array_index(s->returns, struct breakpoint, i);

		if (b->goroutine == s->goroutine)
			b->sp += by;
	}
}

/*
 * Go: the call came back to @vaddr. Goroutines return in any order, so others' breakpoints stay. False: this is no
 * return.
 */
static bool has_returned(struct stepper *s, u64 vaddr)
{
	for (u32 i = s->returns->len; i--;) {
		struct breakpoint b = g_array_index(s->returns, struct breakpoint, i);

		if (b.vaddr != vaddr || b.goroutine != s->regs.r14)
			continue;
		choose_frames(s);
		g_array_remove_index(s->returns, i);
		poke(s, b.vaddr, s->code[b.vaddr - s->low]);
		if (b.sp != s->regs.rsp)
			move_stack(s, s->regs.rsp - b.sp);
		return true;
	}
	return false;
}

/* Go: notes the arguments of the allocator at its entry, and its result when it returns. True: it was one of both. */
static bool is_allocation(struct stepper *s)
{
	u64 vaddr = s->regs.rip - s->bias;
	u32 nr = s->allocations->len;

	if (vaddr == go_types_allocator(s->go)) {
		struct allocation a = { .sp = s->regs.rsp + 8,
					.size = s->regs.rax,
					.type = s->regs.rbx };

		if (pread(s->mem, &a.back, 8, (off_t)s->regs.rsp) != 8)
			err(2, "the program's stack");
		a.back -= s->bias;
		g_array_append_val(s->allocations, a);
		poke(s, a.back, 0xcc);
		return true;
	}
	if (nr && g_array_index(s->allocations, struct allocation, nr - 1).back == vaddr) {
		struct allocation a = g_array_index(s->allocations, struct allocation, nr - 1);

		g_array_set_size(s->allocations, nr - 1);
		poke(s, a.back, s->code[a.back - s->low]);
		go_types_add(s->go, s->objects, s->regs.rax, a.size, a.type);
		return !has_code(s, vaddr);
	}
	return false;
}

/* Executes the instruction below the breakpoint where the program stands. */
static bool step_over(struct stepper *s)
{
	u64 vaddr = s->regs.rip - s->bias;
	int signal = 0;
	bool alive;

	poke(s, vaddr, s->code[vaddr - s->low]);
	do {
		if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, (void *)(intptr_t)signal))
			err(2, "PTRACE_SINGLESTEP");
		alive = wait_stop(s, &signal);
	} while (alive && signal);
	if (alive && vaddr == go_types_allocator(s->go))
		poke(s, vaddr, 0xcc);
	return alive;
}

/* Go: as run_outside(), from a breakpoint that it has stopped at. */
static void enter_goroutine(struct stepper *s)
{
	bool again = has_returned(s, s->regs.rip - s->bias);

	choose_frames(s);
	for (u32 i = 0; i < s->returns->len; i++)
		poke(s, g_array_index(s->returns, struct breakpoint, i).vaddr, 0xcc);
	if (!again)
		push_frame(s, s->regs.rsp + 8);
}

/* In code that is not measured: runs to where it comes back or calls back. */
static bool run_outside(struct stepper *s, bool called)
{
	u64 back = 0;
	int signal;

	if (called && pread(s->mem, &back, 8, (off_t)s->regs.rsp) == 8 &&
	    has_code(s, back - s->bias)) {
		struct breakpoint b = { back - s->bias, s->regs.rsp + 8, s->goroutine };

		g_array_append_val(s->returns, b);
		poke(s, b.vaddr, 0xcc);
	}
	for (;;) {
		bool again = false;

		if (ptrace(PTRACE_CONT, s->pid, NULL, NULL))
			err(2, "PTRACE_CONT");
		if (!wait_any(s, &signal))
			return false;
		get_regs(s);
		s->regs.rip--;
		if (ptrace(PTRACE_SETREGS, s->pid, NULL, &s->regs))
			err(2, "PTRACE_SETREGS");
		if (s->go && is_allocation(s)) {
			if (!step_over(s))
				return false;
			continue;
		}
		if (s->go) {
			enter_goroutine(s);
			return true;
		}
		for (u32 i = s->returns->len; i--;) {
			struct breakpoint b = g_array_index(s->returns, struct breakpoint, i);

			if (b.vaddr != s->regs.rip - s->bias && b.sp > s->regs.rsp)
				continue;
			/* Reached, or passed over by a jump out of it. */
			g_array_remove_index(s->returns, i);
			poke(s, b.vaddr, s->code[b.vaddr - s->low]);
			again = again || b.vaddr == s->regs.rip - s->bias;
		}
		for (u32 i = 0; i < s->returns->len; i++)
			poke(s, g_array_index(s->returns, struct breakpoint, i).vaddr, 0xcc);
		if (!again)
			push_frame(s, s->regs.rsp + 8);
		return true;
	}
}

/* A return address in measured code has its breakpoint while we step through a call back. */
static void clear_return(struct stepper *s, u64 vaddr)
{
	for (u32 i = 0; i < s->returns->len; i++)
		if (g_array_index(s->returns, struct breakpoint, i).vaddr == vaddr)
			poke(s, vaddr, s->code[vaddr - s->low]);
}

static u32 line_at(struct stepper *s, u64 vaddr)
{
	u32 *line = &s->line_of[vaddr - s->low];

	if (!*line)
		*line = variables_line(s->variables, vaddr) + 1;
	return *line - 1;
}

static void run(struct stepper *s)
{
	bool called = false;

	while (s->steps < s->max_steps) {
		const struct decoded *insn;
		struct frame *top;
		u64 vaddr, sp;

		get_regs(s);
		vaddr = s->regs.rip - s->bias;
		if (!has_code(s, vaddr)) {
			if (!run_outside(s, called))
				return;
			called = false;
			continue;
		}
		choose_frames(s);
		pop_frames(s);
		if (!s->frames->len)
			push_frame(s, s->regs.rsp + 8);
		if (s->returns->len)
			clear_return(s, vaddr);
		insn = decoded_at(s, vaddr);
		top = &g_array_index(s->frames, struct frame, s->frames->len - 1);
		top->pc = vaddr;
		top->next = vaddr + insn->size;
		top->regs = s->regs;
		top->reached = MAX(top->reached, line_at(s, vaddr));
		if (insn->nr_operands || insn->stack_op)
			note_operands(s, vaddr, insn);
		sp = s->regs.rsp;
		if (!step(s))
			return;
		s->steps++;
		called = !insn->ret;
		if (insn->call) {
			get_regs(s);
			if (s->regs.rsp == sp - 8 && has_code(s, s->regs.rip - s->bias))
				push_frame(s, sp);
		}
	}
	warnx("stopped after %lu steps", (unsigned long)s->steps);
	kill(s->first, SIGKILL);
}

/* Breakpoints on all entries, so that code outside can call back. */
static void plant(struct stepper *s)
{
	u32 nr;
	const u64 *entries = variables_entries(s->variables, &nr);

	for (u32 i = 0; i < nr; i++)
		if (entries[i] >= s->low && entries[i] < s->high)
			poke(s, entries[i], 0xcc);
}

static void read_program(struct stepper *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t nr, strings;
	Elf_Scn *scn = NULL;

	elf_version(EV_CURRENT);
	s->elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!s->elf || elf_getphdrnum(s->elf, &nr) || elf_getshdrstrndx(s->elf, &strings))
		errx(2, "%s: no ELF file", path);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		gelf_getphdr(s->elf, (int)i, &phdr);
		if (phdr.p_type == PT_TLS)
			s->tls_size = ALIGN_UP(phdr.p_memsz, MAX(phdr.p_align, 1));
		if (phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X))
			continue;
		s->low = phdr.p_vaddr;
		s->high = phdr.p_vaddr + phdr.p_filesz;
		s->code = g_malloc(phdr.p_filesz);
		if (pread(fd, s->code, phdr.p_filesz, (off_t)phdr.p_offset) !=
		    (ssize_t)phdr.p_filesz)
			errx(2, "%s: short", path);
	}
	s->sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	while ((scn = elf_nextscn(s->elf, scn))) {
		GElf_Shdr shdr;

		gelf_getshdr(scn, &shdr);
		if (shdr.sh_flags & SHF_ALLOC && !(shdr.sh_flags & SHF_TLS))
			g_array_append_vals(
				s->sections,
				&(struct section){ shdr.sh_addr, shdr.sh_addr + shdr.sh_size,
						   elf_strptr(s->elf, strings, shdr.sh_name) },
				1);
	}
	close(fd);
	s->decoded = g_new0(struct decoded, s->high - s->low);
	s->line_of = g_new0(u32, s->high - s->low);
}

/* Where the program's first byte lies, less where its file says. */
static u64 find_bias(struct stepper *s)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/auxv", s->pid), *bytes = NULL;
	GElf_Ehdr ehdr;
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL) || !gelf_getehdr(s->elf, &ehdr))
		errx(2, "%s cannot be read", path);
	for (const u64 *aux = (const u64 *)(const void *)bytes;
	     (const char *)(aux + 2) <= bytes + size; aux += 2)
		if (aux[0] == AT_ENTRY)
			return aux[1] - ehdr.e_entry;
	errx(2, "%s has no entry", path);
}

static void start(struct stepper *s, char **argv)
{
	int status;

	s->objects = objects_new();
	s->pid = fork();
	if (s->pid < 0)
		err(2, "fork");
	if (!s->pid) {
		int null = open("/dev/null", O_RDWR);

		setenv("LD_BIND_NOW", "1", 1);
		/* Go: one thread runs all goroutines, nothing is freed, and no signal changes between them. */
		setenv("GOMAXPROCS", "1", 1);
		setenv("GOGC", "off", 1);
		setenv("GODEBUG", "asyncpreemptoff=1", 1);
		dup2(null, STDOUT_FILENO);
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	if (waitpid(s->pid, &status, 0) < 0 || !WIFSTOPPED(status))
		errx(2, "%s does not start", argv[0]);
	s->first = s->pid;
	s->mem = open(g_strdup_printf("/proc/%d/mem", s->pid), O_RDWR | O_CLOEXEC);
	if (s->mem < 0)
		err(2, "the program's memory");
	s->bias = find_bias(s);
	plant(s);
	s->go = go_types_open(s->elf, argv[0], s->mem, s->bias);
	ptrace(PTRACE_SETOPTIONS, s->pid, NULL,
	       (void *)(intptr_t)(PTRACE_O_EXITKILL | (s->go ? PTRACE_O_TRACECLONE : 0)));
	if (!s->go)
		return;
	s->goroutines = g_hash_table_new(NULL, NULL);
	s->allocations = g_array_new(FALSE, FALSE, sizeof(struct allocation));
	poke(s, go_types_allocator(s->go), 0xcc);
}

static void write_truth(struct stepper *s, const char *path)
{
	GHashTableIter iter;
	gpointer lines, times;
	FILE *file = fopen(path, "w");
	u32 choice = 0;

	if (!file)
		err(2, "%s", path);
	g_hash_table_iter_init(&iter, s->choices);
	while (g_hash_table_iter_next(&iter, &lines, &times)) {
		choice++;
		for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1) {
			char *text = end;

			while (*text != '\t')
				text--;
			fprintf(file, "%.*s\t%u\t%lu%.*s\n", (int)(text - line), line, choice,
				(unsigned long)*(u64 *)times, (int)(end - text), text);
		}
	}
	if (fclose(file))
		err(2, "%s", path);
}

int main(int argc, char **argv)
{
	struct stepper s = { .max_steps = 3000000 };
	int opt;

	while ((opt = getopt(argc, argv, "+n:")) != -1) {
		if (opt != 'n')
			return 2;
		s.max_steps = strtoull(optarg, NULL, 0);
	}
	if (argc - optind < 2)
		errx(2, "step [-n STEPS] TRUTH PROGRAM [ARG...]");
	read_program(&s, argv[optind + 1]);
	s.variables = variables_open(argv[optind + 1]);
	s.decoder = decoder_new();
	s.frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
	s.returns = g_array_new(FALSE, FALSE, sizeof(struct breakpoint));
	s.choices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	s.lines = g_string_new(NULL);
	s.known = g_hash_table_new_full(place_hash, place_equal, g_free, g_free);
	start(&s, argv + optind + 1);
	run(&s);
	write_truth(&s, argv[optind]);
	return 0;
}
