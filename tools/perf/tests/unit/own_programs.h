/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For units that open sessions of recordings in the tree again and again, as at each key of a screen. The recorded libraries may be those
 * of this machine, and have debug information in /usr/lib/debug. What is tested is the same without it, and inflating it took two
 * thirds of the time. tests.mk links the units that include this with --wrap.
 */
#ifndef UNIT_OWN_PROGRAMS_H
#define UNIT_OWN_PROGRAMS_H

#include "dso/dsos.h"

#define NO_FOLDER "/nonexistent"

struct dsos *__real_dsos_new(const struct dso_options *options);
struct dsos *__wrap_dsos_new(const struct dso_options *options);
struct dsos *__real_dsos_new_beside(struct dsos *first, const struct dso_options *options);
struct dsos *__wrap_dsos_new_beside(struct dsos *first, const struct dso_options *options);

struct dsos *__wrap_dsos_new(const struct dso_options *options)
{
	struct dso_options own = options ? *options : (struct dso_options){ 0 };

	own.debug_dir = NO_FOLDER;
	return __real_dsos_new(&own);
}

struct dsos *__wrap_dsos_new_beside(struct dsos *first, const struct dso_options *options)
{
	struct dso_options own = options ? *options : (struct dso_options){ 0 };

	own.debug_dir = NO_FOLDER;
	return __real_dsos_new_beside(first, &own);
}

#endif
