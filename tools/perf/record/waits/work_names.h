/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the functions of works (bpf/work.h), by /proc/kallsyms, which is read when the first one is asked for. */
#ifndef RECORD_WORK_NAMES_H
#define RECORD_WORK_NAMES_H

#include "base/types.h"

struct work_names;

/* Borrows @kallsyms, the file's path. */
struct work_names *work_names_new(const char *kallsyms);
void work_names_free(struct work_names *names);

/*
 * The function that begins at @address. NULL: there is none, or the kernel does not show addresses (kernel.kptr_restrict). Valid as long
 * as @names.
 */
const char *work_names_find(struct work_names *names, u64 address);

#endif
