// SPDX-License-Identifier: GPL-2.0-or-later
/* The tool why: critical paths of requests. */
#include "ask/ask_private.h"

#include "critical/critical.h"
#include "pages/critical/critical_pages.h"

/* Smaller rows say nothing. */
#define LEAST 0.5 /* percent */

static bool take_slowest(const struct asking *a, double *out, GError **error)
{
	const char *text = asking_argument(a, "slowest");
	char *end;

	*out = CRITICAL_SLOWEST;
	if (!text)
		return true;
	*out = g_ascii_strtod(text, &end);
	if (*end || !(*out > 0 && *out < 100))
		return error_set(error, PERF_ERROR_USAGE,
				 "slowest: '%s': expected a percentage between 0 and 100", text);
	return true;
}

static bool add(struct asking *a, struct critical *c, double slowest, GError **error)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new();
	struct pages *pages = critical_pages_new(
		critical_answer(c), &(struct critical_pages_options){ .session = a->file->session,
								      .slowest = slowest,
								      .least = LEAST });
	bool ok;

	g_ptr_array_add(keys, (void *)"span");
	ok = asking_add_pages(a, pages, &(struct answer_look){ .keys = keys }, error);
	pages_free(pages);
	return ok;
}

bool tool_why(struct asking *a, GError **error)
{
	/* Each instance is one, so ids are not joined: a report of its own. */
	struct report_options options = a->file->options;
	struct report r = { .options = &options, .session = a->file->session };
	struct critical *c = NULL;
	double slowest;
	bool ok;

	if (!take_slowest(a, &slowest, error))
		return false;
	options.critical = asking_argument(a, "span") ?: "*";
	ok = report_settle(&r, error);
	if (ok) {
		r.lexicon->max_ids = 0;
		c = critical_new(&(struct critical_options){ .lexicon = r.lexicon,
							     .what = options.critical,
							     .slowest = slowest },
				 error);
	}
	ok = c && add(a, c, slowest, error);
	critical_free(c);
	report_release(&r);
	return ok;
}
