// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints an event's attr: every nonzero field, in the kernel's order. */
#include <inttypes.h>
#include <string.h>

#include "perfdata/names.h"
#include "perfdata/print/print.h"

static const char *const type_names[] = {
	"PERF_TYPE_HARDWARE", "PERF_TYPE_SOFTWARE", "PERF_TYPE_TRACEPOINT",
	"PERF_TYPE_HW_CACHE", "PERF_TYPE_RAW",	    "PERF_TYPE_BREAKPOINT",
};

static const char *const hardware_configs[] = {
	"PERF_COUNT_HW_CPU_CYCLES",
	"PERF_COUNT_HW_INSTRUCTIONS",
	"PERF_COUNT_HW_CACHE_REFERENCES",
	"PERF_COUNT_HW_CACHE_MISSES",
	"PERF_COUNT_HW_BRANCH_INSTRUCTIONS",
	"PERF_COUNT_HW_BRANCH_MISSES",
	"PERF_COUNT_HW_BUS_CYCLES",
	"PERF_COUNT_HW_STALLED_CYCLES_FRONTEND",
	"PERF_COUNT_HW_STALLED_CYCLES_BACKEND",
	"PERF_COUNT_HW_REF_CPU_CYCLES",
};

static const char *const software_configs[] = {
	"PERF_COUNT_SW_CPU_CLOCK",	  "PERF_COUNT_SW_TASK_CLOCK",
	"PERF_COUNT_SW_PAGE_FAULTS",	  "PERF_COUNT_SW_CONTEXT_SWITCHES",
	"PERF_COUNT_SW_CPU_MIGRATIONS",	  "PERF_COUNT_SW_PAGE_FAULTS_MIN",
	"PERF_COUNT_SW_PAGE_FAULTS_MAJ",  "PERF_COUNT_SW_ALIGNMENT_FAULTS",
	"PERF_COUNT_SW_EMULATION_FAULTS", "PERF_COUNT_SW_DUMMY",
	"PERF_COUNT_SW_BPF_OUTPUT",	  "PERF_COUNT_SW_CGROUP_SWITCHES",
};

struct attr_printer {
	GString *out;
	const char *assign; /* ": " or " = " */
	const char *sep;
};

static void start_field(struct attr_printer *p, const char *name)
{
	g_string_append_printf(p->out, "%s%s%s", p->sep, name, p->assign);
	p->sep = ", ";
}

static void print_number(struct attr_printer *p, const char *name, u64 value)
{
	if (!value)
		return;
	start_field(p, name);
	g_string_append_printf(p->out, "%" PRIu64, value);
}

static void print_hex(struct attr_printer *p, const char *name, u64 value)
{
	if (!value)
		return;
	start_field(p, name);
	g_string_append_printf(p->out, "0x%" PRIx64, value);
}

static void print_bits(struct attr_printer *p, const char *name, const struct bit_name *names,
		       u64 bits)
{
	if (!bits)
		return;
	start_field(p, name);
	bit_names_print(names, bits, p->out);
}

static const char *config_name(const struct evsel *evsel)
{
	u64 config = evsel->attr.config;

	switch (evsel->attr.type) {
	case PERF_TYPE_HARDWARE:
		return config < ARRAY_SIZE(hardware_configs) ? hardware_configs[config] : NULL;
	case PERF_TYPE_SOFTWARE:
		return config < ARRAY_SIZE(software_configs) ? software_configs[config] : NULL;
	case PERF_TYPE_TRACEPOINT:
		return evsel->name;
	default:
		return NULL;
	}
}

/* Type, size and config are printed even if 0. Type and config get their names, if they have one. */
static void print_what(struct attr_printer *p, const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;
	const char *config = config_name(evsel);

	start_field(p, "type");
	g_string_append_printf(p->out, "%u", attr->type);
	if (attr->type < ARRAY_SIZE(type_names))
		g_string_append_printf(p->out, " (%s)", type_names[attr->type]);
	print_number(p, "size", attr->size);
	start_field(p, "config");
	g_string_append_printf(p->out, attr->config ? "0x%llx" : "%llu",
			       (unsigned long long)attr->config);
	if (config)
		g_string_append_printf(p->out, " (%s)", config);
}

static void print_flags(struct attr_printer *p, const struct perf_event_attr *attr)
{
	u64 flags;

	memcpy(&flags, (const u8 *)&attr->read_format + sizeof(attr->read_format), sizeof(flags));
	for (const struct bit_name *flag = attr_flag_names; flag->name; flag++) {
		/* precise_ip's two bits lie between watermark and mmap_data. */
		if (flag->bit == 1ULL << 17)
			print_number(p, "precise_ip", attr->precise_ip);
		print_number(p, flag->name, !!(flags & flag->bit));
	}
}

void evsel_print_attr(const struct evsel *evsel, const char *assign, GString *out)
{
	const struct perf_event_attr *attr = &evsel->attr;
	struct attr_printer p = { out, assign, "" };

	print_what(&p, evsel);
	print_number(&p, "{ sample_period, sample_freq }", attr->sample_period);
	print_bits(&p, "sample_type", sample_type_names, attr->sample_type);
	print_bits(&p, "read_format", read_format_names, attr->read_format);
	print_flags(&p, attr);
	print_number(&p, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events);
	print_number(&p, "bp_type", attr->bp_type);
	print_hex(&p, "{ bp_addr, config1 }", attr->config1);
	print_hex(&p, "{ bp_len, config2 }", attr->config2);
	print_bits(&p, "branch_sample_type", branch_type_names, attr->branch_sample_type);
	print_hex(&p, "sample_regs_user", attr->sample_regs_user);
	print_number(&p, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid) {
		start_field(&p, "clockid");
		g_string_append_printf(out, "%d", attr->clockid);
	}
	print_hex(&p, "sample_regs_intr", attr->sample_regs_intr);
	print_number(&p, "aux_watermark", attr->aux_watermark);
	print_number(&p, "sample_max_stack", attr->sample_max_stack);
	print_number(&p, "sample_tls_user", evsel->sample_tls_user);
	print_number(&p, "aux_sample_size", attr->aux_sample_size);
	print_number(&p, "sig_data", attr->sig_data);
	print_hex(&p, "config3", evsel->config3);
	print_hex(&p, "config4", evsel->config4);
}
