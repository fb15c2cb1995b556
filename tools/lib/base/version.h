/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version and the build features. The build generates the file that defines them. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include <stdbool.h>

/* "0.1.0"; in a git clone "0.1.0.g<commit>". */
extern const char version_text[];

struct build_feature {
	const char *name; /* as in the build's probes: "libzstd" */
	bool on;
	/* what the feature is for; if the build lacks it: the package that provides it */
	const char *what;
};

/* All optional features. The last element has a NULL name. */
extern const struct build_feature build_features[];

#endif
