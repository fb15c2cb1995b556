// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * attr is the one structure of the format that grows with the kernel. In memory it is struct
 * perf_event_attr of the build machine, plus the newer fields that this may lack. In files it is
 * bytes at fixed offsets. The functions here translate.
 */
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "perfdata/event.h"
#include "perfdata/evsel.h"

/* Byte offsets in struct perf_event_attr of what the system header may not name. */
enum {
	ATTR_OFF_SIZE = 4,
	ATTR_OFF_TLS_USER = 110,
	ATTR_OFF_CONFIG3 = 128,
	ATTR_OFF_CONFIG4 = 136,
};

struct evsel *evsel_new(void)
{
	struct evsel *evsel = g_new0(struct evsel, 1);

	evsel->scale = 1.0;
	evsel->nr_members = 1;
	return evsel;
}

struct evsel *evsel_new_dummy(void)
{
	struct evsel *evsel = evsel_new();

	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_DUMMY;
	evsel->attr.sample_type = PERF_SAMPLE_TIME;
	evsel->attr.sample_id_all = 1;
	return evsel;
}

bool evsel_is_dummy(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE && evsel->attr.config == PERF_COUNT_SW_DUMMY;
}

bool evsel_has_side_records(const struct evsel *evsel)
{
	return evsel->attr.task || evsel->attr.comm || evsel->attr.mmap;
}

struct evsel *evsel_copy(const struct evsel *from)
{
	struct evsel *evsel = g_memdup2(from, sizeof(*from));

	evsel->name = g_strdup(from->name);
	evsel->group_name = g_strdup(from->group_name);
	evsel->unit = g_strdup(from->unit);
	evsel->ids = g_memdup2(from->ids, from->nr_ids * sizeof(u64));
	evsel->cpus = from->cpus ? g_array_copy(from->cpus) : NULL;
	return evsel;
}

struct evsel *evsel_copy_as_output(const struct evsel *model, u64 sample_type)
{
	struct evsel *evsel = evsel_copy(model);

	evsel->attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = sample_type | PERF_SAMPLE_RAW,
		.read_format = model->attr.read_format & PERF_FORMAT_LOST,
		.sample_id_all = 1,
		.use_clockid = model->attr.use_clockid,
		.clockid = model->attr.clockid,
		/* These records wake nobody: the ring's reader has its own watermark. */
		.watermark = model->attr.watermark,
		.wakeup_watermark = model->attr.wakeup_watermark,
	};
	return evsel;
}

void evsel_free(struct evsel *evsel)
{
	if (!evsel)
		return;
	g_free(evsel->name);
	g_free(evsel->group_name);
	g_free(evsel->unit);
	g_free(evsel->ids);
	if (evsel->cpus)
		g_array_unref(evsel->cpus);
	g_free(evsel);
}

u32 evsel_attr_bytes(const struct evsel *evsel, u8 out[PERF_ATTR_SIZE_VER9])
{
	u32 size = PERF_ATTR_SIZE_VER7;

	if (evsel->config3)
		size = PERF_ATTR_SIZE_VER8;
	if (evsel->config4)
		size = PERF_ATTR_SIZE_VER9;
	memset(out, 0, PERF_ATTR_SIZE_VER9);
	memcpy(out, &evsel->attr, MIN(sizeof(evsel->attr), PERF_ATTR_SIZE_VER7));
	memcpy(out + ATTR_OFF_SIZE, &size, sizeof(size));
	memcpy(out + ATTR_OFF_TLS_USER, &evsel->sample_tls_user, sizeof(u16));
	memcpy(out + ATTR_OFF_CONFIG3, &evsel->config3, sizeof(u64));
	memcpy(out + ATTR_OFF_CONFIG4, &evsel->config4, sizeof(u64));
	return size;
}

bool evsel_set_attr_bytes(struct evsel *evsel, const void *bytes, u64 size)
{
	u8 whole[PERF_ATTR_SIZE_VER9] = { 0 };

	if (size < PERF_ATTR_SIZE_VER0)
		return false;
	memcpy(whole, bytes, MIN(size, sizeof(whole)));
	memset(&evsel->attr, 0, sizeof(evsel->attr));
	memcpy(&evsel->attr, whole, MIN(sizeof(evsel->attr), sizeof(whole)));
	memcpy(&evsel->sample_tls_user, whole + ATTR_OFF_TLS_USER, sizeof(u16));
	memcpy(&evsel->config3, whole + ATTR_OFF_CONFIG3, sizeof(u64));
	memcpy(&evsel->config4, whole + ATTR_OFF_CONFIG4, sizeof(u64));
	return true;
}

static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software_names[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};

/* By operation, then references or misses. */
static const char *const cache_results[][2] = {
	{ "loads", "load-misses" },
	{ "stores", "store-misses" },
	{ "prefetches", "prefetch-misses" },
};

static char *cache_event_name(u64 config)
{
	u64 cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= ARRAY_SIZE(cache_names) || op >= ARRAY_SIZE(cache_results) || result > 1)
		return g_strdup("invalid-cache");
	return g_strdup_printf("%s-%s", cache_names[cache], cache_results[op][result]);
}

static char *event_base_name(const struct perf_event_attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (attr->config < ARRAY_SIZE(hardware_names))
			return g_strdup(hardware_names[attr->config]);
		return g_strdup("unknown-hardware");
	case PERF_TYPE_SOFTWARE:
		if (attr->config < ARRAY_SIZE(software_names))
			return g_strdup(software_names[attr->config]);
		return g_strdup("unknown-software");
	case PERF_TYPE_HW_CACHE:
		return cache_event_name(attr->config);
	case PERF_TYPE_TRACEPOINT:
		return g_strdup("unknown tracepoint");
	case PERF_TYPE_BREAKPOINT:
		return g_strdup_printf("mem:0x%llx:%s%s%s", (unsigned long long)attr->bp_addr,
				       attr->bp_type & HW_BREAKPOINT_R ? "r" : "",
				       attr->bp_type & HW_BREAKPOINT_W ? "w" : "",
				       attr->bp_type & HW_BREAKPOINT_X ? "x" : "");
	case PERF_TYPE_RAW:
		return g_strdup_printf("raw 0x%llx", (unsigned long long)attr->config);
	default:
		return g_strdup_printf("unknown attr type: %u", attr->type);
	}
}

char *evsel_default_name(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;
	g_autofree char *base = event_base_name(attr);
	g_autoptr(GString) mods = g_string_new(NULL);

	if (attr->type == PERF_TYPE_TRACEPOINT)
		return g_steal_pointer(&base);
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv)
		g_string_append_printf(mods, "%s%s%s", attr->exclude_kernel ? "" : "k",
				       attr->exclude_user ? "" : "u", attr->exclude_hv ? "" : "h");
	for (unsigned int i = 0; i < attr->precise_ip; i++)
		g_string_append_c(mods, 'p');
	return mods->len ? g_strdup_printf("%s:%s", base, mods->str) : g_steal_pointer(&base);
}

u64 evsel_period(const struct evsel *evsel, const struct sample *sample)
{
	return sample->type & PERF_SAMPLE_PERIOD ? sample->period : evsel->attr.sample_period;
}

bool evsel_is_timer(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE &&
	       (evsel->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		evsel->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

bool evsel_may_state_access(const struct evsel *evsel)
{
	switch (evsel->attr.type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return evsel_has_weight(evsel);
	default:
		return evsel->attr.sample_type & PERF_SAMPLE_DATA_SRC || evsel_has_weight(evsel);
	}
}

bool evsel_has_weight(const struct evsel *evsel)
{
	return evsel->attr.sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
}

u64 evsel_weight(const struct evsel *evsel, const struct sample *sample)
{
	return evsel_has_weight(evsel) ? MAX(sample->weight, 1) : evsel_period(evsel, sample);
}

const char *evsel_group_name(const struct evsel *leader)
{
	const char *name = leader->group_name;

	return name && *name && strcmp(name, "{anon_group}") ? name : NULL;
}

char *evsel_group_title(const GPtrArray *evsels, u32 first, u32 nr)
{
	GString *title = g_string_new(NULL);

	if (nr > 1)
		g_string_append_printf(title, "%s { ",
				       evsel_group_name(g_ptr_array_index(evsels, first))
					       ?: "anon group");
	for (u32 i = 0; i < nr; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, first + i);

		g_string_append_printf(title, "%s%s", i ? ", " : "", evsel->name);
	}
	if (nr > 1)
		g_string_append(title, " }");
	return g_string_free(title, FALSE);
}
