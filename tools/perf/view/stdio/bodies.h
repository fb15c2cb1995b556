/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages with their own text layout: that of upstream, or a timeline. */
#ifndef VIEW_STDIO_BODIES_H
#define VIEW_STDIO_BODIES_H

#include "view/view.h"

void stdio_print_type(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_code(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_code_beside(const struct page *page, const struct view_options *options,
			     FILE *out);
void stdio_print_types_beside(const struct page *page, const struct view_options *options,
			      FILE *out);
void stdio_print_why(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_type_stat(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_insn_stat(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_tasks(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_stats(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_timeline(const struct page *page, const struct view_options *options, FILE *out);
void stdio_print_critical(const struct page *page, const struct view_options *options, FILE *out);

/*
 * Prints part @part of an annotated row's value, as in the options, with a blank and colours. @column has shares, the
 * next one samples.
 */
void stdio_append_value(struct rows *rows, struct row row, u32 column, u32 part,
			const struct view_options *options, GString *line);

#endif
