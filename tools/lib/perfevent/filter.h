/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of tracepoints: expressions over the fields of an event, such as `prev_pid > 0 && prev_comm ~ "ba*"`. The
 * kernel evaluates them at each hit, and records only hits for which they are true. It refuses a wrong one without
 * saying why: filter_problem() finds the reason.
 */
#ifndef PERFEVENT_FILTER_H
#define PERFEVENT_FILTER_H

/* Both must be true. Frees @first, which may be NULL; the caller frees the result. */
char *filter_and(char *first, const char *second);

/*
 * What is wrong with @filter for the event whose format file has the text @format: a clause for a message, freed by the
 * caller; NULL: nothing was found.
 */
char *filter_problem(const char *filter, const char *format);

#endif
