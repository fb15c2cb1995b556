/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of fields/: one array of rows per family, and the inside of the lexicon. */
#ifndef FIELDS_PRIVATE_H
#define FIELDS_PRIVATE_H

#include "base/intern.h"
#include "base/table.h"
#include "fields/fields.h"

/*
 * All fields, in the order in which prefixes are tried: upstream's (normal keys, values, branch
 * keys, memory keys), then ours. X is defined as `const struct field field_X` in the
 * family's file.
 */
/* clang-format off */
#define FIELDS(F) \
	F(pid) F(comm) F(comm_nodigit) F(dso) F(symbol) F(parent) F(cpu) F(socket) F(srcline) \
	F(srcfile) F(local_weight) F(weight) F(transaction) F(trace) F(symbol_size) F(dso_size) \
	F(cgroup) F(cgroup_id) F(ipc_null) F(time) F(code_page_size) F(local_ins_lat) F(ins_lat) \
	F(local_p_stage_cyc) F(p_stage_cyc) F(addr) F(local_retire_lat) F(retire_lat) \
	F(type) F(typeoff) F(symoff) F(typecln) F(simd) F(parallelism) F(tgid) F(tid) \
	F(overhead) F(overhead_sys) F(overhead_us) F(overhead_guest_sys) F(overhead_guest_us) \
	F(overhead_children) \
	F(latency) F(latency_children) F(sample) F(period) F(seconds) F(threads) F(weight1) F(weight2) F(weight3) \
	F(dso_from) F(dso_to) F(symbol_from) F(symbol_to) F(mispredict) F(abort) F(in_tx) \
	F(cycles) F(srcline_from) F(srcline_to) F(ipc_lbr) F(addr_from) F(addr_to) \
	F(callchain_branch_predicted) F(callchain_branch_abort) F(callchain_branch_cycles) \
	F(symbol_daddr) F(dso_daddr) F(locked) F(tlb) F(mem) F(snoop) F(dcacheline) \
	F(symbol_iaddr) F(phys_daddr) F(data_page_size) F(blocked) \
	F(activity) F(trace_id) F(span) F(span_id) F(root_span) F(service) F(parent_span) \
	F(span_status) F(span_kind) F(span_duration) F(tls_state) F(host) F(container) F(pod) \
	F(cut_labels) F(context) \
	F(waited) F(sampled) F(state) F(syscall) F(sysarg) F(wchan) F(file) F(conn) F(idle) F(waker) F(nspid) \
	F(lock) F(owner) F(owner_activity) F(owner_span) F(owner_state) F(owner_sym) F(waker_sym) F(waker_activity) F(waker_span) \
	F(class) F(critical) \
	F(type_rank) F(daddr) F(daddr_how) F(segment) F(object) F(index) F(node) \
	F(op_load) F(op_store) F(op_both) F(op_prefetch) F(op_exec) F(op_other) \
	F(cache_l1) F(cache_l2) F(cache_l3) F(cache_l4) F(cache_l1_buffer) F(cache_l2_buffer) F(cache_other) \
	F(memory_ram) F(memory_side_cache) F(memory_uncached) F(memory_cxl) F(memory_io) F(memory_persistent) \
	F(memory_other) F(snoop_hit) F(snoop_modified) F(snoop_miss) F(snoop_other) \
	F(dtlb_l1) F(dtlb_l2) F(dtlb_any) F(dtlb_miss) F(dtlb_other)
/* clang-format on */

#define DECLARE_FIELD(name) extern const struct field field_##name;
FIELDS(DECLARE_FIELD)
#undef DECLARE_FIELD

/* The first sample of a function. */
struct sampled {
	u64 time;
	u32 code; /* its id; 0: nowhere yet */
};

struct lexicon_own {
	GArray *dso_names;	   /* u32 text ids +1, by dso id */
	GArray *sampled;	   /* struct sampled, by the function's number; with -v */
	struct ids *ids;	   /* of activities, made at first use */
	struct paths *paths;	   /* of --activity-tree */
	GHashTable *threads;	   /* key_thread() -> const struct thread *, one that had it */
	struct trace_keys *traces; /* fields of tracepoints; made at first use */
	struct ipc *ipc;	   /* of functions; made at first use */
	GHashTable *lines;	   /* id of a line's text -> struct line_place * */
};

struct paths;
struct span;
void paths_free(struct paths *paths);

/*
 * Numbers of ids, for paths: a span's name, else its id with the trace's; ids, to show or, with
 * the place where one was met, to count; what stands where there are no ids.
 */
u32 id_of_span(struct lexicon *lexicon, const u8 *trace, const struct span *span);
u32 id_of_number(struct lexicon *lexicon, const struct place *place, const u8 *trace, u64 span_id);
u32 id_without_span(struct lexicon *lexicon, const struct place *place);

void trace_keys_free(struct trace_keys *keys);
void ipc_free(struct ipc *ipc);

/* Ids of texts as keys: order and print. */
int order_texts(const struct lexicon *lexicon, u64 a, u64 b);
int order_greatest(const struct lexicon *lexicon, u64 a, u64 b); /* numbers, falling */
void print_text(const struct field *field, const struct lexicon *lexicon, u64 key, GString *out);
void print_number(const struct field *field, const struct lexicon *lexicon, u64 key, GString *out);

/* Ids of activities as keys: the number of a text, order and print. */
u64 field_id_of_text(struct lexicon *lexicon, const char *text);
int order_ids(const struct lexicon *lexicon, u64 a, u64 b);
void print_id(const struct field *field, const struct lexicon *lexicon, u64 key, GString *out);

/* Ids of functions (code->function) and of code (code->id) as keys. */
int order_functions(const struct lexicon *lexicon, u64 a, u64 b);
void print_function(const struct field *field, const struct lexicon *lexicon, u64 key,
		    GString *out);
u64 key_dso(struct lexicon *lexicon, const struct dso *dso);

#endif
