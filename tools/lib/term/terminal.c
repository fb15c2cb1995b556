// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * S-Lang finds the changes on the screen and sends them. Keys are not read by S-Lang but here (keys.h): after a single
 * ESC, S-Lang's reader waits forever, and after an unknown sequence, it drops keys.
 */
#include "term/terminal.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <slang.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "term/keys.h"
#include "term/private.h"
#include "term/restore.h"

#define ESC_MS	     50 /* ESC without a further byte for this time is a key */
#define NR_OBJECTS   (2 * INK_NR)
#define RICH_COLOURS 256

struct terminal {
	struct screen screen;
	struct termios before;
	int wake_fd; /* from restore_begin() */
	bool utf8, all_anew;
	u8 bytes[512]; /* typed, but not decoded yet */
	u32 nr_bytes;
	GArray *typed; /* u32: keys that screen_interrupted() has read and kept */
	GString *run;  /* cells with the same attributes, as text */
};

static struct terminal *of(struct screen *s)
{
	return container_of(s, struct terminal, screen);
}

bool terminal_is_built(void)
{
	return true;
}

static int object_of(const struct glyph *g)
{
	/* S-Lang uses colour object 0 for blanks: it must be plain. */
	return g->ink * 2 + g->reverse;
}

static void set_colour(int object, const struct ink_look *look, bool reverse, bool rich)
{
	const char *front = look->front ?: "default";
	const char *back = (rich && look->rich_back ? look->rich_back : look->back) ?: "default";
	SLtt_Char_Type marks = 0;

	SLtt_set_color(object, NULL, (char *)front, (char *)back);
	if (look->bold_colour)
		marks |= SLTT_BOLD_MASK;
	if (reverse)
		marks |= SLTT_REV_MASK;
	if (marks)
		SLtt_add_color_attribute(object, marks);
	marks = (look->bold ? SLTT_BOLD_MASK : 0) | (look->reverse != reverse ? SLTT_REV_MASK : 0);
	SLtt_set_mono(object, NULL, marks);
}

static void set_colours(void)
{
	const char *none = getenv("NO_COLOR");
	bool rich = SLtt_tgetnum("Co") >= RICH_COLOURS;

	if (none && *none)
		SLtt_Use_Ansi_Colors = 0;
	for (int object = 0; object < NR_OBJECTS; object++)
		set_colour(object, ink_look((enum ink)(object / 2)), object % 2, rich);
}

static void take_size(struct terminal *t)
{
	struct winsize size;

	if (ioctl(SLang_TT_Read_FD, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		SLtt_get_screen_size();
	else {
		SLtt_Screen_Rows = size.ws_row;
		SLtt_Screen_Cols = size.ws_col;
	}
	SLtt_Screen_Rows = CLAMP(SLtt_Screen_Rows, 1, SCREEN_MAX);
	SLtt_Screen_Cols = CLAMP(SLtt_Screen_Cols, 1, SCREEN_MAX);
	screen_resize(&t->screen, (u32)SLtt_Screen_Rows, (u32)SLtt_Screen_Cols);
}

/* Makes ^C, ^Z, ^S and ^Q keys. If S-Lang fails, it leaves signals blocked: unblocks them. */
static bool begin_input(void)
{
	if (SLang_init_tty(0, 1, 0) < 0) {
		SLsig_unblock_signals();
		return false;
	}
	SLang_TT_Write_FD = SLang_TT_Read_FD;
	return true;
}

/* Sends runs of cells with the same attributes at once. */
static void show_row(struct terminal *t, u32 row)
{
	const struct glyph *glyphs = &t->screen.glyphs[row * t->screen.columns];
	u32 from = 0, nr = t->screen.columns;

	/* Writing the last cell of the screen may scroll the terminal, so S-Lang does not write it. */
	if (row == t->screen.rows - 1)
		nr--;
	while (from < nr) {
		u32 to = from;

		g_string_truncate(t->run, 0);
		while (to < nr && object_of(&glyphs[to]) == object_of(&glyphs[from]))
			glyph_append(&glyphs[to++], !t->utf8, t->run);
		SLsmg_gotorc((int)row, (int)from);
		SLsmg_set_color((SLsmg_Color_Type)object_of(&glyphs[from]));
		SLsmg_write_nstring(t->run->str, to - from);
		from = to;
	}
}

static void show(struct screen *s)
{
	struct terminal *t = of(s);

	if (t->all_anew)
		SLsmg_touch_screen();
	t->all_anew = false;
	for (u32 row = 0; row < s->rows; row++)
		show_row(t, row);
	SLsmg_gotorc((int)s->rows - 1, (int)s->columns - 1);
	SLsmg_refresh();
}

static void repaint(struct screen *s)
{
	of(s)->all_anew = true;
}

/* Gives the terminal back to other programs. come_back() takes it again. */
static void leave(struct terminal *t)
{
	SLtt_set_cursor_visibility(1);
	SLsmg_suspend_smg();
	SLang_reset_tty();
	restore_pause(true);
}

static void come_back(struct terminal *t)
{
	begin_input();
	restore_pause(false);
	SLsmg_resume_smg();
	SLtt_set_cursor_visibility(0);
	take_size(t);
	SLsmg_reinit_smg();
	t->all_anew = true;
}

/* ^Z: stops the whole job (process group), as a shell expects. */
static void stop(struct terminal *t)
{
	leave(t);
	kill(0, SIGTSTP);
	come_back(t);
	restore_wakes();
}

/* The next key from the bytes that were read; -1: none. @over: no more bytes follow, see keys_decode(). */
static s64 next_key(struct terminal *t, bool over)
{
	u32 key = KEY_UNKNOWN, size = keys_decode(t->bytes, t->nr_bytes, over, &key);

	if (!size)
		return -1;
	t->nr_bytes -= size;
	memmove(t->bytes, t->bytes + size, t->nr_bytes);
	return key;
}

enum heard { HEARD_NOTHING, HEARD_BYTES, HEARD_WAKE, HEARD_END };

static enum heard hear(struct terminal *t, int timeout_ms)
{
	struct pollfd fds[] = { { SLang_TT_Read_FD, POLLIN }, { t->wake_fd, POLLIN } };
	ssize_t size;

	if (poll(fds, 2, timeout_ms) < 0)
		return errno == EINTR ? HEARD_WAKE : HEARD_END;
	if (fds[1].revents & POLLIN)
		return HEARD_WAKE;
	if (!fds[0].revents)
		return HEARD_NOTHING;
	size = read(fds[0].fd, t->bytes + t->nr_bytes, sizeof(t->bytes) - t->nr_bytes);
	if (size < 0 && (errno == EINTR || errno == EAGAIN))
		return HEARD_WAKE;
	if (size <= 0)
		return HEARD_END;
	t->nr_bytes += (u32)size;
	return HEARD_BYTES;
}

/* Must the screen be redrawn? */
static bool awake(struct terminal *t)
{
	struct wakes w = restore_wakes();

	if (w.continued) {
		leave(t);
		come_back(t);
	} else if (w.resized) {
		take_size(t);
		SLsmg_reinit_smg();
	}
	return w.continued || w.resized;
}

static struct screen_input wait_for(struct screen *s, int timeout_ms)
{
	struct terminal *t = of(s);

	if (t->typed->len) {
		u32 key = g_array_index(t->typed, u32, 0);

		g_array_remove_index(t->typed, 0);
		return (struct screen_input){ INPUT_KEY, key };
	}
	for (;;) {
		bool started = t->nr_bytes;
		s64 key = next_key(t, false);
		enum heard heard;

		if (key == KEY_CTRL('Z')) {
			stop(t);
			return (struct screen_input){ INPUT_REDRAW };
		}
		if (key >= 0)
			return (struct screen_input){ INPUT_KEY, (u32)key };
		heard = hear(t, started ? ESC_MS : timeout_ms);
		if (heard == HEARD_END)
			return (struct screen_input){ INPUT_END };
		if (heard == HEARD_WAKE && awake(t))
			return (struct screen_input){ INPUT_REDRAW };
		if (heard != HEARD_NOTHING)
			continue;
		if (!started)
			return (struct screen_input){ INPUT_NONE };
		key = next_key(t, true);
		if (key >= 0)
			return (struct screen_input){ INPUT_KEY, (u32)key };
	}
}

static bool interrupted(struct screen *s)
{
	struct terminal *t = of(s);
	s64 key;

	while (t->nr_bytes < sizeof(t->bytes) && hear(t, 0) == HEARD_BYTES)
		;
	while ((key = next_key(t, false)) >= 0) {
		u32 typed = (u32)key;

		if (key == KEY_CTRL('C'))
			return true;
		if (t->typed->len < sizeof(t->bytes))
			g_array_append_val(t->typed, typed);
	}
	return false;
}

static void terminal_free(struct screen *s)
{
	struct terminal *t = of(s);

	SLtt_set_cursor_visibility(1);
	SLsmg_reset_smg();
	SLang_reset_tty();
	restore_end();
	screen_release(s);
	g_array_unref(t->typed);
	g_string_free(t->run, TRUE);
	g_free(t);
}

static const struct screen_ops ops = { show, repaint, wait_for, interrupted, terminal_free };

static bool begin(struct terminal *t, GError **error)
{
	const char *term = getenv("TERM") ?: "";

	setlocale(LC_CTYPE, "");
	t->utf8 = SLutf8_enable(-1);
	SLsmg_Display_Eight_Bit = 256; /* without UTF-8, send no bytes above 0x7f */
	if (SLtt_initialize(NULL) < 0)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "the terminal (TERM='%s') cannot move the cursor: use --stdio",
				 term);
	if (tcgetattr(STDIN_FILENO, &t->before) && tcgetattr(STDOUT_FILENO, &t->before))
		return error_set_errno(error, errno, "cannot read the terminal's settings");
	if (!begin_input())
		return error_set(error, PERF_ERROR_SYSTEM,
				 "there is no terminal to read keys from: use --stdio");
	return true;
}

struct screen *terminal_open(GError **error)
{
	struct terminal *t;

	if (!isatty(STDOUT_FILENO)) {
		error_set(error, PERF_ERROR_UNSUPPORTED, "stdout is not a terminal: use --stdio");
		return NULL;
	}
	t = g_new0(struct terminal, 1);
	if (!begin(t, error)) {
		g_free(t);
		return NULL;
	}
	t->screen.ops = &ops;
	t->typed = g_array_new(FALSE, FALSE, sizeof(u32));
	t->run = g_string_new(NULL);
	t->wake_fd = restore_begin(SLang_TT_Read_FD, &t->before);
	take_size(t);
	set_colours();
	SLsmg_init_smg();
	SLtt_set_cursor_visibility(0);
	return &t->screen;
}
