// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of a memory access: data address, symbol, and the hardware's data about the access (data_src). */
#include "fields/private.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "dso/dso.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfdata/read/reader.h"
#include "perfdata/regs.h"
#include "resolve/data_address.h"
#include "session/session.h"

static u64 id_of(const struct code *code)
{
	return code ? code->id : 0;
}

static const struct code *code_of(const struct lexicon *lex, u64 key)
{
	return resolver_code(session_resolver(lex->session), (u32)key);
}

static u64 key_daddr(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return id_of(p->addr);
}

static u64 key_iaddr(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->ip->id;
}

static int order_va(const struct lexicon *lex, u64 a, u64 b)
{
	u64 x = a ? code_of(lex, a)->va : 0, y = b ? code_of(lex, b)->va : 0;

	return x < y ? -1 : x > y;
}

static void append_symbol(const struct code *code, u64 va, char level, GString *out)
{
	const char *name = code_name(code);

	g_string_append_printf(out, "[%c] ", level);
	if (!name) {
		g_string_append_printf(out, "%#.16" G_GINT64_MODIFIER "x", va);
		return;
	}
	g_string_append(out, name);
	if (code->symbol->type == STT_OBJECT)
		g_string_append_printf(out, "+0x%" G_GINT64_MODIFIER "x",
				       code->vaddr - code->symbol->start - (code->va - va));
}

static void print_symbol(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	if (key)
		append_symbol(code_of(lex, key), code_of(lex, key)->va, code_of(lex, key)->level,
			      out);
	else
		g_string_append(out, "N/A");
}

static u64 key_dso_daddr(const struct field *field, struct lexicon *lex, const struct place *p)
{
	lex->unresolved |= p->addr && !p->addr->symbol;
	return key_dso(lex, p->addr ? p->addr->dso : NULL);
}

static char level_of_data(const struct code *code)
{
	const struct map *map = code->map;

	if (!map)
		return 'X';
	if (code->level != 'k' && !(map->prot & PROT_EXEC) && map->flags & MAP_SHARED &&
	    (map->maj || map->min || map->ino || map->ino_generation))
		return 's';
	return code->level;
}

/* The key is the text of the cache line: "[.] table+0x40", or its address in the file. */
static u64 key_dcacheline(const struct field *field, struct lexicon *lex, const struct place *p)
{
	u64 mask = ~(u64)(lex->cache_line_size - 1), line;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!p->addr)
		return intern_id(lex->texts, "N/A");
	line = (p->addr->symbol ? p->addr->va : code_bare_address(p->addr)) & mask;
	append_symbol(p->addr, line, level_of_data(p->addr), text);
	return intern_id(lex->texts, text->str);
}

static u64 key_address(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->addr ? p->addr->va : 0;
}

static int order_address(const struct lexicon *lex, u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static void print_address(const struct field *field, const struct lexicon *lex, u64 key,
			  GString *out)
{
	if (key)
		g_string_append_printf(out, "%#.16" G_GINT64_MODIFIER "x", key);
	else
		g_string_append(out, "N/A");
}

static u64 key_address_how(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->addr_how;
}

static void print_address_how(const struct field *field, const struct lexicon *lex, u64 key,
			      GString *out)
{
	g_string_append(out, address_how_text((enum address_how)key));
}

/* How far above the stack pointer the stack of a thread without a known mapping may be used. */
#define STACK_REACH 0x100000
/* What is used below the stack pointer without moving it (System V psABI, 3.2.2). */
#define RED_ZONE 128

/* The stack is where the stack pointer points to: the rest of its mapping, if mappings of data were recorded. */
static bool is_on_stack(const struct place *p)
{
	const struct sample *sample = p->sample;
	const struct sample_regs *regs = sample->intr_regs.abi ? &sample->intr_regs
							       : &sample->user_regs;
	u64 va = p->addr->va, sp;
	const struct code *top;

	if (!sample_register(regs, REGS_SP, &sp) || va + RED_ZONE < sp)
		return false;
	top = resolver_data_at(session_resolver(p->session), p, sp);
	return top->map == p->addr->map && (top->map || va - sp < STACK_REACH);
}

static const char *segment_of(const struct place *p)
{
	const struct map *map = p->addr ? p->addr->map : NULL;
	const char *name = map && map->dso ? dso_long_name(map->dso) : NULL;

	if (!p->addr || p->addr_how == ADDRESS_NONE)
		return "N/A";
	if (is_on_stack(p) || !g_strcmp0(name, "[stack]"))
		return "stack";
	if ((s64)p->addr->va < 0)
		return "kernel";
	if (!g_strcmp0(name, "[heap]"))
		return "heap";
	if (!name)
		return "(not mapped)";
	if (map->flags & MAP_SHARED)
		return "shared mapping";
	return map->maj || map->min || map->ino ? "static" : "mapping";
}

/* Where the address is: in a static variable, on a stack, on the heap, in another mapping. */
static u64 key_segment(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return intern_id(lex->texts, segment_of(p));
}

static u64 key_phys(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->phys_addr;
}

static void print_phys(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	g_string_append_printf(out, "[.] %#.16" G_GINT64_MODIFIER "x", key);
}

/* The only node of the machine, by the header. False: it has several, or the header does not tell. */
static bool only_node(const struct perfdata_info *info, u64 *node)
{
	if (info->mem_nodes->len == 1)
		*node = ((const struct info_mem_node *)g_ptr_array_index(info->mem_nodes, 0))->node;
	else if (!info->mem_nodes->len && info->numa->len == 1)
		*node = ((const struct info_numa_node *)g_ptr_array_index(info->numa, 0))->node;
	else
		return false;
	return true;
}

/*
 * The key is the node + 1. The header lists the blocks of physical memory of each node. A sample without a physical address, which only
 * hardware states, has no node (0), unless the machine has only one. The CPU's node does not tell where the memory is.
 */
static u64 key_node(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(p->session));
	u64 phys = p->sample->phys_addr, node;

	if (phys)
		return perfdata_info_memory_node(info, phys, &node) ? node + 1 : 0;
	return p->addr && p->addr_how != ADDRESS_NONE && only_node(info, &node) ? node + 1 : 0;
}

static void print_node(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	if (key)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, key - 1);
	else
		g_string_append(out, "N/A");
}

static union perf_mem_data_src source_of(const struct place *p)
{
	return (union perf_mem_data_src){ .val = p->sample->data_src };
}

static u64 key_locked(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return source_of(p).mem_lock;
}

static void print_locked(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	g_string_append(out, key & PERF_MEM_LOCK_NA	  ? "N/A"
			     : key & PERF_MEM_LOCK_LOCKED ? "Yes"
							  : "No");
}

static u64 key_blocked(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return source_of(p).mem_blk;
}

static void print_blocked(const struct field *field, const struct lexicon *lex, u64 key,
			  GString *out)
{
	if (!key || key & PERF_MEM_BLK_NA) {
		g_string_append(out, " N/A");
		return;
	}
	if (key & PERF_MEM_BLK_DATA)
		g_string_append(out, " Data");
	if (key & PERF_MEM_BLK_ADDR)
		g_string_append(out, " Addr");
}

/* Appends the names of the set bits, separated by " or ". Returns the number of names. */
static u32 append_bits(GString *out, const char *const *names, u32 nr, u64 bits, u32 nr_before)
{
	for (u32 i = 0; i < nr; i++) {
		if (!(bits >> i & 1))
			continue;
		g_string_append_printf(out, "%s%s", nr_before++ ? " or " : "", names[i]);
	}
	return nr_before;
}

static u64 key_tlb(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return source_of(p).mem_dtlb;
}

static void print_tlb(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	static const char *const names[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	u64 bits = key & ~(u64)(PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS);

	if (!append_bits(out, names, ARRAY_SIZE(names), bits, 0))
		g_string_append(out, "N/A");
	if (key & PERF_MEM_TLB_HIT)
		g_string_append(out, " hit");
	if (key & PERF_MEM_TLB_MISS)
		g_string_append(out, " miss");
}

static u64 key_snoop(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return source_of(p).mem_snoop | (u64)source_of(p).mem_snoopx << 8;
}

static void print_snoop(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	u32 nr = append_bits(out, names, ARRAY_SIZE(names), key & 0xff, 0);

	nr = append_bits(out, more, ARRAY_SIZE(more), key >> 8, nr);
	if (!nr)
		g_string_append(out, "N/A");
}

static u64 key_mem(const struct field *field, struct lexicon *lex, const struct place *p)
{
	union perf_mem_data_src src = source_of(p);

	return src.mem_lvl | (u64)src.mem_lvl_num << 16 | (u64)src.mem_remote << 24 |
	       (u64)src.mem_hops << 25;
}

/* PERF_MEM_LVLNUM_*: the names as upstream prints them; NULL: not known. */
static const char *level_number(u64 number)
{
	static const char *const names[] = {
		[0x1] = "L1",	     [0x2] = "L2",	[0x3] = "L3",
		[0x4] = "L4",	     [0x5] = "L2 MHB",	[0x6] = "Memory-side Cache",
		[0x8] = "Uncached",  [0x9] = "CXL",	[0xa] = "I/O",
		[0xb] = "Any cache", [0xc] = "LFB/MAB", [0xd] = "RAM",
		[0xe] = "PMEM",
	};

	return number < ARRAY_SIZE(names) ? names[number] : NULL;
}

/* The level by its number, or, in files of older kernels, by its bit. False: it is not known. */
static bool append_level(u64 level, u64 number, GString *out)
{
	static const char *const names[] = {
		[3] = "L1",
		[4] = "LFB/MAB",
		[5] = "L2",
		[6] = "L3",
		[7] = "Local RAM",
		[8] = "Remote RAM (1 hop)",
		[9] = "Remote RAM (2 hops)",
		[10] = "Remote Cache (1 hop)",
		[11] = "Remote Cache (2 hops)",
		[12] = "I/O",
		[13] = "Uncached",
	};
	u64 bits = level & ~(u64)(PERF_MEM_LVL_NA | PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS);

	if (number && number != PERF_MEM_LVLNUM_NA) {
		if (level_number(number))
			g_string_append(out, level_number(number));
		else
			g_string_append_printf(out, "Unknown level %u", (u32)number);
		return true;
	}
	return append_bits(out, names, ARRAY_SIZE(names), bits, 0);
}

static void print_mem(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	static const char *const hops[] = { NULL, "core, same node ", "node, same socket ",
					    "socket, same board ", "board " };
	u64 level = key & 0xffff, number = key >> 16 & 0xff, hop = key >> 25;
	size_t start = out->len;

	if (key >> 24 & 1)
		g_string_append(out, "Remote ");
	if (hop && hop < ARRAY_SIZE(hops))
		g_string_append(out, hops[hop]);
	if (!append_level(level, number, out)) {
		g_string_truncate(out, start);
		g_string_append(out, "N/A");
	} else if (level & PERF_MEM_LVL_HIT) {
		g_string_append(out, " hit");
	} else if (level & PERF_MEM_LVL_MISS) {
		g_string_append(out, " miss");
	}
}

#define MEMORY_FIELD(id, title, ...)                                                               \
	const struct field field_##id = {                                                          \
		.name = #id, .header = title, .family = FIELD_MEMORY, __VA_ARGS__                  \
	}

MEMORY_FIELD(symbol_daddr, "Data Symbol", .needs = NEED_ADDR | NEED_SYMBOL, .loose = true,
	     .key = key_daddr, .order = order_va, .print = print_symbol);
MEMORY_FIELD(symbol_iaddr, "Code Symbol", .needs = NEED_SYMBOL, .loose = true, .key = key_iaddr,
	     .order = order_va, .print = print_symbol);
MEMORY_FIELD(dso_daddr, "Data Object", .width_unresolved = 16, .needs = NEED_ADDR,
	     .key = key_dso_daddr, .order = order_texts, .print = print_text);
MEMORY_FIELD(dcacheline, "Data Cacheline", .needs = NEED_ADDR | NEED_SYMBOL, .loose = true,
	     .key = key_dcacheline, .order = order_texts, .print = print_text);
const struct field field_daddr = {
	.name = "daddr",
	.kind = CELL_ADDRESS,
	.header = "Data Address",
	.family = FIELD_NORMAL,
	.needs = NEED_ADDR,
	.key = key_address,
	.order = order_address,
	.print = print_address,
};

const struct field field_daddr_how = {
	.name = "daddr_how",
	.header = "Address by",
	.family = FIELD_NORMAL,
	.needs = NEED_ADDR,
	.key = key_address_how,
	.print = print_address_how,
};

const struct field field_segment = {
	.name = "segment",
	.header = "Segment",
	.family = FIELD_NORMAL,
	.needs = NEED_ADDR,
	.key = key_segment,
	.order = order_texts,
	.print = print_text,
};

const struct field field_node = {
	.name = "node",
	.header = "NUMA Node",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE | NEED_ADDR,
	.key = key_node,
	.print = print_node,
};

MEMORY_FIELD(phys_daddr, "Data Physical Address", .needs = NEED_SAMPLE, .kind = CELL_ADDRESS,
	     .key = key_phys, .print = print_phys);
MEMORY_FIELD(locked, "Locked", .needs = NEED_SAMPLE, .width = 6, .fixed = true, .key = key_locked,
	     .print = print_locked);
MEMORY_FIELD(tlb, "TLB access", .needs = NEED_SAMPLE, .width = 22, .fixed = true, .key = key_tlb,
	     .print = print_tlb);
MEMORY_FIELD(mem, "Memory access", .needs = NEED_SAMPLE, .width = 39, .fixed = true, .key = key_mem,
	     .print = print_mem);
MEMORY_FIELD(snoop, "Snoop", .needs = NEED_SAMPLE, .width = 12, .fixed = true, .key = key_snoop,
	     .print = print_snoop);
MEMORY_FIELD(blocked, "Blocked", .needs = NEED_SAMPLE, .width = 10, .fixed = true,
	     .key = key_blocked, .print = print_blocked);
