// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/line.h"

#include <inttypes.h>
#include <string.h>

#include "base/append.h"
#include "base/digits.h"
#include "base/intern.h"
#include "base/text.h"
#include "dso/lines.h"
#include "fields/fields.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"
#include "resolve/trace.h"
#include "session/session.h"
#include "view/script/blocks.h"
#include "view/script/memo.h"
#include "view/script/parts.h"
#include "view/script/private.h"

static bool prepare_events(struct script_printer *p, GError **error)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(p->session));

	for (u32 i = p->wanted->len; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);
		u64 wanted;

		if (!script_columns_of(p->columns, evsel, &wanted, error))
			return false;
		if (wanted && p->options.kernel_path)
			wanted |= WANT_KERNEL_PATH;
		g_array_append_val(p->wanted, wanted);
		p->name_width = MAX(p->name_width, (int)strlen(evsel->name));
		p->has_chain |= (evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
		memo_clear(p->memo); /* widths may differ now */
	}
	return true;
}

static bool prepare_wall_clock(struct script_printer *p, GError **error)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(p->session));

	p->has_wall = perfdata_info_has(info, FEAT_CLOCK_DATA);
	p->wall_offset = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	if (script_wants(p, COLUMN_TOD) && !p->has_wall)
		return error_set(error, PERF_ERROR_ABSENT,
				 "the file does not record the time of day of its clock, so there "
				 "is no 'tod' field; record with '-k CLOCK_MONOTONIC'");
	return true;
}

static bool prepare_formats(struct script_printer *p, GError **error)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(p->session));

	if (p->formats || !info->tracing_data)
		return true;
	p->formats = trace_formats_new(info->tracing_data, error);
	if (p->formats)
		trace_formats_resolve(p->formats, session_resolver(p->session));
	return p->formats != NULL;
}

struct script_printer *script_printer_new(struct session *session,
					  const struct script_columns *columns,
					  const struct script_line_options *options, GError **error)
{
	struct script_printer *p = g_new0(struct script_printer, 1);

	p->session = session;
	p->machine = session_machine(session);
	p->columns = columns;
	p->options = *options;
	p->first_time = options->first_time;
	p->wanted = g_array_new(false, false, sizeof(u64));
	p->memo = memo_new();
	p->lexicon = lexicon_new(session);
	p->lexicon->ns = options->ns;
	p->lexicon->full_source_path = options->full_source_path;
	p->decoder = insn_decoder_new(INSN_X86_64, NULL);
	p->stop_bt = options->stop_bt ? g_strsplit(options->stop_bt, ",", -1) : NULL;
	if (!prepare_events(p, error) || !prepare_formats(p, error) ||
	    !prepare_wall_clock(p, error)) {
		script_printer_free(p);
		return NULL;
	}
	return p;
}

void script_printer_free(struct script_printer *p)
{
	if (!p)
		return;
	trace_formats_free(p->formats);
	insn_decoder_free(p->decoder);
	lexicon_free(p->lexicon);
	memo_free(p->memo);
	g_strfreev(p->stop_bt);
	g_array_free(p->wanted, TRUE);
	g_free(p);
}

/* Prints period and event. */
static void print_what(struct script_printer *p, const struct place *place, u64 wanted,
		       GString *out)
{
	const u64 both = COLUMN_BIT(COLUMN_PERIOD) | COLUMN_BIT(COLUMN_EVENT);
	const struct memo_key key = { { (uintptr_t)place->evsel, place->sample->period,
					wanted & both, 0 } };
	size_t start = out->len;

	if (!(wanted & both) || memo_put(p->memo, &key, out))
		return;
	if (wanted & COLUMN_BIT(COLUMN_PERIOD)) {
		digits_dec(out, place->sample->period, 10);
		append_char(out, ' ');
	}
	if (wanted & COLUMN_BIT(COLUMN_EVENT)) {
		digits_text(out, place->evsel->name, (u32)p->name_width);
		append_bytes(out, ": ", 2);
	}
	memo_keep(p->memo, &key, out, start);
}

static bool is_stop(const struct script_printer *p, const struct code *code)
{
	g_autofree char *bare = NULL;

	if (!p->stop_bt || !code->symbol || !code->dso)
		return false;
	bare = dso_symbol_bare_name(code->symbol);
	return g_strv_contains((const char *const *)p->stop_bt,
			       dso_symbol_name(code->dso, code->symbol)) ||
	       (bare && g_strv_contains((const char *const *)p->stop_bt, bare));
}

/*
 * Inlined calls and the function around them are frames with the same address. The innermost frame has the line of the
 * address. Each further frame has the line of its call.
 */
static bool print_call_line(const struct script_printer *p, const struct place *place, u32 i,
			    GString *out)
{
	const struct code *code = place->chain[i];
	const struct source_frame *frames;
	u32 inner = 0, nr;
	const char *name;

	while (inner < i && place->chain[i - inner - 1]->inlined &&
	       place->chain[i - inner - 1]->va == code->va)
		inner++;
	if (!inner && !code->inlined)
		return false;
	nr = dso_frames(code->dso, code_insn_vaddr(code), &frames);
	if (inner >= nr || !frames[inner].file || !frames[inner].line)
		return false;
	name = p->lexicon->full_source_path ? NULL : strrchr(frames[inner].file, '/');
	g_string_append_printf(out, "\n  %s:%u", name ? name + 1 : frames[inner].file,
			       frames[inner].line);
	return true;
}

static void print_source_line(struct script_printer *p, const struct code *code, GString *out)
{
	u32 line = lexicon_line_or_address(p->lexicon, code);

	if (line)
		g_string_append_printf(out, "\n  %s", intern_text(p->lexicon->texts, line));
}

static void print_chain(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	append_char(out, '\n');
	for (u32 i = 0; i < place->nr_chain; i++) {
		append_char(out, '\t');
		script_print_code(p->memo, place->chain[i], wanted, out);
		if (wanted & COLUMN_BIT(COLUMN_SRCLINE) && !print_call_line(p, place, i, out))
			print_source_line(p, place->chain[i], out);
		if (place->chain[i]->inlined)
			append_text(out, " (inlined)");
		append_char(out, '\n');
		if (is_stop(p, place->chain[i]))
			break;
	}
}

static void print_where(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	if (!(wanted & COLUMN_BIT(COLUMN_IP)))
		return;
	if (p->options.show_chain && place->sample->type & PERF_SAMPLE_CALLCHAIN) {
		print_chain(p, place, wanted, out);
		return;
	}
	append_char(out, ' ');
	script_print_code(p->memo, place->ip, wanted, out);
	if (wanted & COLUMN_BIT(COLUMN_SRCLINE))
		print_source_line(p, place->ip, out);
}

static void print_trace(struct script_printer *p, const struct place *place, GString *out)
{
	if (!p->formats)
		prepare_formats(p, NULL);
	trace_print(p->formats, place->evsel, place->sample, out);
}

static void print_fields(struct script_printer *p, const struct place *place, GString *out)
{
	enum script_class class = script_class_of(place->evsel);
	const GPtrArray *fields = p->columns->fields[class];
	struct wait wait;

	/* Upstream's samples of waits have nothing for our defaults. */
	if (class == SCRIPT_WAIT && !p->columns->stated[class] &&
	    !wait_of(place->evsel, place->sample, &wait))
		return;
	for (u32 i = 0; i < fields->len; i++) {
		const struct field *field = g_ptr_array_index(fields, i);

		append_char(out, ' ');
		field_print(field, p->lexicon, field->key(field, p->lexicon, place), out);
	}
}

/* Prints the columns between the event's name and the address. */
static void print_data(struct script_printer *p, const struct place *place, u64 wanted,
		       GString *out)
{
	const struct sample *s = place->sample;

	if (wanted & COLUMN_BIT(COLUMN_TRACE))
		print_trace(p, place, out);
	if (wanted & COLUMN_BIT(COLUMN_ADDR))
		script_print_addr(p->memo, place, wanted, out);
	if (wanted & COLUMN_BIT(COLUMN_DATA_SRC))
		script_print_data_src(p->lexicon, place, out);
	if (wanted & COLUMN_BIT(COLUMN_WEIGHT))
		g_string_append_printf(out, "%16" PRIu64, s->weight);
	if (wanted & COLUMN_BIT(COLUMN_INS_LAT))
		g_string_append_printf(out, "%16u", s->ins_lat);
	if (wanted & COLUMN_BIT(COLUMN_RETIRE_LAT))
		g_string_append_printf(out, "%16u", s->p_stage_cyc);
	if (wanted & COLUMN_BIT(COLUMN_CGROUP)) {
		const char *path = machine_cgroup(p->machine, s->cgroup);

		g_string_append_printf(out, " %s", path ? path : "unknown");
	}
}

/* Prints the columns after the address. */
static void print_tail(struct script_printer *p, const struct place *place, u64 wanted,
		       GString *out)
{
	const struct sample *s = place->sample;

	if (wanted & COLUMN_BIT(COLUMN_IREGS))
		script_print_regs(&s->intr_regs, out);
	if (wanted & COLUMN_BIT(COLUMN_UREGS))
		script_print_regs(&s->user_regs, out);
	script_print_branches(place, wanted, out);
	if (wanted & COLUMN_BIT(COLUMN_BPF_OUTPUT) && s->raw_size)
		script_print_bytes(s->raw, s->raw_size, out);
	script_print_insn(p->decoder, place->ip, wanted, out);
	script_print_blocks(p->decoder, place, wanted, p->options.max_blocks, out);
	if (wanted & COLUMN_BIT(COLUMN_PHYS_ADDR))
		g_string_append_printf(out, "%16" PRIx64, s->phys_addr);
	if (wanted & COLUMN_BIT(COLUMN_DATA_PAGE_SIZE))
		script_print_page_size(s->data_page_size, out);
	if (wanted & COLUMN_BIT(COLUMN_CODE_PAGE_SIZE))
		script_print_page_size(s->code_page_size, out);
	if (wanted & COLUMN_BIT(COLUMN_TLS))
		script_print_tls(&s->tls, out);
}

/* Columns that neither print_data() nor print_tail() prints. Most lines have only these. */
#define USUAL                                                                                      \
	(COLUMN_BIT(COLUMN_COMM) | COLUMN_BIT(COLUMN_PID) | COLUMN_BIT(COLUMN_TID) |               \
	 COLUMN_BIT(COLUMN_CPU) | COLUMN_BIT(COLUMN_MISC) | COLUMN_BIT(COLUMN_TIME) |              \
	 COLUMN_BIT(COLUMN_TOD) | COLUMN_BIT(COLUMN_PERIOD) | COLUMN_BIT(COLUMN_EVENT) |           \
	 COLUMN_BIT(COLUMN_IP) | COLUMN_BIT(COLUMN_SYM) | COLUMN_BIT(COLUMN_SYMOFF) |              \
	 COLUMN_BIT(COLUMN_DSO) | COLUMN_BIT(COLUMN_DSOFF) | COLUMN_BIT(COLUMN_SRCLINE))

bool script_wanted(struct script_printer *p, const struct place *place, u64 *wanted)
{
	/* In a pipe, events can be added during reading. */
	if (place->evsel->idx >= p->wanted->len)
		prepare_events(p, NULL);
	if (place->evsel->idx >= p->wanted->len)
		return false;
	*wanted = g_array_index(p->wanted, u64, place->evsel->idx);
	return *wanted || p->columns->fields[script_class_of(place->evsel)]->len;
}

u32 script_chain_length(const struct script_printer *p, const struct place *place)
{
	u32 nr = 0;

	while (nr < place->nr_chain && !is_stop(p, place->chain[nr]))
		nr++;
	return MIN(nr + 1, place->nr_chain);
}

void script_print_frame_line(struct script_printer *p, const struct place *place, u32 i,
			     GString *out)
{
	if (!print_call_line(p, place, i, out))
		print_source_line(p, place->chain[i], out);
}

u64 script_first_time(const struct script_printer *p)
{
	return p->first_time;
}

struct lexicon *script_lexicon(struct script_printer *p)
{
	return p->lexicon;
}

void script_print_column(struct script_printer *p, const struct place *place,
			 enum script_column column, GString *out)
{
	if (column == COLUMN_MISC)
		script_print_misc(PERF_RECORD_SAMPLE, place->event->misc, out);
	else if (column == COLUMN_TOD)
		script_print_time_of_day(p, place->time, out);
	print_data(p, place, COLUMN_BIT(column), out);
	print_tail(p, place, COLUMN_BIT(column), out);
}

void script_print_sample(struct script_printer *p, const struct place *place, GString *out)
{
	struct script_line_head head = {
		.comm = place->comm,
		.lasting = true,
		.pid = place->thread->pid,
		.tid = place->thread->tid,
		.cpu = place->sample->cpu,
		.time = place->time,
		.misc = place->event->misc,
		.type = PERF_RECORD_SAMPLE,
	};
	u64 wanted;

	if (!script_wanted(p, place, &wanted))
		return;
	script_print_line_head(p, &head, wanted, out);
	print_what(p, place, wanted, out);
	if (wanted & ~USUAL)
		print_data(p, place, wanted, out);
	/* Sort keys of the report come before columns that may take several lines. */
	print_fields(p, place, out);
	print_where(p, place, wanted, out);
	if (wanted & ~USUAL)
		print_tail(p, place, wanted, out);
	append_char(out, '\n');
}

/*
 * The name of the thread that a record is about. The sample id of a record that the recorder made itself may name no
 * thread, so the record's own fields are used.
 */
static const char *record_comm(struct script_printer *p, const struct event *event,
			       const struct script_line_head *head)
{
	u32 pid = head->pid, tid = head->tid;

	switch (event->type) {
	case PERF_RECORD_COMM:
		return event->comm.text;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		pid = event->mmap.pid;
		tid = event->mmap.tid;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		pid = event->task.pid;
		tid = event->task.tid;
		break;
	}
	if (pid == EVENT_NO_PID)
		pid = tid = 0;
	return machine_comm(p->machine, machine_thread(p->machine, pid, tid, head->time, NULL),
			    head->time);
}

void script_print_head(struct script_printer *p, const struct event *event, GString *out)
{
	u64 wanted = COLUMN_BIT(COLUMN_COMM) | COLUMN_BIT(COLUMN_TID) | COLUMN_BIT(COLUMN_CPU) |
		     COLUMN_BIT(COLUMN_TIME);
	struct script_line_head head = {
		.pid = event->id.pid,
		.tid = event->id.tid,
		.cpu = event->id.cpu,
		.time = event->id.time,
		.misc = event->misc,
		.type = event->type,
	};
	g_autofree char *comm = NULL;

	if (event->type == PERFDATA_FINISHED_ROUND)
		return;
	prepare_events(p, NULL);
	if (p->wanted->len)
		wanted = g_array_index(p->wanted, u64, event->evsel ? event->evsel->idx : 0);
	if (head.tid == EVENT_NO_PID)
		head.pid = head.tid = 0;
	if (head.cpu == EVENT_NO_CPU)
		head.cpu = 0;
	comm = text_shown(record_comm(p, event, &head));
	head.comm = comm;
	script_print_line_head(p, &head, wanted, out);
}
