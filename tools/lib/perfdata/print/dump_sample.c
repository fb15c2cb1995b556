// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/print/dump_sample.h"

#include <inttypes.h>

void dump_read_values(const struct sample_read *read, FILE *out)
{
	fputs("... sample_read:\n", out);
	if (read->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		fprintf(out, "...... time enabled %016" PRIx64 "\n", read->time_enabled);
	if (read->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		fprintf(out, "...... time running %016" PRIx64 "\n", read->time_running);
	if (read->format & PERF_FORMAT_GROUP)
		fprintf(out, ".... group nr %" PRIu64 "\n", read->nr);
	for (u64 i = 0; i < read->nr; i++) {
		struct read_value value = sample_read_at(read, i);

		fprintf(out, "..... id %016" PRIx64 ", value %016" PRIx64, value.id, value.value);
		if (read->format & PERF_FORMAT_LOST)
			fprintf(out, ", lost %" PRIu64, value.lost);
		fputc('\n', out);
	}
}

static const char *context_name(u64 ip)
{
	switch (ip) {
	case PERF_CONTEXT_HV:
		return " (PERF_CONTEXT_HV)";
	case PERF_CONTEXT_KERNEL:
		return " (PERF_CONTEXT_KERNEL)";
	case PERF_CONTEXT_USER:
		return " (PERF_CONTEXT_USER)";
	case PERF_CONTEXT_USER_DEFERRED:
		return " (PERF_CONTEXT_USER_DEFERRED)";
	case PERF_CONTEXT_GUEST:
		return " (PERF_CONTEXT_GUEST)";
	case PERF_CONTEXT_GUEST_KERNEL:
		return " (PERF_CONTEXT_GUEST_KERNEL)";
	case PERF_CONTEXT_GUEST_USER:
		return " (PERF_CONTEXT_GUEST_USER)";
	default:
		return "";
	}
}

void dump_chain(const u64 *ips, u64 nr, FILE *out)
{
	fprintf(out, "... FP chain: nr:%" PRIu64 "\n", nr);
	for (u64 i = 0; i < nr; i++)
		fprintf(out, "..... %2" PRIu64 ": %016" PRIx64 "%s\n", i, ips[i],
			context_name(ips[i]));
}

static const char *const x86_regs[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",	 "FLAGS", "CS",	 "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",	  "R14", "R15",
};

static void dump_regs(const struct perfdata *pd, const struct sample_regs *regs, const char *which,
		      FILE *out)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };
	const char *arch = perfdata_info(pd)->arch;
	bool x86 = !arch || g_str_has_prefix(arch, "x86") || g_str_has_prefix(arch, "i686");
	const u64 *value = regs->regs;

	if (!regs->regs)
		return;
	fprintf(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", which, regs->mask,
		regs->abi < ARRAY_SIZE(abis) ? abis[regs->abi] : "unknown");
	for (u32 reg = 0; reg < 64; reg++) {
		if (!(regs->mask >> reg & 1))
			continue;
		if (x86 && reg < ARRAY_SIZE(x86_regs))
			fprintf(out, ".... %-5s 0x%016" PRIx64 "\n", x86_regs[reg], *value++);
		else
			fprintf(out, ".... r%-4u 0x%016" PRIx64 "\n", reg, *value++);
	}
}

static void dump_branches(const struct sample *s, FILE *out)
{
	fprintf(out, "... branch stack: nr:%" PRIu64 "\n", s->nr_branches);
	for (u64 i = 0; i < s->nr_branches; i++) {
		const struct perf_branch_entry *b = &s->branches[i];

		fprintf(out, "..... %2" PRIu64 ": %016llx -> %016llx %u cycles %s%s%s%s\n", i,
			(unsigned long long)b->from, (unsigned long long)b->to,
			(unsigned int)b->cycles, b->mispred ? "M" : " ", b->predicted ? "P" : " ",
			b->abort ? "A" : " ", b->in_tx ? "T" : " ");
	}
}

/* The size of a page: "4K", "2M". */
static void dump_page_size(const char *what, u64 size, FILE *out)
{
	static const char units[] = "BKMGTPE";
	u32 unit = 0;

	fprintf(out, " .. %s page size: ", what);
	if (!size) {
		fputs("N/A\n", out);
		return;
	}
	while (size >= 1024 && units[unit + 1]) {
		size >>= 10;
		unit++;
	}
	fprintf(out, "%" PRIu64 "%c\n", size, units[unit]);
}

static void dump_sample_tail(const struct sample *s, FILE *out)
{
	if (s->type & PERF_SAMPLE_WEIGHT_TYPE) {
		fprintf(out, "... weight: %" PRIu64, s->weight);
		if (s->type & PERF_SAMPLE_WEIGHT_STRUCT)
			fprintf(out, ",0x%x,0x%x", s->ins_lat, s->p_stage_cyc);
		fputc('\n', out);
	}
	if (s->type & PERF_SAMPLE_DATA_SRC)
		fprintf(out, " . data_src: 0x%" PRIx64 "\n", s->data_src);
	if (s->type & PERF_SAMPLE_PHYS_ADDR)
		fprintf(out, " .. phys_addr: 0x%" PRIx64 "\n", s->phys_addr);
	if (s->type & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_page_size("data", s->data_page_size, out);
	if (s->type & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_page_size("code", s->code_page_size, out);
	if (s->type & PERF_SAMPLE_TRANSACTION)
		fprintf(out, "... transaction: %" PRIx64 "\n", s->transaction);
	if (s->type & PERF_SAMPLE_TLS_USER)
		fprintf(out, "... tls: size %" PRIu64 ", dyn_size %" PRIu64 "\n", s->tls.size,
			s->tls.dyn_size);
}

void dump_sample(const struct perfdata *pd, const struct event *ev, FILE *out)
{
	const struct sample *s = &ev->sample;

	fprintf(out, "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n",
		ev->misc, (int)s->pid, (int)s->tid, s->ip, s->period, s->addr);
	if (s->type & PERF_SAMPLE_CALLCHAIN)
		dump_chain(s->ips, s->nr_ips, out);
	if (s->type & PERF_SAMPLE_BRANCH_STACK)
		dump_branches(s, out);
	dump_regs(pd, &s->user_regs, "user", out);
	dump_regs(pd, &s->intr_regs, "intr", out);
	if (s->type & PERF_SAMPLE_STACK_USER)
		fprintf(out, "... ustack: size %" PRIu64 ", offset 0x%x\n", s->user_stack.dyn_size,
			(unsigned int)((const u8 *)s->user_stack.data - (const u8 *)ev->raw - 8));
	dump_sample_tail(s, out);
	if (s->type & PERF_SAMPLE_READ)
		dump_read_values(&s->read, out);
}
