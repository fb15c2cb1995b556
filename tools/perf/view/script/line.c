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
#include "fields/request_keys.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"
#include "resolve/trace.h"
#include "session/session.h"
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
	if (!prepare_events(p, error) || !script_prepare_formats(p, error) ||
	    !prepare_wall_clock(p, error) ||
	    !request_keys_prepare(p->lexicon, script_columns_needs(columns, false), error)) {
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

static void print_chain(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	append_char(out, '\n');
	for (u32 i = 0; i < place->nr_chain; i++) {
		append_char(out, '\t');
		script_print_code(p->memo, place->chain[i], wanted, out);
		if (wanted & COLUMN_BIT(COLUMN_SRCLINE))
			script_print_frame_line(p, place, i, out);
		if (place->chain[i]->inlined)
			append_text(out, " (inlined)");
		append_char(out, '\n');
		if (script_is_stop(p, place->chain[i]))
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
		script_print_source_line(p, place->ip, out);
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

/* The columns between the event's name and the address, and those behind the address. */
#define DATA (COLUMN_BIT(COLUMN_IP) - COLUMN_BIT(COLUMN_TRACE))
#define TAIL (COLUMN_BIT(NR_COLUMNS) - COLUMN_BIT(COLUMN_IREGS))

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

u64 script_first_time(const struct script_printer *p)
{
	return p->first_time;
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
	script_print_columns(p, place, DATA, wanted, out);
	/* Sort keys of the report come before columns that may take several lines. */
	print_fields(p, place, out);
	print_where(p, place, wanted, out);
	script_print_columns(p, place, TAIL, wanted, out);
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
