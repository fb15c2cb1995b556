// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/memory.h"

#include "base/clock.h"
#include "base/text.h"
#include "term/private.h"

struct memory_screen {
	struct screen screen;
	GArray *events; /* struct event_of_test */
	u32 next;
	struct glyph *shown;
	u32 shown_rows, shown_columns;
	GArray *costs; /* u64 */
	u64 since;     /* ns of CPU time at the last input */
	u32 later;     /* calls until the interrupt; UINT32_MAX: none */
};

/* A key, a new size, or ^C during long work. */
struct event_of_test {
	u32 key, rows, columns;
	bool interrupt;
};

static struct memory_screen *of(struct screen *s)
{
	return container_of(s, struct memory_screen, screen);
}

static const struct memory_screen *of_const(const struct screen *s)
{
	return container_of(s, struct memory_screen, screen);
}

static void show(struct screen *s)
{
	struct memory_screen *m = of(s);

	g_free(m->shown);
	m->shown = g_memdup2(s->glyphs, sizeof(struct glyph) * ((gsize)s->rows * s->columns + 1));
	m->shown_rows = s->rows;
	m->shown_columns = s->columns;
}

static const struct event_of_test *event_at(const struct memory_screen *m)
{
	return &g_array_index(m->events, struct event_of_test, m->next);
}

static bool interrupted(struct screen *s)
{
	struct memory_screen *m = of(s);

	if (m->later != UINT32_MAX && !m->later--)
		return true;
	if (m->next == m->events->len || !event_at(m)->interrupt)
		return false;
	m->next++;
	return true;
}

static struct screen_input wait_for(struct screen *s, int timeout_ms)
{
	struct memory_screen *m = of(s);
	const struct event_of_test *e;
	u64 cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - m->since;

	g_array_append_val(m->costs, cost);
	m->since = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (m->next < m->events->len && event_at(m)->interrupt)
		m->next++;
	if (m->next == m->events->len)
		return (struct screen_input){ timeout_ms < 0 ? INPUT_END : INPUT_NONE };
	e = event_at(m);
	m->next++;
	if (!e->rows)
		return (struct screen_input){ INPUT_KEY, e->key };
	screen_resize(s, e->rows, e->columns);
	return (struct screen_input){ INPUT_REDRAW };
}

static void memory_free(struct screen *s)
{
	struct memory_screen *m = of(s);

	screen_release(s);
	g_array_unref(m->events);
	g_array_unref(m->costs);
	g_free(m->shown);
	g_free(m);
}

static const struct screen_ops ops = { show, NULL, wait_for, interrupted, memory_free };

struct screen *memory_screen_new(u32 rows, u32 columns)
{
	struct memory_screen *m = g_new0(struct memory_screen, 1);

	m->screen.ops = &ops;
	m->events = g_array_new(FALSE, FALSE, sizeof(struct event_of_test));
	m->costs = g_array_new(FALSE, FALSE, sizeof(u64));
	m->since = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	m->later = UINT32_MAX;
	screen_resize(&m->screen, rows, columns);
	return &m->screen;
}

void memory_screen_press(struct screen *s, u32 key)
{
	const struct event_of_test e = { .key = key };

	g_array_append_val(of(s)->events, e);
}

void memory_screen_resize(struct screen *s, u32 rows, u32 columns)
{
	const struct event_of_test e = { .rows = MAX(rows, 1), .columns = columns };

	g_array_append_val(of(s)->events, e);
}

void memory_screen_interrupt(struct screen *s)
{
	const struct event_of_test e = { .interrupt = true };

	g_array_append_val(of(s)->events, e);
}

const GArray *memory_screen_costs(const struct screen *s)
{
	return of_const(s)->costs;
}

void memory_screen_interrupt_later(struct screen *s, u32 nr)
{
	of(s)->later = nr;
}

static const struct glyph *shown_at(const struct memory_screen *m, u32 row, u32 column)
{
	return &m->shown[row * m->shown_columns + column];
}

static bool is_blank(const struct glyph *g)
{
	return g->base == ' ' && !g->reverse;
}

static u32 length_of(const struct memory_screen *m, u32 row)
{
	u32 length = m->shown_columns;

	while (length && is_blank(shown_at(m, row, length - 1)))
		length--;
	return length;
}

void memory_screen_print(const struct screen *s, GString *out)
{
	const struct memory_screen *m = of_const(s);

	for (u32 row = 0; row < m->shown_rows; row++) {
		size_t start = out->len;

		for (u32 c = 0; c < m->shown_columns; c++)
			glyph_append(shown_at(m, row, c), false, out);
		while (out->len > start && out->str[out->len - 1] == ' ')
			g_string_truncate(out, out->len - 1);
		g_string_append_c(out, '\n');
	}
}

void memory_screen_print_inks(const struct screen *s, GString *out)
{
	const struct memory_screen *m = of_const(s);

	for (u32 row = 0; row < m->shown_rows; row++) {
		u32 length = length_of(m, row);
		u32 ink = INK_PLAIN;
		bool reverse = false;

		for (u32 c = 0; c < length; c++) {
			const struct glyph *g = shown_at(m, row, c);

			if (g->ink != ink || g->reverse != reverse) {
				g_string_append(out, ink != INK_PLAIN ? "}" : "");
				g_string_append(out, g->reverse == reverse ? ""
						     : g->reverse	   ? "{>"
									   : "<}");
				if (g->ink != INK_PLAIN)
					g_string_append_printf(out, "{%s:", ink_name(g->ink));
				ink = g->ink;
				reverse = g->reverse;
			}
			glyph_append(g, false, out);
		}
		g_string_append_printf(out, "%s%s\n", ink != INK_PLAIN ? "}" : "",
				       reverse ? "<}" : "");
	}
}
