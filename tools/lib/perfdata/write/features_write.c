// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodes struct perfdata_info into the sections that features.c reads. */
#include <string.h>

#include "base/bytes.h"
#include "perfdata/evsel.h"
#include "perfdata/features.h"

#define STRING_ALIGN 64 /* as upstream pads names */

static void put_padded(GByteArray *out, const char *s, u64 room)
{
	static const u8 zeros[STRING_ALIGN];
	u64 size = strlen(s) + 1;

	put(out, s, size);
	put(out, zeros, room - size);
}

static void put_string(GByteArray *out, const char *s)
{
	u32 room;

	s = s ? s : "";
	room = (u32)ALIGN_UP(strlen(s) + 1, STRING_ALIGN);
	put_u32(out, room);
	put_padded(out, s, room);
}

static void put_strings(GByteArray *out, const GPtrArray *strings)
{
	put_u32(out, strings->len);
	for (u32 i = 0; i < strings->len; i++)
		put_string(out, g_ptr_array_index(strings, i));
}

static void write_hostname(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->hostname);
}

static void write_osrelease(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->osrelease);
}

static void write_version(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->version);
}

static void write_arch(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->arch);
}

static void write_cpudesc(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->cpudesc);
}

static void write_cpuid(const struct perfdata_info *info, GByteArray *out)
{
	put_string(out, info->cpuid);
}

static void write_nrcpus(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->nrcpus_available);
	put_u32(out, info->nrcpus_online);
}

static void write_total_mem(const struct perfdata_info *info, GByteArray *out)
{
	put_u64(out, info->total_mem_kb);
}

static void write_cmdline(const struct perfdata_info *info, GByteArray *out)
{
	u32 nr = info->cmdline ? g_strv_length(info->cmdline) : 0;

	put_u32(out, nr);
	for (u32 i = 0; i < nr; i++)
		put_string(out, info->cmdline[i]);
}

static void write_build_ids(const struct perfdata_info *info, GByteArray *out)
{
	for (u32 i = 0; i < info->build_ids->len; i++) {
		const struct info_build_id *entry = g_ptr_array_index(info->build_ids, i);
		u64 room = ALIGN_UP(strlen(entry->filename) + 1, STRING_ALIGN);
		struct perf_event_header header = {
			.misc = entry->misc | PERF_MISC_BUILD_ID_SIZE,
			.size = (u16)(sizeof(header) + 4 + 24 + room),
		};

		if (room > 65536 - 64)
			continue;
		put(out, &header, sizeof(header));
		put_u32(out, entry->pid);
		put(out, entry->build_id, sizeof(entry->build_id));
		put_u32(out, entry->size);
		put_padded(out, entry->filename, room);
	}
}

/*
 * attr in the form that perf up to 7.3 accepts in EVENT_DESC. If this copy has bits that perf does
 * not know, perf complains and drops the names of all events; in the attr of the file itself the
 * same bits do no harm.
 */
static u32 plain_attr_bytes(const struct evsel *evsel, u8 attr[PERF_ATTR_SIZE_VER9])
{
	struct evsel plain = *evsel;

	plain.attr.sample_type &= ~(u64)PERF_SAMPLE_TLS_USER;
	plain.sample_tls_user = 0;
	return evsel_attr_bytes(&plain, attr);
}

/* Upstream requires the same attr size for all events. */
static void write_event_desc(const struct perfdata_info *info, GByteArray *out)
{
	u32 attr_size = PERF_ATTR_SIZE_VER7;

	for (u32 i = 0; i < info->events->len; i++) {
		u8 attr[PERF_ATTR_SIZE_VER9];

		attr_size =
			MAX(attr_size, plain_attr_bytes(g_ptr_array_index(info->events, i), attr));
	}
	put_u32(out, info->events->len);
	put_u32(out, attr_size);
	for (u32 i = 0; i < info->events->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(info->events, i);
		u8 attr[PERF_ATTR_SIZE_VER9];

		plain_attr_bytes(evsel, attr);
		memcpy(attr + 4, &attr_size, sizeof(attr_size));
		put(out, attr, attr_size);
		put_u32(out, evsel->nr_ids);
		put_string(out, evsel->name);
		put(out, evsel->ids, (u64)evsel->nr_ids * sizeof(u64));
	}
}

static void write_cpu_topology(const struct perfdata_info *info, GByteArray *out)
{
	put_strings(out, info->core_siblings);
	put_strings(out, info->thread_siblings);
	for (u32 i = 0; i < info->cpus->len; i++) {
		put_u32(out, g_array_index(info->cpus, struct info_cpu, i).core);
		put_u32(out, g_array_index(info->cpus, struct info_cpu, i).socket);
	}
	if (!info->has_dies)
		return;
	put_strings(out, info->die_siblings);
	for (u32 i = 0; i < info->cpus->len; i++)
		put_u32(out, g_array_index(info->cpus, struct info_cpu, i).die);
}

static void write_numa(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->numa->len);
	for (u32 i = 0; i < info->numa->len; i++) {
		const struct info_numa_node *node = g_ptr_array_index(info->numa, i);

		put_u32(out, node->node);
		put_u64(out, node->total_kb);
		put_u64(out, node->free_kb);
		put_string(out, node->cpus);
	}
}

static void write_pmus(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->pmus->len);
	for (u32 i = 0; i < info->pmus->len; i++) {
		const struct info_pmu *pmu = g_ptr_array_index(info->pmus, i);

		put_u32(out, pmu->type);
		put_string(out, pmu->name);
	}
}

static void write_groups(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->groups->len);
	for (u32 i = 0; i < info->groups->len; i++) {
		const struct info_group *group = g_ptr_array_index(info->groups, i);

		put_string(out, group->name);
		put_u32(out, group->leader);
		put_u32(out, group->nr_members);
	}
}

static void write_caches(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, 1);
	put_u32(out, info->caches->len);
	for (u32 i = 0; i < info->caches->len; i++) {
		const struct info_cache *cache = g_ptr_array_index(info->caches, i);

		put_u32(out, cache->level);
		put_u32(out, cache->line_size);
		put_u32(out, cache->sets);
		put_u32(out, cache->ways);
		put_string(out, cache->type);
		put_string(out, cache->size);
		put_string(out, cache->map);
	}
}

static void write_sample_time(const struct perfdata_info *info, GByteArray *out)
{
	put_u64(out, info->first_sample_time);
	put_u64(out, info->last_sample_time);
}

static void write_mem_topology(const struct perfdata_info *info, GByteArray *out)
{
	put_u64(out, 1);
	put_u64(out, info->mem_block_size);
	put_u64(out, info->mem_nodes->len);
	for (u32 i = 0; i < info->mem_nodes->len; i++) {
		const struct info_mem_node *node = g_ptr_array_index(info->mem_nodes, i);

		put_u64(out, node->node);
		put_u64(out, node->nr_blocks);
		put_u64(out, node->nr_blocks);
		put(out, node->bitmap, ALIGN_UP(node->nr_blocks, (u64)64) / 8);
	}
}

static void write_clockid(const struct perfdata_info *info, GByteArray *out)
{
	put_u64(out, info->clockid_res_ns);
}

static void write_compressed(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->comp_version);
	put_u32(out, info->comp_type);
	put_u32(out, info->comp_level);
	put_u32(out, info->comp_ratio);
	put_u32(out, info->comp_mmap_len);
}

static void write_clock_data(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, 1);
	put_u32(out, info->clock_data_clockid);
	put_u64(out, info->clock_data_wall_ns);
	put_u64(out, info->clock_data_clock_ns);
}

static void write_e_machine(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->e_machine);
	put_u32(out, info->e_flags);
}

static void write_cln_size(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->cache_line_size);
}

static void write_tracing_data(const struct perfdata_info *info, GByteArray *out)
{
	gsize size = 0;
	const void *data = info->tracing_data ? g_bytes_get_data(info->tracing_data, &size) : NULL;

	put(out, data, size);
}

/* A flag has no content: its presence is the information. */
static void write_flag(const struct perfdata_info *info, GByteArray *out)
{
}

/* The other features are written as they were read. */
static void (*const writers[FEAT_UPSTREAM_LAST])(const struct perfdata_info *info,
						 GByteArray *out) = {
	[FEAT_TRACING_DATA] = write_tracing_data,
	[FEAT_BUILD_ID] = write_build_ids,
	[FEAT_HOSTNAME] = write_hostname,
	[FEAT_OSRELEASE] = write_osrelease,
	[FEAT_VERSION] = write_version,
	[FEAT_ARCH] = write_arch,
	[FEAT_NRCPUS] = write_nrcpus,
	[FEAT_CPUDESC] = write_cpudesc,
	[FEAT_CPUID] = write_cpuid,
	[FEAT_TOTAL_MEM] = write_total_mem,
	[FEAT_CMDLINE] = write_cmdline,
	[FEAT_EVENT_DESC] = write_event_desc,
	[FEAT_CPU_TOPOLOGY] = write_cpu_topology,
	[FEAT_NUMA_TOPOLOGY] = write_numa,
	[FEAT_BRANCH_STACK] = write_flag,
	[FEAT_PMU_MAPPINGS] = write_pmus,
	[FEAT_GROUP_DESC] = write_groups,
	[FEAT_STAT] = write_flag,
	[FEAT_CACHE] = write_caches,
	[FEAT_SAMPLE_TIME] = write_sample_time,
	[FEAT_MEM_TOPOLOGY] = write_mem_topology,
	[FEAT_CLOCKID] = write_clockid,
	[FEAT_COMPRESSED] = write_compressed,
	[FEAT_CLOCK_DATA] = write_clock_data,
	[FEAT_E_MACHINE] = write_e_machine,
	[FEAT_CLN_SIZE] = write_cln_size,
};

bool feature_write(const struct perfdata_info *info, u32 feat, GByteArray *out)
{
	if (feat < ARRAY_SIZE(writers) && writers[feat]) {
		writers[feat](info, out);
		return true;
	}
	if (feat >= FEAT_UPSTREAM_LAST || !info->raw[feat])
		return false;
	put(out, g_bytes_get_data(info->raw[feat], NULL), g_bytes_get_size(info->raw[feat]));
	return true;
}

void notes_write(const struct perfdata_info *info, GByteArray *out)
{
	put_u32(out, info->notes->len);
	for (u32 i = 0; i < info->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		put(out, note->key, strlen(note->key) + 1);
		put(out, note->value, strlen(note->value) + 1);
	}
}
