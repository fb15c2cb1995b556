// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/top/top_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "view/stdio/stdio.h"

/* Number of lines above the rows: the summary, a rule, the keys, titles. */
#define HEADING_LINES 6
#define USUAL_ROWS    20
#define MOST_WAITS    5
#define USUAL_COLUMNS 80

#define PIECE	      1024 /* bytes: a pipe or terminal with room takes as many at once */
#define LAST_FRAME_MS 1000 /* how long the reader of the last frame may stand still */

struct top_screen {
	struct top_profile *profile;
	struct top_screen_options options;
	GThread *thread;
	int stop; /* eventfd: readable when it is to end */
	bool on_terminal, reads_keys, helps;
	bool has_before;
	struct termios before;
};

static struct winsize window(const struct top_screen *s)
{
	struct winsize w = { 0 };

	if (!s->on_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		w = (struct winsize){ .ws_row = USUAL_ROWS + HEADING_LINES,
				      .ws_col = USUAL_COLUMNS };
	return w;
}

/* @above: more lines above the rows. */
static u32 rows_wanted(const struct top_screen *s, u32 above)
{
	u32 lines = window(s).ws_row;

	if (s->options.entries)
		return s->options.entries;
	return lines > HEADING_LINES + above + 1 ? lines - HEADING_LINES - above : 1;
}

/* Upstream's line, followed by our own CPU time. */
static void append_summary(const struct top_screen *s, GString *out)
{
	const struct top_counts *c = &s->profile->counts;
	struct top_rates rates = top_profile_rates(s->profile);

	g_string_append_printf(out,
			       "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: "
			       "%llu/%llu drop: 0/0 [%s ",
			       rates.per_second, rates.kernel, rates.exact,
			       (unsigned long long)c->lost_now, (unsigned long long)c->lost,
			       s->options.rate);
	top_profile_append_events(s->profile, out);
	g_string_append_printf(out, "],  (%s, %u CPU%s)  own: %.1f%%\n", s->options.target,
			       s->options.nr_cpus, s->options.nr_cpus == 1 ? "" : "s", rates.own);
}

/* As lines that fit, as longer ones are cut. */
static void append_wrapped(const struct top_screen *s, const char *text, GString *out)
{
	size_t width = MAX(window(s).ws_col, 20) - 2;

	while (*text) {
		size_t size = strlen(text);

		if (size > width)
			for (size = width; size > 1 && text[size] != ' '; size--)
				;
		g_string_append_printf(out, " %.*s\n", (int)size, text);
		text += size + (text[size] == ' ');
	}
}

static void append_keys(const struct top_screen *s, GString *out)
{
	const struct top_profile *p = s->profile;

	if (!s->reads_keys)
		return;
	if (s->helps)
		g_string_append_printf(
			out,
			" d/D  seconds between frames: less, more (now %u)\n e/E  rows: less, more "
			"(now %u)\n z    zero history before each frame (now %s)\n f    freeze: "
			"take no more samples (now %s)\n K    hide kernel symbols (now %s)\n U    "
			"hide user symbols (now %s)\n Z    forget everything now\n q    quit\n",
			s->options.delay, rows_wanted(s, 0), p->zero ? "on" : "off",
			p->frozen ? "on" : "off", p->hide_kernel ? "on" : "off",
			p->hide_user ? "on" : "off");
	if (s->helps && s->options.missing)
		append_wrapped(s, s->options.missing, out);
	if (!s->helps)
		g_string_append_printf(out, " h keys%s  q quit%s%s%s%s\n",
				       s->options.missing ? ", and what is missing" : "",
				       p->frozen ? "  FROZEN" : "", p->zero ? "  zeroed" : "",
				       p->hide_kernel ? "  no kernel" : "",
				       p->hide_user ? "  no user" : "");
}

static void append_page(struct top_screen *s, struct page *page, bool titled, FILE *out)
{
	struct view_options look = s->profile->report.options->look;

	look.quiet = false;
	if (titled)
		fprintf(out, "\n %s:\n", page->title);
	stdio_print_rows(page->rows, &look, out, NULL);
}

/* The longest waits, and threads that wait for each other. Returns the number of lines. */
static u32 append_waits(const struct top_screen *s, GString *out)
{
	g_autoptr(GString) waits = g_string_new(NULL);
	u32 nr = 1;

	if (!s->options.waits)
		return 0;
	top_waits_append(s->options.waits, MOST_WAITS, waits);
	if (!waits->len)
		return 0;
	g_string_append(out, " Longest waits of the last frames:\n");
	for (const char *line = waits->str; *line; nr++) {
		size_t size = strcspn(line, "\n");

		g_string_append_printf(out, " %.*s\n", (int)size, line);
		line += size + (line[size] != 0);
	}
	return nr;
}

/* Rows of all events, one below the other. */
static void append_rows(struct top_screen *s, u32 above, GString *out)
{
	struct report *r = &s->profile->report;
	struct pages *pages;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	r->options->pages.top = rows_wanted(s, above);
	profile_look(r->profile);
	pages = report_pages(r);
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			append_page(s, page, pages->nr > 1, f);
		page_free(page);
	}
	pages_free(pages);
	fclose(f);
	g_string_append(out, text);
	free(text);
}

/*
 * Waits until a piece can be written without blocking: the reader of a pipe may stand still, and a terminal may be
 * stopped (^S). False: it is to end, and the reader has had some time for the last frame.
 */
static bool wait_for_room(const struct top_screen *s)
{
	struct pollfd fds[] = { { STDOUT_FILENO, POLLOUT, 0 }, { s->stop, POLLIN, 0 } };

	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	return fds[0].revents || poll(fds, 1, LAST_FRAME_MS) > 0;
}

/* Like put_lines(), for a line or a part of it. */
static bool put_text(const struct top_screen *s, const char *text, size_t size)
{
	for (size_t at = 0, piece; at < size; at += piece) {
		piece = MIN(size - at, PIECE);
		if (!wait_for_room(s))
			return false;
		fwrite(text + at, 1, piece, stdout);
		if (fflush(stdout) || ferror(stdout))
			return false;
	}
	return true;
}

/*
 * The part that fits on the terminal: lines do not wrap, and the first line does not scroll away. False with errno if
 * it could not be written.
 */
static bool put_lines(const struct top_screen *s, const char *text)
{
	struct winsize w = window(s);
	u32 left = w.ws_row;

	errno = 0;
	for (const char *line = text; *line && (!s->on_terminal || left > 1); left--) {
		size_t size = strcspn(line, "\n");

		if (!put_text(s, line, s->on_terminal ? MIN(size, w.ws_col) : size) ||
		    !put_text(s, "\n", 1))
			return false;
		line += size + (line[size] != 0);
	}
	return true;
}

static void clear(const struct top_screen *s)
{
	static const char home[] = "\033[H\033[2J";

	fflush(stdout);
	/* Writes directly, because stdio filters escape sequences (cli/guard.h). */
	if (s->on_terminal && wait_for_room(s) && write(STDOUT_FILENO, home, sizeof(home) - 1) < 0)
		return;
}

/* As `perf top --stdio | head` does: no error. The recorder blocks SIGPIPE, which would end us. */
static void forgive_closed_pipe(void)
{
	if (errno != EPIPE)
		return;
	__fpurge(stdout);
	clearerr(stdout);
}

/* As with ^C, the recording ends in order. */
static void end_recording(void)
{
	kill(getpid(), SIGINT);
}

/* @due: the frame's time has come; else only a key was pressed. False with errno: it could not be written. */
static bool draw(struct top_screen *s, bool due)
{
	struct top_profile *p = s->profile;
	g_autoptr(GString) frame = g_string_new(NULL);
	u32 above;

	turns_begin(&p->turns);
	top_profile_take(p);
	append_summary(s, frame);
	for (u32 i = 0; i < MIN(window(s).ws_col, 120u); i++)
		g_string_append_c(frame, '-');
	g_string_append_c(frame, '\n');
	append_keys(s, frame);
	above = append_waits(s, frame);
	if (p->ready)
		append_rows(s, above, frame);
	if (due && s->options.waits)
		top_waits_next_frame(s->options.waits);
	if (due)
		top_profile_next_frame(p);
	turns_end(&p->turns);
	clear(s);
	return put_lines(s, frame->str);
}

/* In a turn. */
static void obey(struct top_screen *s, char key)
{
	struct top_profile *p = s->profile;
	u32 rows = rows_wanted(s, 0);

	switch (key) {
	case 'd':
		s->options.delay = MAX(s->options.delay, 2) - 1;
		break;
	case 'D':
		s->options.delay++;
		break;
	case 'e':
		s->options.entries = MAX(rows, 2) - 1;
		break;
	case 'E':
		s->options.entries = rows + 1;
		break;
	case 'f':
		p->frozen = !p->frozen;
		break;
	case 'K':
		p->hide_kernel = !p->hide_kernel;
		top_profile_forget(p);
		break;
	case 'U':
		p->hide_user = !p->hide_user;
		top_profile_forget(p);
		break;
	case 'z':
		p->zero = !p->zero;
		break;
	case 'Z':
		top_profile_forget(p);
		break;
	case 'h':
	case '?':
		s->helps = !s->helps;
		break;
	case 'q':
	case 'Q':
	case 27: /* ESC */
		end_recording();
		break;
	}
}

static void read_keys(struct top_screen *s)
{
	char keys[64];
	ssize_t nr = read(STDIN_FILENO, keys, sizeof(keys));

	if (nr <= 0 && errno != EINTR)
		s->reads_keys = false; /* the terminal is gone */
	turns_begin(&s->profile->turns);
	/* An escape sequence, such as an arrow's, is not ESC. */
	if (nr == 1 || (nr > 1 && keys[0] != 27))
		for (ssize_t i = 0; i < nr; i++)
			obey(s, keys[i]);
	turns_end(&s->profile->turns);
}

enum frame { FRAME_DUE, FRAME_CHANGED, FRAME_LAST };

static u64 due_time(struct top_screen *s)
{
	u64 due;

	turns_begin(&s->profile->turns);
	due = top_profile_due(s->profile, (u64)s->options.delay * 1000000000);
	turns_end(&s->profile->turns);
	return due;
}

static enum frame wait_for_frame(struct top_screen *s)
{
	struct pollfd fds[] = { { s->stop, POLLIN, 0 },
				{ s->reads_keys ? STDIN_FILENO : -1, POLLIN, 0 } };
	u64 due, now;
	int nr;

	do {
		due = due_time(s);
		now = clock_ns(CLOCK_MONOTONIC);
		nr = poll(fds, ARRAY_SIZE(fds), due > now ? (int)((due - now) / 1000000 + 1) : 0);
	} while (!nr && due_time(s) > clock_ns(CLOCK_MONOTONIC));
	if (nr > 0 && fds[0].revents)
		return FRAME_LAST;
	if (nr <= 0 || !fds[1].revents)
		return FRAME_DUE;
	read_keys(s);
	return FRAME_CHANGED;
}

/* As with a wrong key: there will be no rows. perf top prints the error at its end. */
static bool has_failed(struct top_screen *s)
{
	bool failed;

	turns_begin(&s->profile->turns);
	failed = s->profile->error;
	turns_end(&s->profile->turns);
	return failed;
}

static gpointer show(gpointer arg)
{
	struct top_screen *s = arg;
	enum frame frame;

	do {
		frame = wait_for_frame(s);
		if (!draw(s, frame == FRAME_DUE))
			forgive_closed_pipe();
		else if (!has_failed(s))
			continue;
		if (frame != FRAME_LAST)
			end_recording();
		break;
	} while (frame != FRAME_LAST);
	return NULL;
}

/* Keys are read at once, and not echoed. */
static void take_keys(struct top_screen *s)
{
	struct termios raw;

	if (!s->on_terminal || tcgetattr(STDIN_FILENO, &s->before) ||
	    tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	s->has_before = true;
	raw = s->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	s->reads_keys = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void give_back(const struct top_screen *s)
{
	if (s->has_before)
		tcsetattr(STDIN_FILENO, TCSANOW, &s->before);
}

struct top_screen *top_screen_start(struct top_profile *profile,
				    const struct top_screen_options *options, GError **error)
{
	struct top_screen *s = g_new0(struct top_screen, 1);

	s->profile = profile;
	s->options = *options;
	s->stop = eventfd(0, EFD_CLOEXEC);
	s->on_terminal = isatty(STDOUT_FILENO);
	if (s->stop < 0) {
		error_set_errno(error, errno, "eventfd");
		g_free(s);
		return NULL;
	}
	take_keys(s);
	s->thread = g_thread_try_new("screen", show, s, error);
	if (!s->thread) {
		give_back(s);
		close(s->stop);
		g_clear_pointer(&s, g_free);
	}
	return s;
}

void top_screen_stop(struct top_screen *s)
{
	u64 one = 1;

	if (!s)
		return;
	while (write(s->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	g_thread_join(s->thread);
	give_back(s);
	close(s->stop);
	g_free(s);
}
