/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of processes differ between pid namespaces. BPF programs see those of the initial namespace. A recorder
 * in a container needs those of its own /proc: bpf/numbers.h translates.
 */
#ifndef RECORD_BASE_PID_NAMESPACE_H
#define RECORD_BASE_PID_NAMESPACE_H

#include "base/types.h"

/*
 * Id (inode number) of the recorder's pid namespace. 0: no translation: it is the initial namespace, or /proc is
 * another namespace's.
 */
u32 pid_namespace_own(void);

/* The recorder's pid, as in /proc. */
u32 pid_namespace_self(void);

#endif
