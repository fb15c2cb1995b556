// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The BPF program writes what activity/layout.c reads, but cannot include its headers. Static
 * assertions here compare the numbers and structs of bpf/sample_tls.h with those of the reader.
 */
#include <glib.h>
#include <linux/types.h>

#include "activity/cpu_context.h"
#include "activity/layout.h"
#include "bpf/sample_tls.h"

#define SAME(written, read) G_STATIC_ASSERT((int)(written) == (int)(read))

SAME(SAMPLE_TLS_WINDOW_DEFAULT, ACTIVITY_WINDOW_DEFAULT);
SAME(SAMPLE_TLS_WINDOW_MAX, ACTIVITY_WINDOW_MAX);

SAME(SAMPLE_TLS_FRAME_VERSION, ACTIVITY_FRAME_VERSION);
SAME(sizeof(struct sample_tls_frame), sizeof(struct activity_frame));
SAME(offsetof(struct sample_tls_frame, size), offsetof(struct activity_frame, size));
SAME(offsetof(struct sample_tls_frame, version), offsetof(struct activity_frame, version));
SAME(offsetof(struct sample_tls_frame, nr), offsetof(struct activity_frame, nr));
SAME(offsetof(struct sample_tls_frame, context), offsetof(struct activity_frame, context));

SAME(sizeof(struct sample_tls_entry), sizeof(struct activity_entry));
SAME(offsetof(struct sample_tls_entry, number), offsetof(struct activity_entry, publisher));
SAME(offsetof(struct sample_tls_entry, format), offsetof(struct activity_entry, format));
SAME(offsetof(struct sample_tls_entry, state), offsetof(struct activity_entry, state));
SAME(offsetof(struct sample_tls_entry, cut), offsetof(struct activity_entry, cut));
SAME(offsetof(struct sample_tls_entry, size), offsetof(struct activity_entry, size));
SAME(offsetof(struct sample_tls_entry, mark), offsetof(struct activity_entry, mark));

SAME(SAMPLE_TLS_NONE, ACTIVITY_NONE);
SAME(SAMPLE_TLS_OK, ACTIVITY_OK);
SAME(SAMPLE_TLS_UPDATING, ACTIVITY_UPDATING);
SAME(SAMPLE_TLS_UNREADABLE, ACTIVITY_UNREADABLE);
SAME(SAMPLE_TLS_NOT_YET, ACTIVITY_NOT_YET);

SAME(SAMPLE_TLS_IN_UNKNOWN, CPU_IN_UNKNOWN);
SAME(SAMPLE_TLS_IN_TASK, CPU_IN_TASK);
SAME(SAMPLE_TLS_IN_SOFTIRQ, CPU_IN_SOFTIRQ);
SAME(SAMPLE_TLS_IN_HARDIRQ, CPU_IN_HARDIRQ);
SAME(SAMPLE_TLS_IN_NMI, CPU_IN_NMI);

SAME(SAMPLE_TLS_UNSOUGHT, ACTIVITY_UNSOUGHT);
SAME(SAMPLE_TLS_UNREAD, ACTIVITY_UNREAD);

SAME(SAMPLE_TLS_OBI_FORMAT, ACTIVITY_OBI);
SAME(SAMPLE_TLS_TEXT_CUT, ACTIVITY_TEXT_CUT);
