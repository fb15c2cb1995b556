/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The package of the distribution that has the debug information of an installed file. */
#ifndef DSO_PACKAGE_H
#define DSO_PACKAGE_H

#include <stdbool.h>

#include "dso/image.h"

struct debug_package {
	const char *install; /* the command before its name: "apt install" */
	char *name;	     /* "libc6-dbg"; package_clear() */
	bool in_archive; /* it is in an archive of debug packages, which few machines have among their sources */
};

/*
 * out: @found, the package for the file @path, as it is named below the folder @root ("": this machine). It is known
 *  - by the lists of dpkg and apk: /var/lib/dpkg/info/NAME.list, /lib/apk/db/installed;
 *  - for files of rpm by the section .note.package of @image (systemd's "Package Metadata for Executable Files"; Fedora
 *    since 36). NULL: there is no image.
 * False: it is not known. Reads the lists, some MB: ask only for what is shown.
 */
bool package_with_debug(const char *root, const char *path, const struct image *image,
			struct debug_package *found);
void package_clear(struct debug_package *package);

#endif
