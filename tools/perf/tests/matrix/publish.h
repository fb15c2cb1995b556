/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How workloads/schedule.c publishes where it does not do so by libactivity. */
#ifndef MATRIX_PUBLISH_H
#define MATRIX_PUBLISH_H

#ifndef PUBLISHER_DLOPEN
/* 16 bytes of trace id and 8 of span id are the calling thread's activity; a NULL trace: none. */
void publish(const void *trace, const void *span);

/* The same, left in the middle: a reader must say that it is being updated. */
void publish_half(const void *trace, const void *span);
#endif

#endif
