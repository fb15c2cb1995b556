/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts header feature sections to struct perfdata_info and back. Internal to perfdata/. */
#ifndef PERFDATA_FEATURES_H
#define PERFDATA_FEATURES_H

#include "perfdata/info.h"

/*
 * Decodes the section of feature @feat into @info and marks it as present. Takes a reference to @bytes. False: the
 * section is malformed; @part names the field at which it ended. Unknown features are kept raw, which is not a failure.
 */
bool feature_read(struct perfdata_info *info, u32 feat, GBytes *bytes, const char **part);

/* One entry of the build-id table, or the body of a BUILD_ID record. */
struct info_build_id *info_add_build_id_entry(struct perfdata_info *info, u32 pid, u16 misc);

/* Frees a struct info_domain. */
void info_domain_free(void *domain);

/* Decodes the payload of a PERFDATA_EXT_NOTES extension. It replaces the present notes. */
bool notes_read(struct perfdata_info *info, const void *data, u64 size);
void notes_write(const struct perfdata_info *info, GByteArray *out);

/* Appends the section of feature @feat. False: there is no encoder and there are no raw bytes; nothing is appended. */
bool feature_write(const struct perfdata_info *info, u32 feat, GByteArray *out);

#endif
