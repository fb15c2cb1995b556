/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a mapping, while its process still runs. A record of a mapping is read some time after the mapping was
 * made: another file may have the name by then (a program was built again), and another file may be mapped at the same
 * addresses (dlclose(), then dlopen()).
 */
#ifndef RECORD_BASE_MAPPED_FILE_H
#define RECORD_BASE_MAPPED_FILE_H

#include "perfdata/event.h"

/*
 * Opens the file of @map, through the mapping itself (PROC/PID/map_files) if that is permitted, or as the process's
 * program (PROC/PID/exe), else by its name. The
 * caller closes the result. -1: it cannot be found, or it is no regular file.
 */
int mapped_file_open(const char *proc, const struct event_mmap *map);

#endif
