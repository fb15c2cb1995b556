// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the function that a call goes to. Sources, in order: the address; the name in the PLT or the GOT; the type of
 * the function pointer; the debug information of the call site.
 *
 *	call 401130 <find>			the function at that address
 *	call *0x2fe2(%rip)	# printf@GOT	a name, and the unit's declaration of it
 *	call *0x18(%rax)			%rax: ADDRESS(struct ops, 0); the type of ops.read
 *	call __x86_indirect_thunk_rax		a retpoline: the callee is the value of %rax
 *
 * Two questions with different sources. callee_itself() asks for the function alone: the answer is the same for all
 * code and is cached. cfg.c needs it before any value is known (call_no_return()). callee_find() asks for the
 * function that is called by an instruction, and uses the state before it.
 *
 *	target	unit	name		proto					cached for
 *	401130	0	"find"		struct node *find(struct tree *, long)	all code
 *	401030	0	"printf@plt"	NULL					all code
 *	401030	7	"printf@plt"	by the declaration in unit 7		code of unit 7
 *
 * Limits: without a prototype, the result and the arguments are unknown. If a name is declared in several ways, the
 * asking unit's declaration counts.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/abi.h"
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

/* Functions of the C library that return one of their arguments, or a pointer into its target. */
static const struct {
	const char *name;
	u8 returns;
} pass_through[] = {
	{ "memcpy", RETURNS_FIRST },	     { "memmove", RETURNS_FIRST },
	{ "memset", RETURNS_FIRST },	     { "__memcpy_chk", RETURNS_FIRST },
	{ "__memmove_chk", RETURNS_FIRST },  { "__memset_chk", RETURNS_FIRST },
	{ "strcpy", RETURNS_FIRST },	     { "strncpy", RETURNS_FIRST },
	{ "strcat", RETURNS_FIRST },	     { "strncat", RETURNS_FIRST },
	{ "__strcpy_chk", RETURNS_FIRST },   { "__strcat_chk", RETURNS_FIRST },
	{ "memchr", RETURNS_INTO_FIRST },    { "strchr", RETURNS_INTO_FIRST },
	{ "strrchr", RETURNS_INTO_FIRST },   { "strstr", RETURNS_INTO_FIRST },
	{ "strpbrk", RETURNS_INTO_FIRST },   { "rawmemchr", RETURNS_INTO_FIRST },
	{ "strchrnul", RETURNS_INTO_FIRST }, { "stpcpy", RETURNS_INTO_FIRST },
	{ "mempcpy", RETURNS_INTO_FIRST },   { "memrchr", RETURNS_INTO_FIRST },
	{ "fgets", RETURNS_FIRST },	     { "bsearch", RETURNS_SECOND_INTO },
};

#define GO_RUNTIME  "runtime."
#define MAX_FAILING 96 /* bytes of a function that is searched for a return */

static const char *const no_return[] = {
	"abort",
	"exit",
	"_exit",
	"_Exit",
	"quick_exit",
	"__assert_fail",
	"__assert",
	"__assert_perror_fail",
	"__stack_chk_fail",
	"__fortify_fail",
	"__chk_fail",
	"longjmp",
	"siglongjmp",
	"_longjmp",
	"__longjmp_chk",
	"pthread_exit",
	"err",
	"errx",
	"verr",
	"verrx",
	"__cxa_throw",
	"__cxa_rethrow",
	"_Unwind_Resume",
	"__cxa_throw_bad_array_new_length",
	"__cxa_bad_cast",
	"__cxa_bad_typeid",
	"_ZSt9terminatev",
	"__cxa_call_unexpected",
	"_ZSt17__throw_bad_allocv",
	"_ZSt20__throw_length_errorPKc",
	"_ZSt19__throw_logic_errorPKc",
	"_ZSt24__throw_out_of_range_fmtPKcz",
	"_ZSt20__throw_out_of_rangePKc",
	"_ZSt28__throw_bad_array_new_lengthv",
	"_ZSt16__throw_bad_castv",
	"_ZSt25__throw_bad_function_callv",
	"__clang_call_terminate",
	"panic",
	"do_exit",
	"__stack_chk_fail_local",
	"rust_panic",
	"__fortify_panic",
	"make_task_dead",
};

/* Functions that return a second time, after longjmp() or after the child of vfork() has ended. */
static const char *const returns_twice[] = { "setjmp",	    "_setjmp", "sigsetjmp",
					     "__sigsetjmp", "vfork",   "getcontext" };

/* The same of Go's runtime, and prefixes of such names: what it calls where an index or a pointer is bad. */
static const char *const go_no_return[] = { "throw", "fatal", "fatalthrow", "gopanic", "goexit0" };
static const char *const go_no_returns[] = { "panic", "goPanic" };

/* Prefixes of the names of functions that change no register. */
static const char *const keeps_all[] = { "__fentry__", "mcount", "_mcount", "__x86_return_thunk",
					 "__sanitizer_cov_trace" };

/* The name without "@plt" or a version, in @buffer. */
static const char *plain_name(const char *raw, char *buffer, size_t size)
{
	char *at;

	g_strlcpy(buffer, raw, size);
	at = strchr(buffer, '@');
	if (at)
		*at = '\0';
	return buffer;
}

static const char *target_name(const struct object *object, u64 target)
{
	const struct symbol *symbol = dso_find_symbol(object->dso, target);

	if (!symbol || symbol->start == target)
		return symbol ? symbol->raw : NULL;
	/* Go's code enters duffzero and duffcopy at the instruction that leaves the right number of words. */
	return g_str_has_prefix(symbol->raw, "runtime.duff") ? symbol->raw : NULL;
}

static u32 hash_callee(const void *p)
{
	const struct callee *callee = p;

	return (u32)(callee->target ^ callee->target >> 32) + callee->unit * 0x9e3779b1u;
}

static int equal_callees(const void *pa, const void *pb)
{
	const struct callee *a = pa, *b = pb;

	return a->target == b->target && a->unit == b->unit;
}

GHashTable *call_table_new(void)
{
	return g_hash_table_new_full(hash_callee, equal_callees, g_free, NULL);
}

/*
 * The target of a call through a GOT slot: an address in this object (as Rust's compiler does), or only a name. out:
 * *@target, if known.
 */
static const char *slot_name(const struct object *object, const struct insn *insn, u64 *target)
{
	const struct insn_operand *op = &insn->operands[0];
	const struct reloc_slot *slot = NULL;

	if (insn->indirect && insn->nr_operands && op->kind == INSN_MEM && op->relative)
		slot = data_image_slot(object->image, (u64)op->mem.disp);
	if (!slot)
		return NULL;
	if (slot->kind == SLOT_ADDRESS && !slot->elsewhere)
		*target = slot->vaddr;
	return *target ? target_name(object, *target) : slot->symbol;
}

/* The register that a retpoline thunk jumps through, or INSN_NO_REG. */
static u8 thunk_register(const char *name)
{
	static const char *const regs[] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"
	};
	const char *at;

	if (!name || (!g_str_has_prefix(name, "__x86_indirect_") &&
		      !g_str_has_prefix(name, "__llvm_retpoline_")))
		return INSN_NO_REG;
	at = strrchr(name, '_') + 1;
	for (u8 i = 0; i < ARRAY_SIZE(regs); i++)
		if (!strcmp(at, regs[i]))
			return i;
	return INSN_NO_REG;
}

static void set_go_name(struct callee *callee, const char *raw)
{
	const char *name = raw + strlen(GO_RUNTIME);

	if (strncmp(raw, GO_RUNTIME, strlen(GO_RUNTIME))) {
		callee->no_return = !strcmp(raw, "os.Exit");
		return;
	}
	callee->keeps = g_str_has_prefix(name, "gcWriteBarrier");
	for (u32 i = 0; i < ARRAY_SIZE(go_no_return); i++)
		callee->no_return |= !strcmp(name, go_no_return[i]);
	for (u32 i = 0; i < ARRAY_SIZE(go_no_returns); i++)
		callee->no_return |= g_str_has_prefix(name, go_no_returns[i]);
}

static void set_name(struct callee *callee, const char *raw)
{
	char name[64];

	callee->name = raw;
	callee->thunk = thunk_register(raw);
	if (!raw)
		return;
	callee->altered = proto_is_altered(raw);
	if (*raw == 'r' || *raw == 'o')
		set_go_name(callee, raw);
	for (u32 i = 0; i < ARRAY_SIZE(keeps_all); i++)
		callee->keeps |= g_str_has_prefix(raw, keeps_all[i]);
	plain_name(raw, name, sizeof(name));
	for (u32 i = 0; i < ARRAY_SIZE(no_return); i++)
		callee->no_return |= !strcmp(name, no_return[i]);
	for (u32 i = 0; i < ARRAY_SIZE(returns_twice); i++)
		callee->twice |= !strcmp(name, returns_twice[i]);
	for (u32 i = 0; i < ARRAY_SIZE(pass_through); i++)
		if (!strcmp(name, pass_through[i].name))
			callee->returned = pass_through[i].returns;
}

static const struct proto *by_name(struct flow *flow, const char *raw)
{
	struct debuginfo *debug = flow->object->debug;

	return raw && debug ? debuginfo_proto_named(debug, raw, flow->asker.vaddr) : NULL;
}

/*
 * A small function without a return and without a jump that leaves it: control cannot come back from there.
 *
 *	void fail(struct machine *m, const char *why) { m->why = why; longjmp(m->on_error, 1); }
 */
static bool has_no_return(const struct object *object, u64 target)
{
	const struct symbol *symbol = dso_find_symbol(object->dso, target);
	size_t left = 0;
	const u8 *code = NULL;
	struct insn insn;

	if (symbol && symbol->start == target && symbol->end - target <= MAX_FAILING)
		code = dso_code(object->dso, target, &left);
	if (!code || left < symbol->end - target)
		return false;
	for (u64 at = target; at < symbol->end;
	     at += insn.size, code += insn.size, left -= insn.size) {
		if (!insn_decode(object->decoder, code, left, at, &insn) || insn.flow == INSN_RET)
			return false;
		if ((insn.flow == INSN_JUMP || insn.flow == INSN_COND) &&
		    (insn.indirect || insn.target < target || insn.target >= symbol->end))
			return false;
	}
	return true;
}

/*
 * Two caches: the table of all callees, and before it one with a slot for each hash, as most calls are of few
 * functions. The result stays valid as long as the object.
 */
const struct callee *callee_itself(const struct object *object, u64 target)
{
	struct callee callee = { .target = target }, *known;
	struct callee **recent = &object->recent_callees[hash_callee(&callee) % RECENT_CALLEES];

	if (*recent && (*recent)->target == target)
		return *recent;
	known = g_hash_table_lookup(object->callees, &callee);
	if (known) {
		*recent = known;
		return known;
	}
	set_name(&callee, target_name(object, target));
	if (object->debug)
		callee.proto = debuginfo_proto_at(object->debug, target);
	callee.no_return |= (callee.proto && callee.proto->noreturn) ||
			    has_no_return(object, target);
	known = g_memdup2(&callee, sizeof(callee));
	g_hash_table_add(object->callees, known);
	*recent = known;
	return known;
}

/* The callee at @target. If it has no prototype, uses the asking unit's declaration of its name. */
static struct callee at_address(struct flow *flow, u64 target)
{
	struct callee callee = *callee_itself(flow->object, target), *known;

	callee.unit = flow->asker.unit;
	if (callee.proto || !callee.name || !callee.unit)
		return callee;
	known = g_hash_table_lookup(flow->object->callees, &callee);
	if (known)
		return *known;
	callee.proto = by_name(flow, callee.name);
	g_hash_table_add(flow->object->callees, g_memdup2(&callee, sizeof(callee)));
	return callee;
}

bool call_no_return(void *data, const struct insn *insn)
{
	const struct object *object = data;
	struct callee callee = { 0 };
	u64 target = insn->target;
	const char *name = target ? NULL : slot_name(object, insn, &target);

	if (target)
		return callee_itself(object, target)->no_return;
	set_name(&callee, name);
	return callee.no_return;
}

static struct callee by_value(struct flow *flow, const struct value *value)
{
	struct callee callee = { .thunk = INSN_NO_REG };

	if (value->kind == VALUE_GLOBAL && !value->stride)
		return at_address(flow, (u64)value->offset);
	if (value->kind == VALUE_ADDRESS && type_strip(value->type)->kind == TYPE_FUNCTION)
		callee.proto = type_proto(value->type);
	return callee;
}

/* The prototype in the debug information of this call site, found by its return address. */
static const struct proto *by_site(struct flow *flow, const struct insn *insn)
{
	const struct func_vars *vars = flow->facts->vars;
	u64 after = insn->vaddr + insn->size;
	u32 nr = vars ? vars->nr_calls : 0, at;

	at = SEARCH(i, 0, nr, vars->calls[i].return_pc < after);
	if (at >= nr || vars->calls[at].return_pc != after)
		return NULL;
	return debuginfo_call_proto(flow->object->debug, &vars->calls[at]);
}

/*
 * A direct call is tried first, then a register, then memory: a slot with a relocation has a name, any other memory is
 * loaded like data. Last, if there is no prototype, the call site's debug information (DW_TAG_call_site with
 * DW_AT_call_origin).
 */
struct callee callee_find(struct flow *flow, const struct insn *insn)
{
	struct callee callee = { .thunk = INSN_NO_REG };
	const struct insn_operand *op = &insn->operands[0];

	if (insn->target) {
		callee = at_address(flow, insn->target);
		if (callee.thunk < STATE_REGS)
			callee = by_value(flow, &flow->now->regs[callee.thunk]);
	} else if (insn->nr_operands && op->kind == INSN_REG && op->reg < STATE_REGS) {
		callee = by_value(flow, &flow->now->regs[op->reg]);
	} else if (insn->nr_operands && op->kind == INSN_MEM) {
		const struct reloc_slot *slot =
			op->relative ? data_image_slot(flow->object->image, (u64)op->mem.disp)
				     : NULL;
		struct value address, value;

		if (slot && slot->symbol) {
			set_name(&callee, slot->symbol);
			callee.proto = by_name(flow, slot->symbol);
		} else {
			address = transfer_address(flow, insn, op);
			value = transfer_load(flow, &address, 8, 0);
			callee = by_value(flow, &value);
		}
	}
	if (!callee.proto)
		callee.proto = by_site(flow, insn);
	return callee;
}
