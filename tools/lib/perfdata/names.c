// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "perfdata/abi.h"
#include "perfdata/names.h"

const struct bit_name sample_type_names[] = {
	{ PERF_SAMPLE_IP, "IP" },
	{ PERF_SAMPLE_TID, "TID" },
	{ PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" },
	{ PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" },
	{ PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" },
	{ PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_TRANSACTION, "TRANSACTION" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ PERF_SAMPLE_TLS_USER, "TLS_USER" },
	{ 0, NULL },
};

const struct bit_name read_format_names[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ PERF_FORMAT_LOST, "LOST" },
	{ 0, NULL },
};

const struct bit_name branch_type_names[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" },
	{ PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" },
	{ PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" },
	{ PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" },
	{ PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" },
	{ PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" },
	{ PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" },
	{ PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" },
	{ PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" },
	{ PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ PERF_SAMPLE_BRANCH_PRIV_SAVE, "PRIV_SAVE" },
	{ PERF_SAMPLE_BRANCH_COUNTERS, "COUNTERS" },
	{ 0, NULL },
};

#define FLAG(nr, name)                                                                             \
	{                                                                                          \
		1ULL << (nr), name                                                                 \
	}

const struct bit_name attr_flag_names[] = {
	FLAG(0, "disabled"),
	FLAG(1, "inherit"),
	FLAG(2, "pinned"),
	FLAG(3, "exclusive"),
	FLAG(4, "exclude_user"),
	FLAG(5, "exclude_kernel"),
	FLAG(6, "exclude_hv"),
	FLAG(7, "exclude_idle"),
	FLAG(8, "mmap"),
	FLAG(9, "comm"),
	FLAG(10, "freq"),
	FLAG(11, "inherit_stat"),
	FLAG(12, "enable_on_exec"),
	FLAG(13, "task"),
	FLAG(14, "watermark"),
	FLAG(17, "mmap_data"),
	FLAG(18, "sample_id_all"),
	FLAG(19, "exclude_host"),
	FLAG(20, "exclude_guest"),
	FLAG(21, "exclude_callchain_kernel"),
	FLAG(22, "exclude_callchain_user"),
	FLAG(23, "mmap2"),
	FLAG(24, "comm_exec"),
	FLAG(25, "use_clockid"),
	FLAG(26, "context_switch"),
	FLAG(27, "write_backward"),
	FLAG(28, "namespaces"),
	FLAG(29, "ksymbol"),
	FLAG(30, "bpf_event"),
	FLAG(31, "aux_output"),
	FLAG(32, "cgroup"),
	FLAG(33, "text_poke"),
	FLAG(34, "build_id"),
	FLAG(35, "inherit_thread"),
	FLAG(36, "remove_on_exec"),
	FLAG(37, "sigtrap"),
	FLAG(38, "defer_callchain"),
	FLAG(39, "defer_output"),
	{ 0, NULL },
};

void bit_names_print(const struct bit_name *names, u64 bits, GString *out)
{
	const char *bar = "";

	for (; names->name; names++) {
		if (!(bits & names->bit))
			continue;
		g_string_append_printf(out, "%s%s", bar, names->name);
		bits &= ~names->bit;
		bar = "|";
	}
	if (bits)
		g_string_append_printf(out, "%s0x%llx", bar, (unsigned long long)bits);
}

static bool parse_one(const struct bit_name *names, const char *word, u64 *bits)
{
	char *end;
	u64 number = g_ascii_strtoull(word, &end, 0);

	if (end != word && !*end) {
		*bits |= number;
		return true;
	}
	for (; names->name; names++) {
		if (g_ascii_strcasecmp(names->name, word) == 0) {
			*bits |= names->bit;
			return true;
		}
	}
	return !*word;
}

bool bit_names_parse(const struct bit_name *names, const char *text, u64 *bits)
{
	g_auto(GStrv) words = g_strsplit(text, "|", -1);

	*bits = 0;
	for (char **word = words; *word; word++) {
		if (!parse_one(names, *word, bits))
			return false;
	}
	return true;
}
