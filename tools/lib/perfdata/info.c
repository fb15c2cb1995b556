// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "perfdata/evsel.h"
#include "perfdata/features.h"
#include "perfdata/bpf_info.h"
#include "perfdata/info.h"

static const char *const feature_names[FEAT_UPSTREAM_LAST] = {
	[FEAT_TRACING_DATA] = "TRACING_DATA",
	[FEAT_BUILD_ID] = "BUILD_ID",
	[FEAT_HOSTNAME] = "HOSTNAME",
	[FEAT_OSRELEASE] = "OSRELEASE",
	[FEAT_VERSION] = "VERSION",
	[FEAT_ARCH] = "ARCH",
	[FEAT_NRCPUS] = "NRCPUS",
	[FEAT_CPUDESC] = "CPUDESC",
	[FEAT_CPUID] = "CPUID",
	[FEAT_TOTAL_MEM] = "TOTAL_MEM",
	[FEAT_CMDLINE] = "CMDLINE",
	[FEAT_EVENT_DESC] = "EVENT_DESC",
	[FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEAT_BRANCH_STACK] = "BRANCH_STACK",
	[FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEAT_GROUP_DESC] = "GROUP_DESC",
	[FEAT_AUXTRACE] = "AUXTRACE",
	[FEAT_STAT] = "STAT",
	[FEAT_CACHE] = "CACHE",
	[FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEAT_CLOCKID] = "CLOCKID",
	[FEAT_DIR_FORMAT] = "DIR_FORMAT",
	[FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEAT_BPF_BTF] = "BPF_BTF",
	[FEAT_COMPRESSED] = "COMPRESSED",
	[FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEAT_CLOCK_DATA] = "CLOCK_DATA",
	[FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEAT_PMU_CAPS] = "PMU_CAPS",
	[FEAT_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[FEAT_E_MACHINE] = "E_MACHINE",
	[FEAT_CLN_SIZE] = "CLN_SIZE",
};

const char *perfdata_feature_name(u32 feature)
{
	return feature < ARRAY_SIZE(feature_names) ? feature_names[feature] : NULL;
}

bool perfdata_info_has(const struct perfdata_info *info, u32 feature)
{
	return feature < FEAT_BITS && info->features[feature / 64] >> (feature % 64) & 1;
}

static bool has_block(const struct info_mem_node *node, u64 block)
{
	return block < node->nr_blocks && node->bitmap[block / 64] >> (block & 63) & 1;
}

bool perfdata_info_memory_node(const struct perfdata_info *info, u64 phys, u64 *node)
{
	for (u32 i = 0; info->mem_block_size && i < info->mem_nodes->len; i++) {
		const struct info_mem_node *of = g_ptr_array_index(info->mem_nodes, i);

		*node = of->node;
		if (has_block(of, phys / info->mem_block_size))
			return true;
	}
	return false;
}

void perfdata_info_set(struct perfdata_info *info, u32 feature)
{
	if (feature < FEAT_BITS)
		info->features[feature / 64] |= 1ULL << (feature % 64);
}

static void free_build_id(void *entry)
{
	g_free(((struct info_build_id *)entry)->filename);
	g_free(entry);
}

static void free_numa_node(void *entry)
{
	g_free(((struct info_numa_node *)entry)->cpus);
	g_free(entry);
}

static void free_pmu(void *entry)
{
	g_free(((struct info_pmu *)entry)->name);
	g_free(entry);
}

static void free_cache(void *entry)
{
	struct info_cache *cache = entry;

	g_free(cache->type);
	g_free(cache->size);
	g_free(cache->map);
	g_free(cache);
}

static void free_group(void *entry)
{
	g_free(((struct info_group *)entry)->name);
	g_free(entry);
}

static void free_mem_node(void *entry)
{
	g_free(((struct info_mem_node *)entry)->bitmap);
	g_free(entry);
}

static void free_caps(void *entry)
{
	struct info_caps *caps = entry;

	g_free(caps->pmu);
	g_ptr_array_unref(caps->caps);
	g_free(caps);
}

static void free_hybrid(void *entry)
{
	struct info_hybrid *hybrid = entry;

	g_free(hybrid->pmu);
	g_free(hybrid->cpus);
	g_free(hybrid);
}

void info_domain_free(void *entry)
{
	struct info_domain *domain = entry;

	g_free(domain->name);
	g_free(domain->cpumask);
	g_free(domain->cpulist);
	g_free(domain);
}

static void free_cpu_domains(void *entry)
{
	g_ptr_array_unref(((struct info_cpu_domains *)entry)->domains);
	g_free(entry);
}

static void free_note(void *entry)
{
	struct info_note *note = entry;

	g_free(note->key);
	g_free(note->value);
	g_free(note);
}

struct perfdata_info *perfdata_info_new(void)
{
	struct perfdata_info *info = g_new0(struct perfdata_info, 1);

	info->build_ids = g_ptr_array_new_with_free_func(free_build_id);
	info->events = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);
	info->groups = g_ptr_array_new_with_free_func(free_group);
	info->core_siblings = g_ptr_array_new_with_free_func(g_free);
	info->thread_siblings = g_ptr_array_new_with_free_func(g_free);
	info->die_siblings = g_ptr_array_new_with_free_func(g_free);
	info->cpus = g_array_new(false, true, sizeof(struct info_cpu));
	info->numa = g_ptr_array_new_with_free_func(free_numa_node);
	info->pmus = g_ptr_array_new_with_free_func(free_pmu);
	info->caches = g_ptr_array_new_with_free_func(free_cache);
	info->mem_nodes = g_ptr_array_new_with_free_func(free_mem_node);
	info->caps = g_ptr_array_new_with_free_func(free_caps);
	info->hybrid = g_ptr_array_new_with_free_func(free_hybrid);
	info->cpu_domains = g_ptr_array_new_with_free_func(free_cpu_domains);
	info->bpf_progs = g_ptr_array_new_with_free_func(bpf_info_free_prog);
	info->btfs = g_ptr_array_new_with_free_func(bpf_info_free_btf);
	info->notes = g_ptr_array_new_with_free_func(free_note);
	return info;
}

void perfdata_info_free(struct perfdata_info *info)
{
	GPtrArray *const arrays[] = {
		info->build_ids,       info->events,	   info->groups, info->core_siblings,
		info->thread_siblings, info->die_siblings, info->numa,	 info->pmus,
		info->caches,	       info->mem_nodes,	   info->caps,	 info->hybrid,
		info->cpu_domains,     info->bpf_progs,	   info->btfs,	 info->notes,
	};

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		g_ptr_array_unref(arrays[i]);
	for (u32 i = 0; i < FEAT_BITS; i++)
		g_clear_pointer(&info->raw[i], g_bytes_unref);
	g_array_unref(info->cpus);
	g_free(info->hostname);
	g_free(info->osrelease);
	g_free(info->version);
	g_free(info->arch);
	g_free(info->cpudesc);
	g_free(info->cpuid);
	g_strfreev(info->cmdline);
	g_clear_pointer(&info->tracing_data, g_bytes_unref);
	g_free(info);
}

const char *perfdata_info_note(const struct perfdata_info *info, const char *key)
{
	for (u32 i = info->notes->len; i-- > 0;) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		if (strcmp(note->key, key) == 0)
			return note->value;
	}
	return NULL;
}

void perfdata_info_drop_notes(struct perfdata_info *info, const char *key)
{
	for (u32 i = info->notes->len; i-- > 0;) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		if (strcmp(note->key, key) == 0)
			g_ptr_array_remove_index(info->notes, i);
	}
}

void perfdata_info_add_note(struct perfdata_info *info, const char *key, const char *value)
{
	struct info_note *note = g_new(struct info_note, 1);

	*note = (struct info_note){ g_strdup(key), g_strdup(value) };
	g_ptr_array_add(info->notes, note);
}

void perfdata_info_set_cmdline(struct perfdata_info *info, int argc, char *const *argv)
{
	g_strfreev(info->cmdline);
	info->cmdline = g_new0(char *, argc + 1);
	for (int i = 0; i < argc; i++)
		info->cmdline[i] = g_strdup(argv[i]);
	perfdata_info_set(info, FEAT_CMDLINE);
}

struct info_build_id *info_add_build_id_entry(struct perfdata_info *info, u32 pid, u16 misc)
{
	struct info_build_id *entry = g_new0(struct info_build_id, 1);

	entry->pid = pid;
	entry->misc = misc;
	g_ptr_array_add(info->build_ids, entry);
	return entry;
}

void perfdata_info_add_build_id(struct perfdata_info *info, u32 pid, u16 misc, const void *build_id,
				u8 size, const char *filename)
{
	struct info_build_id *entry = info_add_build_id_entry(info, pid, misc);

	entry->size = MIN(size, sizeof(entry->build_id));
	memcpy(entry->build_id, build_id, entry->size);
	entry->filename = g_strdup(filename);
	perfdata_info_set(info, FEAT_BUILD_ID);
}
