/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that have a layout of their own as text, because upstream's have one, or time needs one. */
#ifndef VIEW_STDIO_BODIES_H
#define VIEW_STDIO_BODIES_H

#include "view/view.h"

void stdio_print_type(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_code(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_why(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_type_stat(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_insn_stat(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_tasks(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_stats(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_timeline(const struct page *page, const struct view_options *options, FILE *out);

/*
 * Part @part of an annotated row's value, as the options want it, a blank and colours included.
 * @column has shares, the one behind it samples.
 */
void stdio_append_value(struct rows *rows, struct row row, u32 column, u32 part,
			const struct view_options *options, GString *line);

#endif
