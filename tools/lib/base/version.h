/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which perf is this, and what was it built with. The build generates both answers. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include <stdbool.h>

/* "0.1.0", with ".g<commit>" behind it where the tree is a git clone. */
extern const char version_text[];

struct build_feature {
	const char *name; /* as the probes call it: "libzstd" */
	bool on;
	const char *what; /* what it brings, or what brings it */
};

/* Every feature that a build may lack, a NULL name at the end. */
extern const struct build_feature build_features[];

#endif
