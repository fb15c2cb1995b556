/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: which view draws what a command answers. */
#ifndef OPTIONS_FORMAT_OPTION_H
#define OPTIONS_FORMAT_OPTION_H

#include "cli/options.h"
#include "view/view.h"

#define FORMAT_OPTION_ROW(at)                                                                      \
	{                                                                                          \
		0, "format", OPT_STRING, "format",                                                 \
			"Output format, for people (stdio) or for programs:", at,                  \
			.words = view_names                                                        \
	}

#endif
