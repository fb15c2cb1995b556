// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats of files in /proc (proc(5)), with what is taken from them.
 *
 *	stat	815 (a) b) S 1 815 815 0 -1 4194560 ...
 *		The name may contain spaces and parentheses, so it ends at the last ')'. Field 3 is the
 *		state, 9 has PF_KTHREAD, 22 is the creation time in ticks of CLOCK_BOOTTIME.
 *	syscall	0 0x5 0x7f... ... 0x7ffe... 0x7f3a...	number, six arguments, sp, ip
 *		-1 0x7ffe... 0x7f3a...			asleep, but in no system call: sp, ip
 *		running					on a CPU, or in a run queue
 *	status	NSpid:	4711	815	12		ids, from the namespace of this /proc to the thread's own
 *
 * R in stat means "on a CPU or in a run queue", and so does "running" in syscall. So by /proc a
 * state does not tell them apart. The times do: they come from schedstat.
 *
 * The creation time identifies a thread (made). CLOCK_BOOTTIME goes on during suspend, so the time
 * is converted by the present distance between the clocks: it may be inexact for a thread that is
 * older than a suspend.
 */
#include "record/waits/wall_proc_text.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static enum wall_state state_of(char letter)
{
	static const struct {
		char letter;
		enum wall_state state;
	} states[] = {
		{ 'R', WALL_QUEUED },  { 'S', WALL_SLEEP },  { 'D', WALL_DISK },
		{ 'T', WALL_STOPPED }, { 't', WALL_TRACED }, { 'Z', WALL_ZOMBIE },
		{ 'X', WALL_ZOMBIE },  { 'x', WALL_ZOMBIE }, { 'I', WALL_IDLE },
	};

	for (u32 i = 0; i < ARRAY_SIZE(states); i++)
		if (states[i].letter == letter)
			return states[i].state;
	return WALL_UNKNOWN;
}

bool wall_proc_parse_stat(char *text, u64 ns_per_tick, const struct wall_clock *clock,
			  struct wall_look *look)
{
	char *open = strchr(text, '('), *close = strrchr(text, ')'), *at;
	u64 fields[20] = { 0 }; /* from the 4th field on */

	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return false;
	*close = 0;
	g_strlcpy(look->comm, open + 1, sizeof(look->comm));
	look->state = (u8)state_of(close[2]);
	at = close + 3;
	for (u32 i = 0; i < ARRAY_SIZE(fields); i++)
		fields[i] = (u64)strtoll(at, &at, 10);
	look->flags |= fields[5] & 0x200000 ? WALL_KERNEL : 0;
	look->made = fields[18];
	look->start = fields[18] * ns_per_tick + clock_ns(CLOCK_MONOTONIC) -
		      clock_ns(CLOCK_BOOTTIME) + (u64)clock->from_monotonic;
	return true;
}

void wall_proc_parse_syscall(char *text, struct wall_look *look)
{
	char *at = text;

	look->syscall = -1;
	if (!g_ascii_isdigit(*text) && *text != '-') {
		if (strncmp(text, "running", 7))
			look->flags |= WALL_NO_CALL;
		else
			look->state = WALL_RUNNING;
		return;
	}
	look->syscall = (s32)strtol(at, &at, 10);
	for (u32 i = 0; look->syscall >= 0 && i < ARRAY_SIZE(look->args); i++)
		look->args[i] = strtoull(at, &at, 16);
	look->sp = strtoull(at, &at, 16);
	look->ip = strtoull(at, &at, 16);
	look->regs[0] = look->sp;
	look->regs[1] = look->ip;
	look->nr_regs = look->sp ? 2 : 0;
}

u32 wall_proc_inner_number(const char *status, const char *name)
{
	const char *line = strstr(status, name), *end = line ? strchrnul(line + 1, '\n') : NULL;
	g_autofree char *numbers =
		line ? g_strndup(line + strlen(name), (gsize)(end - line) - strlen(name)) : NULL;
	const char *last = numbers ? strrchr(numbers, '\t') : NULL;

	return last && last != numbers ? (u32)strtoul(last, NULL, 10) : 0;
}
