// SPDX-License-Identifier: GPL-2.0-or-later
/* The start of a line: thread, CPU and time of the event. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/append.h"
#include "base/digits.h"
#include "view/script/memo.h"
#include "view/script/parts.h"
#include "view/script/private.h"

bool script_wants(const struct script_printer *p, enum script_column column)
{
	for (u32 i = 0; i < p->wanted->len; i++)
		if (g_array_index(p->wanted, u64, i) & COLUMN_BIT(column))
			return true;
	return false;
}

u64 script_shown_time(struct script_printer *p, u64 time)
{
	u64 last = p->last_time;

	if (!p->first_time)
		p->first_time = time;
	if (p->options.deltatime) {
		p->last_time = time;
		return last ? time - last : 0;
	}
	return p->options.reltime ? time - p->first_time : time;
}

/* Most lines have the second of the line before. */
static void print_time(struct script_printer *p, u64 time, GString *out)
{
	struct script_second *s = &p->second;
	u64 ns = time - s->start;

	if (!s->size || time < s->start || ns >= 1000000000) {
		size_t start = out->len;

		ns = time % 1000000000;
		s->start = time - ns;
		/* 12 columns with the six decimals, as "%12s" */
		digits_dec(out, s->start / 1000000000, 5);
		append_char(out, '.');
		s->size = out->len - start;
		memcpy(s->text, out->str + start, s->size);
	} else {
		memcpy(append_room(out, sizeof(s->text)), s->text, sizeof(s->text));
		append_done(out, s->size);
	}
	digits_zeros(out, p->options.ns ? ns : ns / 1000, p->options.ns ? 9 : 6);
	append_bytes(out, ": ", 2);
}

void script_print_time_of_day(struct script_printer *p, u64 time, GString *out)
{
	u64 wall = (u64)((s64)time + p->wall_offset);
	time_t secs = (time_t)(wall / 1000000000);
	struct tm tm;
	char text[64];

	if (!localtime_r(&secs, &tm))
		return;
	strftime(text, sizeof(text), "%F %H:%M:%S", &tm);
	if (p->options.ns)
		g_string_append_printf(out, "%s.%09" PRIu64 " ", text, wall % 1000000000);
	else
		g_string_append_printf(out, "%s.%06" PRIu64 " ", text, wall % 1000000000 / 1000);
}

static void print_thread(const struct script_line_head *head, u64 wanted, GString *out)
{
	bool pid = wanted & COLUMN_BIT(COLUMN_PID), tid = wanted & COLUMN_BIT(COLUMN_TID);

	if (!pid && !tid)
		return;
	digits_signed(out, (s32)(pid ? head->pid : head->tid), 7);
	if (pid && tid) {
		append_char(out, '/');
		digits_left(out, (s32)head->tid, 7);
	}
	append_char(out, ' ');
}

static void print_cpu(u32 cpu, GString *out)
{
	append_char(out, '[');
	if ((s32)cpu < 0)
		digits_signed(out, (s32)cpu, 3);
	else
		digits_zeros(out, cpu, 3);
	append_bytes(out, "] ", 2);
}

static void print_whose(const struct script_printer *p, const struct script_line_head *head,
			u64 wanted, GString *out)
{
	if (wanted & COLUMN_BIT(COLUMN_COMM)) {
		bool plain = p->has_chain && p->options.show_chain && script_wants(p, COLUMN_IP);

		digits_text(out, head->comm, plain ? 0 : 16);
		append_char(out, ' ');
	}
	print_thread(head, wanted, out);
}

#define WHOSE (COLUMN_BIT(COLUMN_COMM) | COLUMN_BIT(COLUMN_PID) | COLUMN_BIT(COLUMN_TID))

void script_print_line_head(struct script_printer *p, const struct script_line_head *head,
			    u64 wanted, GString *out)
{
	const struct memo_key key = { { (uintptr_t)head->comm, (u64)head->pid << 32 | head->tid, 0,
					wanted & WHOSE } };
	size_t start = out->len;

	if (!head->lasting || !memo_put(p->memo, &key, out)) {
		print_whose(p, head, wanted, out);
		if (head->lasting)
			memo_keep(p->memo, &key, out, start);
	}
	if (wanted & COLUMN_BIT(COLUMN_CPU))
		print_cpu(head->cpu, out);
	if (wanted & COLUMN_BIT(COLUMN_MISC))
		script_print_misc(head->type, head->misc, out);
	if (wanted & COLUMN_BIT(COLUMN_TOD))
		script_print_time_of_day(p, head->time, out);
	if (wanted & COLUMN_BIT(COLUMN_TIME))
		print_time(p, script_shown_time(p, head->time), out);
}
