// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/lists/header.h"

#include "perfdata/info.h"
#include "perfdata/read/reader.h"

static void add_words(struct notes *header, const char *name, const char *words)
{
	if (words)
		notes_add_words(header, name, words);
}

static void add_number(struct notes *header, const struct perfdata_info *info, u32 feature,
		       const char *name, enum cell_kind kind, u64 number)
{
	if (perfdata_info_has(info, feature))
		notes_add_number(header, name, kind, number);
}

static void add_file(struct notes *header, struct session *file)
{
	struct perfdata *pd = session_perfdata(file);
	const struct perfdata_info *info = perfdata_info(pd);
	g_autofree char *cmdline = info->cmdline ? g_strjoinv(" ", info->cmdline) : NULL;

	add_words(header, "file", perfdata_path(pd));
	add_words(header, "hostname", info->hostname);
	add_words(header, "os_release", info->osrelease);
	add_words(header, "perf_version", info->version);
	add_words(header, "arch", info->arch);
	add_number(header, info, FEAT_NRCPUS, "cpus_online", CELL_COUNT, info->nrcpus_online);
	add_number(header, info, FEAT_NRCPUS, "cpus_available", CELL_COUNT, info->nrcpus_available);
	add_words(header, "cpu", info->cpudesc);
	add_words(header, "cpuid", info->cpuid);
	add_number(header, info, FEAT_TOTAL_MEM, "memory", CELL_BYTES, info->total_mem_kb * 1024);
	add_words(header, "command_line", cmdline);
	add_number(header, info, FEAT_SAMPLE_TIME, "first_sample_time", CELL_TIME,
		   info->first_sample_time);
	add_number(header, info, FEAT_SAMPLE_TIME, "last_sample_time", CELL_TIME,
		   info->last_sample_time);
	for (u32 i = 0; i < info->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		if (!notes_find(header, note->key))
			notes_add_words(header, note->key, note->value);
	}
}

void pages_add_headers(struct pages *pages, struct session *session)
{
	for (u32 i = 0; i < session_nr_files(session); i++)
		add_file(pages_add_header(pages), session_file(session, i));
}

static void header_pages_free(struct pages *pages)
{
	pages_release(pages);
	g_free(pages);
}

struct pages *header_pages_new(struct session *session, const char *command)
{
	static const struct pages_ops ops = { .free = header_pages_free };
	struct pages *pages = g_new0(struct pages, 1);

	pages_init(pages, &ops, command, "header");
	pages_add_headers(pages, session);
	return pages;
}
