/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements of perfdata/skid.h that are kept until the next boot: one file per kind of event in the user's folder of
 * base/runtime.h. A file is valid for the boot, kernel and CPU that its first lines name. A file that is not this
 * user's, that others may write, or that has other content than skid_kept_put() writes, is ignored.
 */
#ifndef RECORD_SKID_KEPT_H
#define RECORD_SKID_KEPT_H

#include "perfdata/info.h"
#include "perfdata/skid.h"

/* Names this boot, kernel and CPU; NULL: not known. @host: perfdata_info_of_host(). g_free(). */
char *skid_kept_machine(const struct perfdata_info *host);

/* @machine: skid_kept_machine(). False: nothing is kept for it, or it is NULL. */
bool skid_kept_find(const char *machine, enum skid_kind kind, struct skid_measure *out);
/* Does nothing if @machine is NULL. If the file cannot be written, the next recording measures again. */
void skid_kept_put(const char *machine, enum skid_kind kind, const struct skid_measure *m);

#endif
