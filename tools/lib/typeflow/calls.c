// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a call takes, changes and gives back. Who is called is found through, in order: the
 * address, the name in the PLT or the GOT, the type of the function pointer, and what the
 * debug information says of the call site.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/abi.h"
#include "typeflow/flow.h"
#include "typeflow/layout.h"

#define UNKNOWN_EXTENT 256 /* bytes of the frame that a pointer to no known variable may reach */

enum returns { RETURNS_OWN, RETURNS_FIRST, RETURNS_INTO_FIRST, RETURNS_SECOND_INTO };

/* Functions of the C library that return a pointer that they were given, or one into it. */
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

/* Names of functions that change no register, by their start. */
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

	return symbol && symbol->start == target ? symbol->raw : NULL;
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

/* Where a call through a slot of the GOT goes: a place in this object (Rust's), or a name. */
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

/* The register that a retpoline's thunk jumps through, or INSN_NO_REG. */
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

static void set_name(struct callee *callee, const char *raw)
{
	char name[64];

	callee->name = raw;
	callee->thunk = thunk_register(raw);
	if (!raw)
		return;
	callee->altered = proto_is_altered(raw);
	for (u32 i = 0; i < ARRAY_SIZE(keeps_all); i++)
		callee->keeps |= g_str_has_prefix(raw, keeps_all[i]);
	plain_name(raw, name, sizeof(name));
	for (u32 i = 0; i < ARRAY_SIZE(no_return); i++)
		callee->no_return |= !strcmp(name, no_return[i]);
	for (u32 i = 0; i < ARRAY_SIZE(pass_through); i++)
		if (!strcmp(name, pass_through[i].name))
			callee->returned = pass_through[i].returns;
}

static const struct proto *by_name(struct flow *flow, const char *raw)
{
	struct debuginfo *debug = flow->object->debug;

	return raw && debug ? debuginfo_proto_named(debug, raw, flow->asker.vaddr) : NULL;
}

/* What is known of the function itself, whoever asks. */
static const struct callee *callee_itself(const struct object *object, u64 target)
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
	callee.no_return |= callee.proto && callee.proto->noreturn;
	known = g_memdup2(&callee, sizeof(callee));
	g_hash_table_add(object->callees, known);
	*recent = known;
	return known;
}

/* And where that is no prototype, what the asking unit declares under the name. */
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

/* What the debug information says of the call that returns to (or jumps from) here. */
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

static struct callee find_callee(struct flow *flow, const struct insn *insn)
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

/* What @part passes the address of, or NULL. */
static const struct type *passed_object(const struct proto *proto, const struct abi_part *part)
{
	if (!part->address)
		return NULL;
	return part->param == ABI_RESULT ? proto->returns : proto->params[part->param];
}

/* No variable has it, or no entry lists it, but it comes first. */
static bool is_hidden(const struct proto *proto, const struct abi_part *part)
{
	return part->param == ABI_RESULT || (!part->param && proto->has_this);
}

/* What a class has of another base: that base is what the thunk is called with. */
static void enter_thunk(struct flow *flow, const struct abi_part *part, struct value *value)
{
	struct value typed = transfer_typed(flow, flow->proto->params[part->param], 0, 8,
					    ACCESS_FLOW, value->maker);

	if (typed.kind != VALUE_ADDRESS)
		return;
	typed.offset = flow->this_offset;
	*value = typed;
}

void call_entry(struct flow *flow, struct state *state)
{
	struct abi_part parts[ABI_MAX_PARTS];
	const struct proto *proto = flow->proto;
	u32 nr;

	if (!proto || flow->altered)
		return;
	nr = abi_parameters(proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *part = &parts[i];
		const struct type *object = passed_object(proto, part);
		struct value value;

		if (part->reg < STATE_REGS && !part->param && flow->this_offset)
			enter_thunk(flow, part, &state->regs[part->reg]);
		if (part->reg >= STATE_REGS || !is_hidden(proto, part))
			continue;
		value = state->regs[part->reg];
		if (object && layout_is_object(object))
			value = (struct value){ .kind = VALUE_ADDRESS,
						.detail = ACCESS_FLOW,
						.maker = value.maker,
						.type = object };
		else if (!object && proto->rust && part->size == 8)
			value = transfer_typed(flow, proto->params[part->param], part->offset, 8,
					       ACCESS_FLOW, value.maker);
		if (value.kind == VALUE_ADDRESS)
			state->regs[part->reg] = value;
	}
}

/* What a reference of Rust leads to nobody can write beyond. */
static bool is_exact(const struct type *type)
{
	return type->kind == TYPE_POINTER && *type->name == '&';
}

/* How many bytes at what @part passes the callee may write; 0: not known. */
static u64 reach_of_argument(const struct proto *proto, const struct abi_part *part)
{
	const struct type *object = passed_object(proto, part), *pointer;
	bool ambiguous;

	if (object)
		return object->size;
	if (part->param == ABI_RESULT)
		return 0;
	pointer = layout_content(proto->params[part->param], part->offset, 8, &ambiguous);
	if (!pointer || !is_exact(pointer) || !layout_is_object(type_target(pointer)))
		return 0;
	return type_target(pointer)->size;
}

static u64 escaped_bit(struct flow *flow, const struct frame_extent *extent)
{
	u32 i = 0;

	for (; i < flow->escaped->len; i++) {
		struct frame_extent *known = &g_array_index(flow->escaped, struct frame_extent, i);

		if (known->low == extent->low && known->size == extent->size)
			break;
	}
	if (i == MAX_ESCAPED) {
		/* Too many to tell apart: the last one is everywhere. */
		g_array_index(flow->escaped, struct frame_extent, i - 1) =
			(struct frame_extent){ INT64_MIN / 2, UINT64_MAX / 2 };
		i--;
	} else if (i == flow->escaped->len) {
		g_array_append_val(flow->escaped, *extent);
	}
	return (u64)1 << i;
}

/* Memory of the frame whose address @value is may be written by others from now on. */
static void escape(struct flow *flow, const struct value *value, u64 reach)
{
	struct frame_extent extent = { .low = value->offset, .size = UNKNOWN_EXTENT };
	const struct variable *variable;
	s64 into;

	if (value->kind != VALUE_STACK)
		return;
	variable = operand_frame(flow, value->offset, 1, &into);
	if (variable) {
		extent.low -= into;
		extent.size = variable->type->size;
	} else if (reach && !value->stride) {
		extent.size = reach;
	}
	flow->now->escaped |= escaped_bit(flow, &extent);
}

static void escape_arguments(struct flow *flow, const struct callee *callee)
{
	static const u8 passing[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, 9 };
	struct abi_part parts[ABI_MAX_PARTS];
	u64 reach[STATE_REGS] = { 0 };
	bool stack = false;
	u32 nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(passing); i++)
		stack |= flow->now->regs[passing[i]].kind == VALUE_STACK;
	if (!stack)
		return;
	if (callee->proto && !callee->altered)
		nr = abi_parameters(callee->proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++)
		if (parts[i].reg < STATE_REGS)
			reach[parts[i].reg] = reach_of_argument(callee->proto, &parts[i]);
	for (u32 i = 0; i < ARRAY_SIZE(passing); i++)
		escape(flow, &flow->now->regs[passing[i]], reach[passing[i]]);
}

static void note_arguments(struct flow *flow, const struct callee *callee, s64 stack_shift)
{
	struct abi_part parts[ABI_MAX_PARTS];
	const struct value *rsp = &flow->now->regs[X86_RSP];
	u32 nr;

	if (!flow->noting || !callee->proto || callee->altered)
		return;
	nr = abi_parameters(callee->proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *part = &parts[i];
		const struct type *type;
		const struct value *value;
		struct value typed;

		if (callee->proto->gaps && !is_hidden(callee->proto, part))
			continue;
		if (part->param == ABI_RESULT) {
			type = callee->proto->returns;
			if (part->reg < STATE_REGS)
				infer_use(flow->infer, &flow->now->regs[part->reg], type, 0,
					  USE_ARGUMENT);
			continue;
		}
		type = callee->proto->params[part->param];
		if (part->reg == ABI_STACK)
			value = rsp->kind == VALUE_STACK
					? state_slot(flow->now,
						     rsp->offset + part->stack + stack_shift)
					: NULL;
		else
			value = part->reg < STATE_REGS ? &flow->now->regs[part->reg] : NULL;
		if (!value)
			continue;
		if (part->address) {
			infer_use(flow->infer, value, type, 0, USE_ARGUMENT);
			continue;
		}
		if (part->size != 8)
			continue;
		typed = transfer_typed(flow, type, part->offset, 8, ACCESS_CALL, 0);
		if (typed.kind == VALUE_ADDRESS)
			infer_use(flow->infer, value, typed.type, 0, USE_ARGUMENT);
	}
}

/* __tls_get_addr takes two slots: which object, and where in its block. */
static bool tls_address(struct flow *flow, const struct value *argument, u32 maker,
			struct value *value)
{
	struct data_image *image = flow->object->image;
	const struct reloc_slot *slot;
	u64 offset;
	size_t left;
	const u8 *bytes;

	if (argument->kind != VALUE_GLOBAL || argument->stride)
		return false;
	slot = data_image_slot(image, (u64)argument->offset);
	if (!slot || slot->kind != SLOT_TLS_MODULE)
		return false;
	if (slot->symbol && *slot->symbol) {
		*value = transfer_tls_gap(flow, slot, maker);
		if (value->kind == VALUE_TLS_GAP)
			value->kind = value->type ? VALUE_ADDRESS : VALUE_TLS;
		return true;
	}
	*value = value_const(0, maker);
	value->kind = VALUE_TLS;
	value->detail = ACCESS_TLS;
	bytes = dso_code(flow->object->dso, (u64)argument->offset + 8, &left);
	if (!bytes || left < 8)
		return false;
	memcpy(&offset, bytes, 8);
	value->offset = (s64)offset;
	return true;
}

/* call *(%rax) with rax at a TLS descriptor: only rax changes. */
static bool tls_descriptor(struct flow *flow, const struct insn *insn)
{
	struct data_image *image = flow->object->image;
	const struct insn_operand *op = &insn->operands[0];
	const struct value *rax = &flow->now->regs[X86_RAX];
	const struct reloc_slot *slot;

	if (!insn->nr_operands || op->kind != INSN_MEM || op->mem.base != X86_RAX || op->mem.disp ||
	    rax->kind != VALUE_GLOBAL)
		return false;
	slot = data_image_slot(image, (u64)rax->offset);
	if (!slot || slot->kind != SLOT_TLSDESC)
		return false;
	transfer_set(flow, X86_RAX, transfer_tls_gap(flow, slot, maker_insn(flow->insn, 0)));
	return true;
}

/*
 * gcc keeps values in caller-saved registers across a call of a function that it has compiled before and
 * that leaves them alone (-fipa-ra):
 *
 *	movzwl 2(%r9),%edi; call square; movzbl 1(%r9),%esi
 *
 * Code that reads such a register behind a call must know that it was kept: nothing else can be in
 * it but a result. What is not read may as well stay.
 */
static bool keeps_others(const struct flow *flow, const struct insn *insn)
{
	return insn->target && flow->facts->vars && flow->facts->vars->knows_callees &&
	       !flow->object->kernel && callee_itself(flow->object, insn->target)->proto;
}

static void clobber(struct flow *flow, const struct insn *insn)
{
	static const u8 caller_saved[] = { X86_RAX, X86_RDX, X86_RCX, X86_RSI, X86_RDI,
					   X86_R8,  9,	     10,      11 };
	u32 nr = keeps_others(flow, insn) ? 2 : ARRAY_SIZE(caller_saved);
	static const u8 go_saved[] = { X86_RBX, 12, 13, 15 };
	const struct func_vars *vars = flow->facts->vars;

	for (u32 i = 0; i < nr; i++)
		flow->now->regs[caller_saved[i]] = value_symbol(ACCESS_CLOBBERED, 0);
	for (u32 i = 0; vars && vars->go && i < ARRAY_SIZE(go_saved); i++)
		flow->now->regs[go_saved[i]] = value_symbol(ACCESS_CLOBBERED, 0);
	for (u32 reg = X86_XMM0; reg < flow->now->nr_regs; reg++)
		flow->now->regs[reg] = value_symbol(ACCESS_CLOBBERED, 0);
	for (u32 i = 0; i < flow->escaped->len; i++) {
		const struct frame_extent *e =
			&g_array_index(flow->escaped, struct frame_extent, i);

		if (flow->now->escaped >> i & 1)
			state_drop_slots(flow->now, e->low, e->size);
	}
}

static bool through(u8 returned, const struct value *args, u32 maker, struct value *value)
{
	struct value step = value_number(NULL, 0);

	if (returned == RETURNS_OWN)
		return false;
	*value = returned == RETURNS_SECOND_INTO ? args[1] : args[0];
	if (value->kind == VALUE_NUMBER)
		return false;
	if (returned == RETURNS_SECOND_INTO) {
		/* Whole elements, of a size that only the call knows. */
		if (value->kind != VALUE_ADDRESS || !value->type->size)
			return false;
		step.stride = (u16)MIN(value->type->size, UINT16_MAX);
	}
	if (returned != RETURNS_FIRST)
		*value = value_add(value, &step, maker);
	return true;
}

static void set_result(struct flow *flow, const struct callee *callee, const struct value *args)
{
	u32 maker = maker_insn(flow->insn, 0), nr = 0;
	struct abi_part parts[4];
	struct value value;

	transfer_set(flow, X86_RAX, value_symbol(ACCESS_UNTYPED_CALL, maker));
	if (through(callee->returned, args, maker, &value)) {
		transfer_set(flow, X86_RAX, value);
		return;
	}
	if (!callee->proto)
		return;
	nr = abi_result(callee->proto, parts);
	for (u32 i = 0; i < nr; i++) {
		if (parts[i].reg >= STATE_REGS)
			continue;
		if (parts[i].address) {
			value = (struct value){ .kind = VALUE_ADDRESS,
						.detail = ACCESS_CALL,
						.maker = maker,
						.type = callee->proto->returns };
			/* The place that the caller gave. */
			if (value_is_address(&args[0]))
				value = args[0];
		} else {
			value = transfer_typed(flow, callee->proto->returns, parts[i].offset,
					       (u16)MIN(parts[i].size, 8), ACCESS_CALL, maker);
		}
		if (value.kind == VALUE_SYMBOL)
			value.detail = ACCESS_UNTYPED_CALL;
		if (parts[i].reg != X86_RAX && value.kind == VALUE_SYMBOL)
			value.maker = maker_insn(flow->insn, 1);
		transfer_set(flow, parts[i].reg, value);
	}
}

void call_transfer(struct flow *flow, const struct insn *insn)
{
	struct callee callee;
	struct value args[2], tls;
	bool is_tls = false;

	if (tls_descriptor(flow, insn))
		return;
	callee = find_callee(flow, insn);
	if (callee.keeps)
		return;
	args[0] = flow->now->regs[X86_RDI];
	args[1] = flow->now->regs[X86_RSI];
	note_arguments(flow, &callee, 0);
	if (callee.name && g_str_has_prefix(callee.name, "__tls_get_addr"))
		is_tls = tls_address(flow, &args[0], maker_insn(flow->insn, 0), &tls);
	if (!is_tls)
		escape_arguments(flow, &callee);
	clobber(flow, insn);
	set_result(flow, &callee, args);
	if (is_tls)
		transfer_set(flow, X86_RAX, tls);
}

void call_tail(struct flow *flow, const struct insn *insn)
{
	struct callee callee;

	if (!flow->noting || insn->flow != INSN_JUMP ||
	    (insn->target && cfg_find(flow->cfg, insn->target) != CFG_NONE))
		return;
	callee = find_callee(flow, insn);
	note_arguments(flow, &callee, 8);
}
