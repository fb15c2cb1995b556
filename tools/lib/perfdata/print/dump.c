// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints one record for -D: its bytes, then its decoded fields in one or more lines, as upstream does. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"
#include "perfdata/format.h"
#include "perfdata/print/dump_sample.h"
#include "perfdata/print/print.h"

static void dump_bytes(const u8 *data, u32 size, FILE *out)
{
	for (u32 at = 0; at < size; at += 16) {
		u32 n = MIN(16, size - at);

		fprintf(out, ".  %04x: ", at);
		for (u32 i = 0; i < 16; i++)
			fprintf(out, i < n ? " %02x" : "   ", i < n ? data[at + i] : 0);
		fputs("  ", out);
		for (u32 i = 0; i < 16; i++)
			fputc(i >= n ? ' ' : isprint(data[at + i]) ? data[at + i] : '.', out);
		fputc('\n', out);
	}
}

/* "0 3108232602539 ": CPU and time, if the events have them. */
static void dump_when(const struct perfdata *pd, const struct event *ev, FILE *out)
{
	const GPtrArray *evsels = perfdata_evsels(pd);
	const struct evsel *evsel = ev->evsel;
	bool sample = ev->type == PERF_RECORD_SAMPLE;

	if (!evsel && evsels->len)
		evsel = g_ptr_array_index(evsels, 0);
	if (!evsel || (!sample && !evsel->attr.sample_id_all)) {
		fputs("-1 -1 ", out);
		return;
	}
	if (evsel->attr.sample_type & PERF_SAMPLE_CPU)
		fprintf(out, "%u ", ev->id.cpu == EVENT_NO_CPU ? 0 : ev->id.cpu);
	if (evsel->attr.sample_type & PERF_SAMPLE_TIME)
		fprintf(out, "%" PRIu64 " ", ev->id.time);
}

/* A string from outside, at the end of a line. */
static void put_line(const char *text, FILE *out)
{
	text_print(text, out);
	fputc('\n', out);
}

static void dump_mmap(const struct event *ev, FILE *out)
{
	const struct event_mmap *m = &ev->mmap;

	fprintf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int)m->pid, (int)m->tid,
		m->start, m->len, m->pgoff);
	if (ev->type == PERF_RECORD_MMAP) {
		fprintf(out, "]: %c ", m->prot & PROT_EXEC ? 'x' : 'r');
		put_line(m->filename, out);
		return;
	}
	if (ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		fputs(" <", out);
		for (u32 i = 0; i < m->build_id_size; i++)
			fprintf(out, "%02x", m->build_id[i]);
		fputs(">", out);
	} else {
		fprintf(out, " %02x:%02x %" PRIu64 " %" PRIu64, m->maj, m->min, m->ino,
			m->ino_generation);
	}
	fprintf(out, "]: %c%c%c%c ", m->prot & PROT_READ ? 'r' : '-',
		m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
		m->flags & MAP_SHARED ? 's' : 'p');
	put_line(m->filename, out);
}

static void dump_comm(const struct event *ev, FILE *out)
{
	fputs(ev->comm.exec ? " exec: " : ": ", out);
	text_print(ev->comm.text, out);
	fprintf(out, ":%d/%d\n", (int)ev->comm.pid, (int)ev->comm.tid);
}

static void dump_task(const struct event *ev, FILE *out)
{
	fprintf(out, "(%d:%d):(%d:%d)\n", (int)ev->task.pid, (int)ev->task.tid, (int)ev->task.ppid,
		(int)ev->task.ptid);
}

static void dump_lost(const struct event *ev, FILE *out)
{
	fprintf(out,
		ev->type == PERF_RECORD_LOST ? ": id:%" PRIu64 ": lost:%" PRIu64 "\n"
					     : ": id:%" PRIu64 ": lost samples :%" PRIu64 "\n",
		ev->lost.id, ev->lost.lost);
}

static void dump_namespaces(const struct event *ev, FILE *out)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	u64 nr = ev->namespaces.nr;

	fprintf(out, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (int)ev->namespaces.pid,
		(int)ev->namespaces.tid, nr);
	for (u64 i = 0; i < nr; i++) {
		const struct perf_ns_link_info *link = &ev->namespaces.links[i];

		fprintf(out, "%s%" PRIu64 "/%s: %llu/%#llx%s", i && i % 4 == 0 ? "\n\t\t " : "", i,
			i < ARRAY_SIZE(names) ? names[i] : "unknown", (unsigned long long)link->dev,
			(unsigned long long)link->ino, i + 1 < nr ? ", " : "");
	}
	fputs("]\n", out);
}

static void dump_switch(const struct event *ev, FILE *out)
{
	const char *way = !ev->sw.out	   ? "IN         "
			  : ev->sw.preempt ? "OUT preempt"
					   : "OUT        ";

	if (ev->type == PERF_RECORD_SWITCH)
		fprintf(out, " %s\n", way);
	else
		fprintf(out, " %s  %s pid/tid: %5d/%-5d\n", way, ev->sw.out ? "next" : "prev",
			(int)ev->sw.other_pid, (int)ev->sw.other_tid);
}

static void dump_aux(const struct event *ev, FILE *out)
{
	u64 flags = ev->aux.flags;

	fprintf(out, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]\n",
		ev->aux.offset, ev->aux.size, flags, flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
		flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
		flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
}

static void dump_itrace_start(const struct event *ev, FILE *out)
{
	fprintf(out, " pid: %u tid: %u\n", ev->itrace_start.pid, ev->itrace_start.tid);
}

static void dump_ksymbol(const struct event *ev, FILE *out)
{
	fprintf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name ", ev->ksymbol.addr,
		ev->ksymbol.len, ev->ksymbol.type, ev->ksymbol.flags);
	put_line(ev->ksymbol.name, out);
}

static void dump_bpf(const struct event *ev, FILE *out)
{
	fprintf(out, " type %u, flags %u, id %u\n", ev->bpf.type, ev->bpf.flags, ev->bpf.id);
}

static void dump_cgroup(const struct event *ev, FILE *out)
{
	fprintf(out, " cgroup: %" PRIu64 " ", ev->cgroup.id);
	put_line(ev->cgroup.path, out);
}

static void dump_text_poke(const struct event *ev, FILE *out)
{
	const struct event_text_poke *poke = &ev->text_poke;

	fprintf(out, " %" PRIx64 "  old len %u new len %u\n            Old bytes:", poke->addr,
		poke->old_len, poke->new_len);
	for (u32 i = 0; i < poke->old_len; i++)
		fprintf(out, " %02x", poke->old_bytes[i]);
	fputs("\n            New bytes:", out);
	for (u32 i = 0; i < poke->new_len; i++)
		fprintf(out, " %02x", poke->new_bytes[i]);
	fputc('\n', out);
}

static void dump_hw_id(const struct event *ev, FILE *out)
{
	fprintf(out, " hw_id: %#" PRIx64 "\n", ev->hw_id.id);
}

static void dump_throttle(const struct event *ev, FILE *out)
{
	fprintf(out, ": time %" PRIu64 " id %" PRIu64 " stream_id %" PRIu64 "\n", ev->throttle.time,
		ev->throttle.id, ev->throttle.stream_id);
}

static void dump_read(const struct event *ev, FILE *out)
{
	fprintf(out, ": %d %d %s %" PRIu64 "\n", (int)ev->read.pid, (int)ev->read.tid,
		ev->evsel ? ev->evsel->name : "unknown", ev->read.value.one.value);
	dump_read_values(&ev->read.value, out);
}

static void dump_deferred(const struct event *ev, FILE *out)
{
	fprintf(out, ": cookie %#" PRIx64 "\n", ev->deferred.cookie);
	dump_chain(ev->deferred.ips, ev->deferred.nr, out);
}

static void dump_id_index(const struct event *ev, FILE *out)
{
	fprintf(out, " nr: %" PRIu64 "\n", ev->id_index.nr);
	for (u64 i = 0; i < ev->id_index.nr; i++) {
		const u64 *e = ev->id_index.entries + 4 * i;

		fprintf(out,
			" ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64 "  tid: %" PRId64
			"\n",
			e[0], e[1], (s64)e[2], (s64)e[3]);
	}
}

static void dump_thread_map(const struct event *ev, FILE *out)
{
	fputs(" nr: ", out);
	fprintf(out, "%" PRIu64, ev->thread_map.nr);
	for (u64 i = 0; i < ev->thread_map.nr; i++) {
		u64 pid;

		memcpy(&pid, ev->thread_map.entries + i * 24, sizeof(pid));
		fprintf(out, "%s%d", i ? "," : " thread: ", (int)pid);
	}
	fputc('\n', out);
}

static bool map_has_cpu(const struct event_cpu_map *map, u32 cpu)
{
	u64 word = 0;
	u16 entry;

	if (map->kind == PERFDATA_CPU_MAP_RANGE)
		return cpu >= map->range_start && cpu <= map->range_end;
	if (map->kind == PERFDATA_CPU_MAP_MASK) {
		u32 bits = map->word_size * 8u;

		if (cpu / bits >= map->nr)
			return false;
		memcpy(&word, (const u8 *)map->data + cpu / bits * map->word_size, map->word_size);
		return word >> (cpu % bits) & 1;
	}
	for (u32 i = 0; map->kind == PERFDATA_CPU_MAP_CPUS && i < map->nr; i++) {
		memcpy(&entry, (const u8 *)map->data + i * sizeof(entry), sizeof(entry));
		if (entry == cpu)
			return true;
	}
	return false;
}

static void dump_cpus(const struct event_cpu_map *map, const char *before, FILE *out)
{
	const char *comma = before;

	for (u32 cpu = 0; cpu < 65536; cpu++) {
		u32 end = cpu;

		if (!map_has_cpu(map, cpu))
			continue;
		while (end < 65535 && map_has_cpu(map, end + 1))
			end++;
		fprintf(out, end > cpu ? "%s%u-%u" : "%s%u", comma, cpu, end);
		comma = ",";
		cpu = end;
	}
	fputc('\n', out);
}

static void dump_cpu_map(const struct event *ev, FILE *out)
{
	dump_cpus(&ev->cpu_map, ": ", out);
}

static void dump_update(const struct event *ev, FILE *out)
{
	const struct event_update *up = &ev->update;

	fprintf(out, "\n... id:    %" PRIu64 "\n", up->id);
	if (up->type == PERFDATA_UPDATE_UNIT || up->type == PERFDATA_UPDATE_NAME) {
		fputs(up->type == PERFDATA_UPDATE_UNIT ? "... unit:  " : "... name:  ", out);
		put_line(up->text, out);
	} else if (up->type == PERFDATA_UPDATE_SCALE)
		fprintf(out, "... scale: %f\n", up->scale);
	else if (up->type == PERFDATA_UPDATE_CPUS)
		dump_cpus(&up->cpus, "... ", out);
}

static void dump_auxtrace(const struct event *ev, FILE *out)
{
	const struct event_auxtrace *aux = &ev->auxtrace;

	fprintf(out,
		" size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64
		"  idx: %u  tid: %d  cpu: %d\n",
		aux->size, aux->offset, aux->reference, aux->idx, (int)aux->tid, (int)aux->cpu);
}

static void dump_auxtrace_error(const struct event *ev, FILE *out)
{
	const struct event_auxtrace_error *e = &ev->auxtrace_error;

	fprintf(out, " error type %u cpu %d pid %d tid %d ip %#" PRIx64 " code %u: ", e->type,
		(int)e->cpu, (int)e->pid, (int)e->tid, e->ip, e->code);
	put_line(e->msg, out);
}

static void dump_build_id(const struct event *ev, FILE *out)
{
	fputs(" ", out);
	for (u32 i = 0; i < ev->build_id.size; i++)
		fprintf(out, "%02x", ev->build_id.build_id[i]);
	fputs(" ", out);
	put_line(ev->build_id.filename, out);
}

static void dump_time_conv(const struct event *ev, FILE *out)
{
	const struct event_time_conv *tc = &ev->time_conv;

	fprintf(out,
		"\n... Time Shift      %" PRIu64 "\n... Time Multiplier %" PRIu64
		"\n... Time Zero       %" PRIu64 "\n",
		tc->shift, tc->mult, tc->zero);
}

static void dump_stat(const struct event *ev, FILE *out)
{
	const struct event_stat *stat = &ev->stat;

	fprintf(out,
		"\n... id %" PRIu64 ", cpu %d, thread %d\n... value %" PRIu64 ", enabled %" PRIu64
		", running %" PRIu64 "\n",
		stat->id, (int)stat->cpu, (int)stat->thread, stat->value, stat->enabled,
		stat->running);
}

static void dump_tls_layout(const struct event_tls_layout *l, FILE *out)
{
	g_autoptr(GString) text = g_string_new(" ");

	g_string_append_printf(text,
			       "tls layout '%s' of pid %d: state %u, %s at %" PRId64
			       " from the thread pointer, %u bytes, in %s",
			       l->layout, (int)l->pid, l->state, l->symbol, l->tp_offset, l->size,
			       l->object);
	put_line(text->str, out);
}

static void dump_extension(const struct event *ev, FILE *out)
{
	const struct event_tls_layout *l = &ev->ext.tls_layout;

	if (ev->ext.kind == PERFDATA_EXT_TLS_LAYOUT)
		dump_tls_layout(l, out);
	else if (ev->ext.kind == PERFDATA_EXT_PROCESS)
		fprintf(out, " process %d states of itself: form %u, %u bytes\n",
			(int)ev->ext.process.pid, ev->ext.process.form, ev->ext.process.size);
	else if (ev->ext.kind == PERFDATA_EXT_PASS)
		fprintf(out,
			" look at threads: %u seen, %u looked at, %u of others, %u lost, %u "
			"faults, "
			"%u ns\n",
			ev->ext.pass.seen, ev->ext.pass.looked, ev->ext.pass.skipped,
			ev->ext.pass.lost, ev->ext.pass.faults, ev->ext.pass.took);
	else if (ev->ext.kind == PERFDATA_EXT_KERNEL_TEXT)
		fprintf(out, " kernel code at %#" PRIx64 ": %u bytes\n", ev->ext.text.va,
			ev->ext.text.size);
	else
		fprintf(out, ev->ext.kind == PERFDATA_EXT_NOTES ? " notes\n" : "\n");
}

/* For records that upstream uses while reading, but does not print in a dump: its text for them. */
static void dump_nothing(const struct event *ev, FILE *out)
{
	fputs(": unhandled!\n", out);
}

/* For types that are not here, only the name is printed. */
static void (*const dumpers[PERFDATA_RECORD_MAX])(const struct event *ev, FILE *out) = {
	[PERF_RECORD_MMAP] = dump_mmap,
	[PERF_RECORD_LOST] = dump_lost,
	[PERF_RECORD_COMM] = dump_comm,
	[PERF_RECORD_EXIT] = dump_task,
	[PERF_RECORD_THROTTLE] = dump_throttle,
	[PERF_RECORD_UNTHROTTLE] = dump_throttle,
	[PERF_RECORD_FORK] = dump_task,
	[PERF_RECORD_READ] = dump_read,
	[PERF_RECORD_MMAP2] = dump_mmap,
	[PERF_RECORD_AUX] = dump_aux,
	[PERF_RECORD_ITRACE_START] = dump_itrace_start,
	[PERF_RECORD_LOST_SAMPLES] = dump_lost,
	[PERF_RECORD_SWITCH] = dump_switch,
	[PERF_RECORD_SWITCH_CPU_WIDE] = dump_switch,
	[PERF_RECORD_NAMESPACES] = dump_namespaces,
	[PERF_RECORD_KSYMBOL] = dump_ksymbol,
	[PERF_RECORD_BPF_EVENT] = dump_bpf,
	[PERF_RECORD_CGROUP] = dump_cgroup,
	[PERF_RECORD_TEXT_POKE] = dump_text_poke,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = dump_hw_id,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = dump_deferred,
	[PERFDATA_EVENT_TYPE] = dump_extension,
	[PERFDATA_BUILD_ID] = dump_build_id,
	[PERFDATA_ID_INDEX] = dump_id_index,
	[PERFDATA_AUXTRACE] = dump_auxtrace,
	[PERFDATA_AUXTRACE_ERROR] = dump_auxtrace_error,
	[PERFDATA_THREAD_MAP] = dump_thread_map,
	[PERFDATA_CPU_MAP] = dump_cpu_map,
	[PERFDATA_STAT] = dump_stat,
	[PERFDATA_EVENT_UPDATE] = dump_update,
	[PERFDATA_TIME_CONV] = dump_time_conv,
	[PERFDATA_FINISHED_INIT] = dump_nothing,
};

void event_describe(const struct event *ev, FILE *out)
{
	const char *name = event_type_name(ev->type);

	fprintf(out, "PERF_RECORD_%s", name ? name : "UNKNOWN");
	if (ev->type < PERFDATA_RECORD_MAX && dumpers[ev->type])
		dumpers[ev->type](ev, out);
	else
		fputc('\n', out);
}

void event_dump(const struct perfdata *pd, const struct event *ev, FILE *out)
{
	fprintf(out, "\n%#" PRIx64 "@%s [%#x]: event: %u\n.\n. ... raw event: size %u bytes\n",
		ev->foff, perfdata_path(pd), ev->size, ev->type, ev->size);
	dump_bytes((const u8 *)ev->raw, ev->size, out);
	fputc('\n', out);
	dump_when(pd, ev, out);
	fprintf(out, "%#" PRIx64 " [%#x]: ", ev->foff, ev->size);
	if (ev->type == PERF_RECORD_SAMPLE) {
		fputs("PERF_RECORD_SAMPLE", out);
		dump_sample(pd, ev, out);
	} else {
		event_describe(ev, out);
	}
}
