/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request to a disk that ended a wait, and where it was during the wait:
 *
 *	out		       inserted		     issued		     woken
 *	| before its request	| in its queue	      | in the device	      |
 *
 * Before its request: limits of a control group hold it back, another request comes first, or the queue has no room. In its queue: the
 * kernel's I/O scheduler has it. In the device: until the thread is woken.
 */
#ifndef RECORD_REQUEST_H
#define RECORD_REQUEST_H

#include "base/types.h"

#define REQUEST_PARTS 3

struct offcpu_request; /* bpf/offcpu.h */

struct request_part {
	u64 from, to;	   /* CLOCK_MONOTONIC, ns; from < to */
	const char *where; /* ", in the device"; "": not known, or there is no request */
};

/* "disk vda, write". NULL: there is no request. To free. */
char *request_text(const struct offcpu_request *request);

/* Splits a wait from @out to @to. Returns the number of parts, which have no gaps: 0 for a wait without length. */
u32 request_parts(const struct offcpu_request *request, u64 out, u64 to,
		  struct request_part parts[REQUEST_PARTS]);

#endif
