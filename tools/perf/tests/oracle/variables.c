// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A variable in a frame is taken where its location at that very point is memory. Compilers
 * move stores of a scope's variables out of the scope's range, and they give a variable the place of
 * another that has the same value; so a variable that has one home for all of its life counts too,
 * if it is the only one whose home covers the address in any scope of the function; but not in
 * optimized functions, where objects that are not alive together share places and some of them
 * have no location.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "variables.h"

struct range {
	u64 low, high;
	u32 function;
};

struct placed {
	u64 low, high;
	u64 type;
};

struct local {
	Dwarf_Die die, scope;
	bool inlined; /* it is of a function that is inlined here */
};

struct function {
	Dwarf_Die die;
	GArray *locals; /* struct local; NULL: not collected yet */
	bool moves;	/* a local has a list of places */
	bool optimized; /* many of its locals move about */
	bool measured;
	u64 frame_size; /* from the stack pointer to the CFA, in most of its code; 0: not known */
};

struct variables {
	int fd;
	Dwarf *dwarf;
	Dwarf_CFI *cfi;	   /* or NULL */
	GArray *ranges;	   /* struct range, ascending */
	GArray *functions; /* struct function */
	GArray *entries;   /* u64 */
	GHashTable *entry_set;
	GArray *statics, *threads; /* struct placed, ascending */
	GHashTable *sources;	   /* path -> its lines */
};

static int by_low(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static bool type_of(Dwarf_Die *variable, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(variable, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

static u64 type_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

/* The address that a location of one or two operations says; @thread: in the TLS block. */
static bool fixed_place(Dwarf_Attribute *attr, u64 *place, bool *thread)
{
	Dwarf_Attribute address;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_getlocation(attr, &ops, &nr) || nr < 1)
		return false;
	*thread = nr >= 2 && (ops[nr - 1].atom == DW_OP_GNU_push_tls_address ||
			      ops[nr - 1].atom == DW_OP_form_tls_address);
	if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_constx ||
	    ops[0].atom == DW_OP_GNU_addr_index || ops[0].atom == DW_OP_GNU_const_index) {
		if (dwarf_getlocation_attr(attr, &ops[0], &address) ||
		    dwarf_formaddr(&address, place))
			return false;
	} else if (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_const8u ||
		   ops[0].atom == DW_OP_const4u) {
		*place = ops[0].number;
	} else {
		return false;
	}
	if (nr == 2 && ops[1].atom == DW_OP_plus_uconst)
		*place += ops[1].number;
	else if (nr != 1 + *thread)
		return false;
	return *thread || ops[0].atom != DW_OP_const8u;
}

static void add_static(struct variables *v, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	const char *name = dwarf_diename(die);
	u64 place;
	bool thread;

	/* Rust's debug information has them as variables; C++'s are not asked for either. */
	if (name && g_str_has_suffix(name, "::{vtable}"))
		return;
	if (!dwarf_attr(die, DW_AT_location, &attr) || !fixed_place(&attr, &place, &thread) ||
	    !type_of(die, &type))
		return;
	g_array_append_vals(
		thread ? v->threads : v->statics,
		&(struct placed){ place, place + type_size(&type), dwarf_dieoffset(&type) }, 1);
}

static void add_function(struct variables *v, Dwarf_Die *die)
{
	struct function function = { .die = *die };
	Dwarf_Addr base, low, high, entry;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (low && high > low)
			g_array_append_vals(v->ranges,
					    &(struct range){ low, high, v->functions->len }, 1);
	if (!dwarf_entrypc(die, &entry) && entry)
		g_array_append_val(v->entries, entry);
	g_array_append_val(v->functions, function);
}

static void collect(struct variables *v, Dwarf_Die *parent, bool measured, int depth)
{
	Dwarf_Die die;

	if (depth > 64 || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (measured)
				add_function(v, &die);
			break;
		case DW_TAG_variable:
			add_static(v, &die);
			break;
		}
		collect(v, &die, measured, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* Rust's own library comes with debug information; it is measured no more than C's. */
static bool is_foreign(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *folder = dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr)
								     : NULL;

	return folder && g_str_has_prefix(folder, "/rustc/");
}

/*
 * Go's runtime and library are in the program, with debug information. They are not measured, but the program's code
 * accesses their variables. A package is a unit.
 */
static bool is_go_library(Dwarf_Die *unit)
{
	return dwarf_srclang(unit) == DW_LANG_Go && g_strcmp0(dwarf_diename(unit), "main") != 0;
}

struct variables *variables_open(const char *path)
{
	struct variables *v = g_new0(struct variables, 1);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	u8 unit_type;

	v->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (v->fd < 0)
		err(2, "%s", path);
	v->dwarf = dwarf_begin(v->fd, DWARF_C_READ);
	if (!v->dwarf)
		errx(2, "%s: %s", path, dwarf_errmsg(-1));
	v->cfi = dwarf_getcfi_elf(dwarf_getelf(v->dwarf));
	v->ranges = g_array_new(FALSE, FALSE, sizeof(struct range));
	v->functions = g_array_new(FALSE, FALSE, sizeof(struct function));
	v->entries = g_array_new(FALSE, FALSE, sizeof(u64));
	v->statics = g_array_new(FALSE, FALSE, sizeof(struct placed));
	v->threads = g_array_new(FALSE, FALSE, sizeof(struct placed));
	v->sources =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_strfreev);
	while (!dwarf_get_units(v->dwarf, cu, &cu, NULL, &unit_type, &die, &split))
		if (!is_foreign(&die))
			collect(v, unit_type == DW_UT_skeleton && split.addr ? &split : &die,
				!is_go_library(&die), 0);
	g_array_sort(v->ranges, by_low);
	g_array_sort(v->statics, by_low);
	g_array_sort(v->threads, by_low);
	v->entry_set = g_hash_table_new(NULL, NULL);
	for (u32 i = 0; i < v->entries->len; i++)
		g_hash_table_add(v->entry_set,
				 (gpointer)(uintptr_t)g_array_index(v->entries, u64, i));
	return v;
}

void variables_close(struct variables *v)
{
	for (u32 i = 0; i < v->functions->len; i++)
		if (g_array_index(v->functions, struct function, i).locals)
			g_array_unref(g_array_index(v->functions, struct function, i).locals);
	g_array_unref(v->ranges);
	g_array_unref(v->functions);
	g_array_unref(v->entries);
	g_array_unref(v->statics);
	g_array_unref(v->threads);
	g_hash_table_unref(v->entry_set);
	g_hash_table_unref(v->sources);
	dwarf_end(v->dwarf);
	close(v->fd);
	g_free(v);
}

static struct function *function_at(const struct variables *v, u64 vaddr)
{
	u32 low = 0, high = v->ranges->len;

	while (low < high) {
		u32 mid = (low + high) / 2;
		const struct range *range = &g_array_index(v->ranges, struct range, mid);

		if (vaddr < range->low)
			high = mid;
		else if (vaddr >= range->high)
			low = mid + 1;
		else
			return &g_array_index(v->functions, struct function, range->function);
	}
	return NULL;
}

bool variables_code(const struct variables *v, u64 vaddr)
{
	return function_at(v, vaddr) != NULL;
}

bool variables_entry(const struct variables *v, u64 vaddr)
{
	return g_hash_table_contains(v->entry_set, (gpointer)(uintptr_t)vaddr);
}

const u64 *variables_entries(const struct variables *v, u32 *nr)
{
	*nr = v->entries->len;
	return (const u64 *)(void *)v->entries->data;
}

static bool find_placed(const GArray *placed, u64 at, struct covering *out)
{
	for (u32 low = 0, high = placed->len; low < high;) {
		u32 mid = (low + high) / 2;
		const struct placed *p = &g_array_index(placed, struct placed, mid);

		if (at < p->low) {
			high = mid;
		} else if (at >= p->high) {
			low = mid + 1;
		} else {
			*out = (struct covering){ .type = p->type, .offset = (s64)(at - p->low) };
			return true;
		}
	}
	return false;
}

bool variables_static(const struct variables *v, u64 vaddr, struct covering *out)
{
	return find_placed(v->statics, vaddr, out);
}

u64 variables_pointee(struct variables *v, u64 vaddr)
{
	struct covering c;
	Dwarf_Die pointer, target;

	if (!variables_static(v, vaddr, &c) || !dwarf_offdie(v->dwarf, c.type, &pointer) ||
	    dwarf_tag(&pointer) != DW_TAG_pointer_type || !type_of(&pointer, &target))
		return 0;
	return dwarf_dieoffset(&target);
}

bool variables_thread(const struct variables *v, u64 offset, struct covering *out)
{
	return find_placed(v->threads, offset, out);
}

static void collect_locals(Dwarf_Die *scope, GArray *locals, bool inlined, int depth)
{
	struct local local = { .scope = *scope, .inlined = inlined };

	if (depth > 64 || dwarf_child(scope, &local.die))
		return;
	do {
		switch (dwarf_tag(&local.die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			g_array_append_val(locals, local);
			break;
		case DW_TAG_inlined_subroutine:
			collect_locals(&local.die, locals, true, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			collect_locals(&local.die, locals, inlined, depth + 1);
			break;
		}
	} while (!dwarf_siblingof(&local.die, &local.die));
}

/* DWARF's numbers of the general registers. */
static bool dwarf_register(const struct user_regs_struct *r, u32 number, u64 *value)
{
	const unsigned long long regs[] = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi,
					    r->rbp, r->rsp, r->r8,  r->r9,  r->r10, r->r11,
					    r->r12, r->r13, r->r14, r->r15 };

	if (number >= ARRAY_SIZE(regs))
		return false;
	*value = regs[number];
	return true;
}

/* From the stack pointer to the CFA at @vaddr, and up to where; 0: not stated so. */
static u64 cfa_distance(Dwarf_CFI *cfi, u64 vaddr, u64 *end)
{
	Dwarf_Frame *frame;
	Dwarf_Addr from, until;
	Dwarf_Op *ops;
	size_t nr;
	u64 distance = 0;

	if (dwarf_cfi_addrframe(cfi, vaddr, &frame))
		return 0;
	if (dwarf_frame_info(frame, &from, &until, NULL) >= 0 && until > vaddr) {
		*end = until;
		if (!dwarf_frame_cfa(frame, &ops, &nr) && nr == 1 && ops[0].atom == DW_OP_bregx &&
		    ops[0].number == 7)
			distance = ops[0].number2;
	}
	free(frame);
	return distance;
}

/*
 * clang states places in a frame from the stack pointer, as it is in most of the function: while arguments are
 * pushed, too, when it is further down.
 */
static u64 frame_size(const struct variables *v, struct function *f)
{
	g_autoptr(GHashTable) bytes = g_hash_table_new(NULL, NULL);
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	u64 most = 0;

	if (f->measured || !v->cfi)
		return f->frame_size;
	f->measured = true;
	while ((at = dwarf_ranges(&f->die, at, &base, &low, &high)) > 0) {
		for (u64 vaddr = low, end; vaddr < high; vaddr = end) {
			gpointer distance;
			u64 sum;

			end = vaddr + 1;
			distance = (gpointer)(uintptr_t)cfa_distance(v->cfi, vaddr, &end);
			sum = (u64)(uintptr_t)g_hash_table_lookup(bytes, distance) + end - vaddr;
			g_hash_table_insert(bytes, distance, (gpointer)(uintptr_t)sum);
			if (sum > most) {
				most = sum;
				f->frame_size = (u64)(uintptr_t)distance;
			}
		}
	}
	return f->frame_size;
}

struct machine {
	const struct variables *variables;
	const struct frame *frame;
	struct function *function;
	int mem;
	u64 bias;
	u64 stack[16];
	u32 depth;
};

static bool read_frame_base(const struct machine *m, Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr_integrate(&m->function->die, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, m->frame->pc, &ops, &nr, 1) < 1 || nr != 1)
		return false;
	*op = ops[0];
	return true;
}

static bool register_value(const struct machine *m, u32 number, u64 *value)
{
	Dwarf_Op base;
	u64 size;

	if (!dwarf_register(&m->frame->regs, number, value))
		return false;
	if (number != 7 || !read_frame_base(m, &base) || base.atom != DW_OP_reg7)
		return true;
	size = frame_size(m->variables, m->function);
	if (size && m->frame->cfa - *value > size)
		*value = m->frame->cfa - size;
	return true;
}

static bool frame_base(const struct machine *m, u64 *base)
{
	Dwarf_Op op;

	if (!read_frame_base(m, &op))
		return false;
	if (op.atom == DW_OP_call_frame_cfa) {
		*base = m->frame->cfa;
		return true;
	}
	return op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31 &&
	       register_value(m, op.atom - DW_OP_reg0, base);
}

/* One operation; false: none that makes an address. */
static bool run_op(struct machine *m, const Dwarf_Op *op)
{
	u64 *top = m->depth ? &m->stack[m->depth - 1] : NULL, value;

	switch (op->atom) {
	case DW_OP_plus_uconst:
		if (top)
			*top += op->number;
		return top;
	case DW_OP_deref:
		return top && pread(m->mem, top, 8, (off_t)*top) == 8;
	case DW_OP_plus:
	case DW_OP_minus:
		if (m->depth < 2)
			return false;
		m->depth--;
		top[-1] = op->atom == DW_OP_plus ? top[-1] + *top : top[-1] - *top;
		return true;
	case DW_OP_fbreg:
		if (!frame_base(m, &value))
			return false;
		value += op->number;
		break;
	case DW_OP_call_frame_cfa:
		value = m->frame->cfa;
		break;
	case DW_OP_addr:
		value = op->number + m->bias;
		break;
	case DW_OP_lit0 ... DW_OP_lit31:
		value = op->atom - DW_OP_lit0;
		break;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
		value = op->number;
		break;
	case DW_OP_breg0 ... DW_OP_breg31:
		if (!register_value(m, op->atom - DW_OP_breg0, &value))
			return false;
		value += op->number;
		break;
	default:
		return false;
	}
	if (m->depth == ARRAY_SIZE(m->stack))
		return false;
	m->stack[m->depth++] = value;
	return true;
}

/* Does the location, whole or in a piece, cover @address? Then at which offset of the variable. */
static bool location_covers(struct machine *m, const Dwarf_Op *ops, size_t nr, u64 size,
			    u64 address, s64 *offset)
{
	u64 piece_at = 0;
	bool memory = true;

	m->depth = 0;
	for (size_t i = 0; i < nr; i++) {
		if (ops[i].atom == DW_OP_piece) {
			if (memory && m->depth == 1 && address - m->stack[0] < ops[i].number) {
				*offset = (s64)(piece_at + address - m->stack[0]);
				return true;
			}
			piece_at += ops[i].number;
			m->depth = 0;
			memory = true;
		} else if (ops[i].atom == DW_OP_stack_value ||
			   ops[i].atom == DW_OP_implicit_value) {
			memory = false;
		} else if (memory && !run_op(m, &ops[i])) {
			memory = false;
		}
	}
	if (piece_at || !memory || m->depth != 1 || address - m->stack[0] >= size)
		return false;
	*offset = (s64)(address - m->stack[0]);
	return true;
}

/*
 * A number or pointer in memory at a register is said to be wherever its value is just now. Beyond the
 * frame that is another variable's place:
 *
 *	static inline int code(int b);
 *	code(e->info);			b: in memory at %rbx + 8
 */
static bool is_copy_of_other(struct machine *m, const Dwarf_Op *ops, Dwarf_Die *type, u64 address)
{
	bool framed = m->frame->regs.rbp + 16 == m->frame->cfa;
	Dwarf_Die peeled;

	return address >= m->frame->cfa && ops[0].atom >= DW_OP_breg0 &&
	       ops[0].atom <= DW_OP_breg31 && (ops[0].atom != DW_OP_breg6 || !framed) &&
	       ops[0].atom != DW_OP_breg7 && !dwarf_peel_type(type, &peeled) &&
	       (dwarf_tag(&peeled) == DW_TAG_base_type ||
		dwarf_tag(&peeled) == DW_TAG_pointer_type ||
		dwarf_tag(&peeled) == DW_TAG_enumeration_type);
}

static bool local_covers(struct machine *m, struct local *local, u64 address, bool only_home,
			 struct covering *out)
{
	Dwarf_Addr base, low, high;
	Dwarf_Attribute attr;
	Dwarf_Die type;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(&local->die, DW_AT_location, &attr) || !type_of(&local->die, &type))
		return false;
	if (only_home) {
		if (dwarf_getlocations(&attr, 0, &base, &low, &high, &ops, &nr) <= 0 || low != 0 ||
		    high != (Dwarf_Addr)-1)
			return false;
	} else if (dwarf_getlocation_addr(&attr, m->frame->pc, &ops, &nr, 1) < 1) {
		return false;
	}
	if (!location_covers(m, ops, nr, type_size(&type), address, &out->offset) ||
	    is_copy_of_other(m, ops, &type, address))
		return false;
	out->type = dwarf_dieoffset(&type);
	out->size = type_size(&type);
	out->ends = false;
	out->pointer = !dwarf_peel_type(&type, &type) && dwarf_tag(&type) == DW_TAG_pointer_type;
	return true;
}

/* Do its locals move about? */
static void look_at_places(struct function *function)
{
	const GArray *locals = function->locals;
	u32 lists = 0, homes = 0;

	for (u32 i = 0; i < locals->len; i++) {
		Dwarf_Die die = g_array_index(locals, struct local, i).die;
		Dwarf_Attribute attr;
		bool located = dwarf_attr(&die, DW_AT_location, &attr) != NULL;

		homes += located && dwarf_whatform(&attr) == DW_FORM_exprloc;
		lists += located && dwarf_whatform(&attr) != DW_FORM_exprloc;
	}
	function->moves = lists > 0;
	function->optimized = lists * 5 > lists + homes;
}

static bool in_scope(struct function *function, struct local *local, u64 pc)
{
	return local->scope.addr == function->die.addr || dwarf_haspc(&local->scope, pc) > 0;
}

/* The time of a number or pointer in a slot ends behind the instruction, but not its scope. */
static bool ends_in_scope(struct machine *m, struct local *local, u64 address)
{
	struct frame after = *m->frame;
	struct machine then = *m;
	struct covering c;

	after.pc = after.next;
	then.frame = &after;
	return function_at(m->variables, after.pc) == m->function &&
	       in_scope(m->function, local, after.pc) &&
	       !local_covers(&then, local, address, false, &c);
}

/* The child of @scope, or of a block in it, that has the code of a function inlined at @pc. */
static bool inlined_at(Dwarf_Die *scope, u64 pc, Dwarf_Die *out, int depth)
{
	Dwarf_Die die;

	if (depth > 64 || dwarf_child(scope, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
		    dwarf_haspc(&die, pc) <= 0)
			continue;
		*out = die;
		return tag == DW_TAG_inlined_subroutine || inlined_at(&die, pc, out, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* The line of @pc in the scope's own function, which may be that of a call inlined there. */
static u64 line_in(Dwarf_Die *scope, u64 pc, const char **file)
{
	Dwarf_Die unit, inlined;
	Dwarf_Attribute attr;
	Dwarf_Word line = 0, nr = 0;
	Dwarf_Files *files;
	Dwarf_Line *at;
	int number;

	if (!dwarf_diecu(scope, &unit, NULL, NULL))
		return 0;
	if (!inlined_at(scope, pc, &inlined, 0)) {
		at = dwarf_getsrc_die(&unit, pc);
		*file = at ? dwarf_linesrc(at, NULL, NULL) : NULL;
		return at && !dwarf_lineno(at, &number) && number > 0 ? (u64)number : 0;
	}
	if (!dwarf_attr(&inlined, DW_AT_call_line, &attr) || dwarf_formudata(&attr, &line) ||
	    !dwarf_attr(&inlined, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &nr) ||
	    dwarf_getsrcfiles(&unit, &files, NULL))
		return 0;
	*file = dwarf_filesrc(files, nr, NULL, NULL);
	return line;
}

/*
 * A variable's scope begins at its declaration. Before that compilers use its place for others, such as
 * temporary objects, of which the debug information says nothing:
 *
 *	auto *circle = make(Point{ 1, 2 });	the Point lies where the array will be
 *	Shape *shapes[] = { circle, ... };
 */
static bool is_before(struct local *local, u64 pc)
{
	const char *file = NULL, *declared = dwarf_decl_file(&local->die);
	int line;
	u64 now;

	if (dwarf_tag(&local->die) != DW_TAG_variable || !declared ||
	    dwarf_decl_line(&local->die, &line) || line <= 0)
		return false;
	now = line_in(&local->scope, pc, &file);
	return now && file && now < (u64)line && !strcmp(file, declared);
}

u32 variables_line(struct variables *v, u64 vaddr)
{
	struct function *function = function_at(v, vaddr);
	const char *file;

	return function ? (u32)line_in(&function->die, vaddr, &file) : 0;
}

static char **source_lines(struct variables *v, const char *path)
{
	char **lines = g_hash_table_lookup(v->sources, path);
	g_autofree char *text = NULL;

	if (lines)
		return lines;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		text = g_strdup("");
	lines = g_strsplit(text, "\n", -1);
	g_hash_table_insert(v->sources, g_strdup(path), lines);
	return lines;
}

/* Behind the word @name in @text; NULL: it is not there. */
static const char *behind_word(const char *text, const char *name)
{
	size_t size = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at++)
		if ((at == text || (!g_ascii_isalnum(at[-1]) && at[-1] != '_')) &&
		    !g_ascii_isalnum(at[size]) && at[size] != '_')
			return at + size;
	return NULL;
}

/* Nothing makes one, unless its declaration says with what. */
static bool is_plain(Dwarf_Die *variable)
{
	Dwarf_Die type;

	if (!type_of(variable, &type))
		return false;
	while (!dwarf_peel_type(&type, &type) && dwarf_tag(&type) == DW_TAG_array_type)
		if (!type_of(&type, &type))
			return false;
	return dwarf_tag(&type) == DW_TAG_pointer_type || dwarf_tag(&type) == DW_TAG_base_type ||
	       dwarf_tag(&type) == DW_TAG_enumeration_type;
}

/*
 * A variable that is declared without a value has none before the first line that names it again has run,
 * and optimizing compilers use its place for others until then:
 *
 *	Label *labels[3];
 *	scene->add(make(Point{ 1, 2 }));	the Point lies where the labels will be
 *	labels[0] = ...
 *
 * @reached is a line of the function itself. It says nothing about the variables of a function that is inlined, also in a block
 * of that: its lines may be further up or down, or in another file.
 */
static bool is_unset(struct variables *v, struct function *function, struct local *local,
		     u32 reached)
{
	const char *name = dwarf_diename(&local->die), *file = dwarf_decl_file(&local->die), *rest;
	char **lines;
	int line;

	if (!reached || local->inlined || !name || !file ||
	    dwarf_tag(&local->die) != DW_TAG_variable ||
	    (dwarf_tag(&local->scope) != DW_TAG_lexical_block &&
	     local->scope.addr != function->die.addr) ||
	    dwarf_decl_line(&local->die, &line) || line <= 0 || !is_plain(&local->die))
		return false;
	lines = source_lines(v, file);
	if ((u32)line > g_strv_length(lines))
		return false;
	lines += line - 1;
	rest = behind_word(*lines, name);
	while (rest && (*rest == ' ' || *rest == '['))
		rest = *rest == '[' ? strchr(rest, ']') + !!strchr(rest, ']') : rest + 1;
	if (!rest || (*rest != ';' && *rest != ','))
		return false;
	while (rest && !behind_word(rest, name)) {
		rest = *++lines;
		line++;
	}
	return rest && reached < (u32)line;
}

u32 variables_frame(struct variables *v, const struct frame *frame, int mem, u64 bias, u64 address,
		    struct covering *out, u32 max)
{
	struct function *function = function_at(v, frame->pc);
	struct machine machine = { v, frame, function, mem, bias, { 0 }, 0 };
	u32 nr = 0, homes = 0;
	bool early = false;

	if (!function)
		return 0;
	if (!function->locals) {
		function->locals = g_array_new(FALSE, FALSE, sizeof(struct local));
		collect_locals(&function->die, function->locals, false, 0);
		look_at_places(function);
	}
	/* The innermost scope's come last. */
	for (u32 i = function->locals->len; i-- && nr < max;) {
		struct local *local = &g_array_index(function->locals, struct local, i);

		if (!in_scope(function, local, frame->pc) ||
		    !local_covers(&machine, local, address, false, &out[nr]))
			continue;
		if (is_before(local, frame->pc))
			early = true;
		else if (!is_unset(v, function, local, frame->reached)) {
			out[nr].ends = out[nr].size <= 8 && ends_in_scope(&machine, local, address);
			nr++;
		}
	}
	/* In the place of a variable to come is a temporary object, which no entry tells. */
	if (early && function->moves)
		return nr;
	for (u32 i = 0; !function->optimized && i < function->locals->len && nr < max; i++) {
		struct local *local = &g_array_index(function->locals, struct local, i);

		homes += local_covers(&machine, local, address, true, &out[nr]) &&
			 !is_before(local, frame->pc);
	}
	return nr + (homes == 1);
}
