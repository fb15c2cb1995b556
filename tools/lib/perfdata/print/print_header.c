// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the header features as text, with the same lines as upstream's `perf report --header`. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "perfdata/bpf_info.h"
#include "perfdata/skid.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader_private.h"

static void print_cmdline(const struct perfdata *pd, FILE *out)
{
	fputs("# cmdline : ", out);
	for (char **word = pd->info->cmdline; word && *word; word++) {
		/* Upstream escapes only quotes in a word. */
		for (const char *c = *word; *c; c++) {
			if (*c == '\'')
				fputc('\\', out);
			fputc(*c, out);
		}
		fputc(' ', out);
	}
	fputc('\n', out);
}

/* The events of the file, from its attrs section. */
static void print_events(const struct perfdata *pd, FILE *out)
{
	for (u32 i = 0; i < pd->format.evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(pd->format.evsels, i);
		g_autoptr(GString) attr = g_string_new(NULL);

		fprintf(out, "# event : name = %s, ", evsel->name);
		for (u32 k = 0; k < evsel->nr_ids; k++)
			fprintf(out, "%s%" PRIu64, k ? ", " : ", id = { ", evsel->ids[k]);
		if (evsel->nr_ids)
			fputs(" }, ", out);
		evsel_print_attr(evsel, " = ", attr);
		fprintf(out, "%s\n", attr->str);
	}
}

static void print_siblings(const GPtrArray *lists, const char *what, FILE *out)
{
	for (u32 i = 0; i < lists->len; i++)
		fprintf(out, "# sibling %s: %s\n", what, (char *)g_ptr_array_index(lists, i));
}

static void print_cpu_topology(const struct perfdata *pd, FILE *out)
{
	const struct perfdata_info *info = pd->info;

	print_siblings(info->core_siblings, "sockets ", out);
	print_siblings(info->die_siblings, "dies    ", out);
	print_siblings(info->thread_siblings, "threads ", out);
	for (u32 i = 0; i < info->cpus->len; i++) {
		const struct info_cpu *cpu = &g_array_index(info->cpus, struct info_cpu, i);

		fprintf(out, "# CPU %u: Core ID %d, ", i, (int)cpu->core);
		if (info->has_dies)
			fprintf(out, "Die ID %d, ", (int)cpu->die);
		fprintf(out, "Socket ID %d\n", (int)cpu->socket);
	}
	if (!info->cpus->len)
		fputs("# Core ID and Socket ID information is not available\n", out);
}

static void print_numa(const struct perfdata *pd, FILE *out)
{
	for (u32 i = 0; i < pd->info->numa->len; i++) {
		const struct info_numa_node *node = g_ptr_array_index(pd->info->numa, i);

		fprintf(out,
			"# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64 " kB\n"
			"# node%u cpu list : %s\n",
			node->node, node->total_kb, node->free_kb, node->node, node->cpus);
	}
}

static void print_pmus(const struct perfdata *pd, FILE *out)
{
	for (u32 i = 0; i < pd->info->pmus->len; i++) {
		const struct info_pmu *pmu = g_ptr_array_index(pd->info->pmus, i);

		fprintf(out, "%s%s = %u", i ? ", " : "# pmu mappings: ", pmu->name, pmu->type);
	}
	fputs(pd->info->pmus->len ? "\n" : "# pmu mappings: not available\n", out);
}

static void print_groups(const struct perfdata *pd, FILE *out)
{
	const GPtrArray *evsels = pd->format.evsels;

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *leader = g_ptr_array_index(evsels, i);

		if (leader->nr_members < 2)
			continue;
		fprintf(out, "# group: %s{%s", evsel_group_name(leader) ?: "", leader->name);
		for (u32 k = 1; k < leader->nr_members && i + k < evsels->len; k++)
			fprintf(out, ",%s",
				((struct evsel *)g_ptr_array_index(evsels, i + k))->name);
		fputs("}\n", out);
	}
}

static void print_caches(const struct perfdata *pd, FILE *out)
{
	fputs("# CPU cache info:\n", out);
	for (u32 i = 0; i < pd->info->caches->len; i++) {
		const struct info_cache *cache = g_ptr_array_index(pd->info->caches, i);

		fprintf(out, "#  L%u %-15s %8s [%s]\n", cache->level, cache->type, cache->size,
			cache->map);
	}
}

static void print_time(const char *what, u64 ns, FILE *out)
{
	fprintf(out, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", what, ns / 1000000000,
		ns % 1000000000 / 1000);
}

static void print_sample_time(const struct perfdata *pd, FILE *out)
{
	u64 first = pd->info->first_sample_time, last = pd->info->last_sample_time;

	print_time("first", first, out);
	print_time("last", last, out);
	fprintf(out, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* "24G": in the largest unit in which the number is at least 1, rounded down. */
static void print_size(u64 bytes, FILE *out)
{
	static const char units[] = "BKMGTPE";
	u32 unit = 0;

	while (bytes >= 1024 && units[unit + 1]) {
		bytes >>= 10;
		unit++;
	}
	fprintf(out, "%" PRIu64 "%c", bytes, units[unit]);
}

static bool is_set(const u64 *bitmap, u64 bits, u64 bit)
{
	return bit < bits && bitmap[bit / 64] >> (bit % 64) & 1;
}

static void print_bitmap(const u64 *bitmap, u64 bits, FILE *out)
{
	const char *comma = "";

	for (u64 bit = 0; bit < bits; bit++) {
		u64 end = bit;

		if (!is_set(bitmap, bits, bit))
			continue;
		while (is_set(bitmap, bits, end + 1))
			end++;
		fprintf(out, end > bit ? "%s%" PRIu64 "-%" PRIu64 : "%s%" PRIu64, comma, bit, end);
		comma = ",";
		bit = end;
	}
}

static void print_mem_topology(const struct perfdata *pd, FILE *out)
{
	const struct perfdata_info *info = pd->info;

	fprintf(out, "# memory nodes (nr %u, block size 0x%" PRIx64 "):\n", info->mem_nodes->len,
		info->mem_block_size);
	for (u32 i = 0; i < info->mem_nodes->len; i++) {
		const struct info_mem_node *node = g_ptr_array_index(info->mem_nodes, i);

		fprintf(out, "#    %" PRIu64 " [", node->node);
		print_size(info->mem_block_size * node->nr_set, out);
		fputs("]: ", out);
		print_bitmap(node->bitmap, node->nr_blocks, out);
		fputc('\n', out);
	}
}

static void print_clockid(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# clockid frequency: %" PRIu64 " MHz\n", pd->info->clockid_res_ns * 1000);
}

static const char *clock_name(u32 clockid)
{
	switch (clockid) {
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "(not found)";
	}
}

static void print_clock_data(const struct perfdata *pd, FILE *out)
{
	const struct perfdata_info *info = pd->info;
	u64 wall_ns = info->clock_data_wall_ns, clock_ns = info->clock_data_clock_ns;
	time_t seconds = (time_t)(wall_ns / 1000000000);
	char wall[64] = "<error>";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(wall, sizeof(wall), "%F %T", &tm);
	fprintf(out, "# clockid: %s (%u)\n", clock_name(info->clock_data_clockid),
		info->clock_data_clockid);
	fprintf(out,
		"# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64 " (TOD) = %" PRIu64
		".%09" PRIu64 " (%s)\n",
		wall, wall_ns % 1000000000 / 1000, wall_ns / 1000000000,
		wall_ns % 1000000000 / 1000, clock_ns / 1000000000, clock_ns % 1000000000,
		clock_name(info->clock_data_clockid));
}

static void print_dir_format(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# directory data version : %" PRIu64 "\n", pd->info->dir_version);
}

static void print_bpf_progs(const struct perfdata *pd, FILE *out)
{
	bpf_info_print_progs(pd->info, out);
}

static void print_btfs(const struct perfdata *pd, FILE *out)
{
	bpf_info_print_btfs(pd->info, out);
}

static void print_compressed(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# compressed : %s, level = %u, ratio = %u\n",
		pd->info->comp_type == 1 ? "Zstd" : "Unknown", pd->info->comp_level,
		pd->info->comp_ratio);
}

static void print_caps(const struct info_caps *caps, FILE *out)
{
	const char *pmu = *caps->pmu ? caps->pmu : "cpu";

	if (!caps->caps->len) {
		fprintf(out, "# %s pmu capabilities: not available\n", pmu);
		return;
	}
	fprintf(out, "# %s pmu capabilities: ", pmu);
	for (u32 i = 0; i < caps->caps->len; i++)
		fprintf(out, "%s%s", i ? ", " : "", (char *)g_ptr_array_index(caps->caps, i));
	fputc('\n', out);
}

/* CPU_PMU_CAPS has no PMU name. PMU_CAPS has one name per PMU. */
static void print_all_caps(const struct perfdata *pd, bool named, FILE *out)
{
	for (u32 i = 0; i < pd->info->caps->len; i++) {
		const struct info_caps *caps = g_ptr_array_index(pd->info->caps, i);

		if (named == (*caps->pmu != 0))
			print_caps(caps, out);
	}
}

static void print_cpu_pmu_caps(const struct perfdata *pd, FILE *out)
{
	print_all_caps(pd, false, out);
}

static void print_pmu_caps(const struct perfdata *pd, FILE *out)
{
	print_all_caps(pd, true, out);
}

static void print_hybrid(const struct perfdata *pd, FILE *out)
{
	fputs("# hybrid cpu system:\n", out);
	for (u32 i = 0; i < pd->info->hybrid->len; i++) {
		const struct info_hybrid *hybrid = g_ptr_array_index(pd->info->hybrid, i);

		fprintf(out, "# %s cpu list : %s\n", hybrid->pmu, hybrid->cpus);
	}
}

static void print_cpu_domains(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# schedstat version\t: %u\n", pd->info->schedstat_version);
	for (u32 i = 0; i < pd->info->cpu_domains->len; i++) {
		const struct info_cpu_domains *cpu = g_ptr_array_index(pd->info->cpu_domains, i);

		fprintf(out, "# Domain info for cpu\t: %u\n", cpu->cpu);
		for (u32 k = 0; k < cpu->domains->len; k++) {
			const struct info_domain *domain = g_ptr_array_index(cpu->domains, k);

			fprintf(out, "# Domain\t\t: %u\n", domain->domain);
			if (domain->name)
				fprintf(out, "# Domain name\t\t: %s\n", domain->name);
			fprintf(out, "# Domain cpu map\t: %s\n# Domain cpu list\t: %s\n",
				domain->cpumask, domain->cpulist);
		}
	}
}

static void print_e_machine(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# e_machine : %u\n#   e_flags : %u\n", pd->info->e_machine,
		pd->info->e_flags);
}

static void print_cln_size(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# cacheline size: %u\n", pd->info->cache_line_size);
}

static void print_nrcpus(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", pd->info->nrcpus_online,
		pd->info->nrcpus_available);
}

static void print_total_mem(const struct perfdata *pd, FILE *out)
{
	fprintf(out, "# total memory : %" PRIu64 " kB\n", pd->info->total_mem_kb);
}

static void print_branch_stack(const struct perfdata *pd, FILE *out)
{
	fputs("# contains samples with branch stack\n", out);
}

static void print_auxtrace(const struct perfdata *pd, FILE *out)
{
	fputs("# contains AUX area data (e.g. instruction trace)\n", out);
}

static void print_stat(const struct perfdata *pd, FILE *out)
{
	fputs("# contains stat data\n", out);
}

/* Each row has a string of info with a title, or a function. Rows with neither are not printed. */
static const struct {
	const char *title;
	size_t string; /* offset of a char * in struct perfdata_info */
	void (*print)(const struct perfdata *pd, FILE *out);
	bool only_full;
} printers[FEAT_UPSTREAM_LAST] = {
	[FEAT_HOSTNAME] = { "hostname", offsetof(struct perfdata_info, hostname) },
	[FEAT_OSRELEASE] = { "os release", offsetof(struct perfdata_info, osrelease) },
	[FEAT_VERSION] = { "perf version", offsetof(struct perfdata_info, version) },
	[FEAT_ARCH] = { "arch", offsetof(struct perfdata_info, arch) },
	[FEAT_NRCPUS] = { .print = print_nrcpus },
	[FEAT_CPUDESC] = { "cpudesc", offsetof(struct perfdata_info, cpudesc) },
	[FEAT_CPUID] = { "cpuid", offsetof(struct perfdata_info, cpuid) },
	[FEAT_TOTAL_MEM] = { .print = print_total_mem },
	[FEAT_CMDLINE] = { .print = print_cmdline },
	[FEAT_EVENT_DESC] = { .print = print_events },
	[FEAT_CPU_TOPOLOGY] = { .print = print_cpu_topology, .only_full = true },
	[FEAT_NUMA_TOPOLOGY] = { .print = print_numa, .only_full = true },
	[FEAT_BRANCH_STACK] = { .print = print_branch_stack },
	[FEAT_PMU_MAPPINGS] = { .print = print_pmus },
	[FEAT_GROUP_DESC] = { .print = print_groups },
	[FEAT_AUXTRACE] = { .print = print_auxtrace },
	[FEAT_STAT] = { .print = print_stat },
	[FEAT_CACHE] = { .print = print_caches, .only_full = true },
	[FEAT_SAMPLE_TIME] = { .print = print_sample_time },
	[FEAT_MEM_TOPOLOGY] = { .print = print_mem_topology, .only_full = true },
	[FEAT_CLOCKID] = { .print = print_clockid },
	[FEAT_DIR_FORMAT] = { .print = print_dir_format },
	[FEAT_BPF_PROG_INFO] = { .print = print_bpf_progs },
	[FEAT_BPF_BTF] = { .print = print_btfs },
	[FEAT_COMPRESSED] = { .print = print_compressed },
	[FEAT_CPU_PMU_CAPS] = { .print = print_cpu_pmu_caps },
	[FEAT_CLOCK_DATA] = { .print = print_clock_data },
	[FEAT_HYBRID_TOPOLOGY] = { .print = print_hybrid, .only_full = true },
	[FEAT_PMU_CAPS] = { .print = print_pmu_caps },
	[FEAT_CPU_DOMAIN_INFO] = { .print = print_cpu_domains, .only_full = true },
	[FEAT_E_MACHINE] = { .print = print_e_machine },
	[FEAT_CLN_SIZE] = { .print = print_cln_size },
};

static void print_feature(const struct perfdata *pd, u32 feat, bool full, FILE *out)
{
	if (printers[feat].only_full && !full) {
		fprintf(out, "# %s info available, use -I to display\n",
			perfdata_feature_name(feat));
	} else if (printers[feat].print) {
		printers[feat].print(pd, out);
	} else if (printers[feat].title) {
		char *const *text = (char *const *)((const char *)pd->info + printers[feat].string);

		fprintf(out, "# %s : %s\n", printers[feat].title, *text ? *text : "");
	}
}

static void print_file(const struct perfdata *pd, FILE *out)
{
	const struct perfdata_file_header *header = &pd->header;
	time_t when = (time_t)pd->mtime;
	char text[32];

	if (when && ctime_r(&when, text))
		fprintf(out, "# captured on    : %s", text);
	if (pd->pipe_form)
		return;
	/* The version of the format. It has been 1 since the size field was added. */
	fprintf(out,
		"# header version : 1\n# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
		"\n# feat offset    : %" PRIu64 "\n",
		header->data.offset, header->data.size, header->data.offset + header->data.size);
}

static void print_note(const struct info_note *note, FILE *out)
{
	struct skid_measure skid;
	bool has_skid = perfdata_skid_of_note(note, &skid);
	g_autofree char *key = text_shown(note->key);
	g_autofree char *value = has_skid ? skid_measure_sentence(&skid) : text_shown(note->value);

	fprintf(out, "# %s : %s\n", key, value);
}

void perfdata_print_header(const struct perfdata *pd, bool full, FILE *out)
{
	fputs("# ========\n", out);
	print_file(pd, out);
	for (u32 feat = 1; feat < FEAT_UPSTREAM_LAST; feat++) {
		if (perfdata_info_has(pd->info, feat))
			print_feature(pd, feat, full, out);
	}
	for (u32 i = 0; i < pd->info->notes->len; i++)
		print_note(g_ptr_array_index(pd->info->notes, i), out);
	if (!pd->pipe_form) {
		fputs("# missing features: ", out);
		for (u32 feat = 1; feat < FEAT_UPSTREAM_LAST; feat++) {
			if (!perfdata_info_has(pd->info, feat))
				fprintf(out, "%s ", perfdata_feature_name(feat));
		}
		fputc('\n', out);
	}
	fputs("# ========\n#\n", out);
}
