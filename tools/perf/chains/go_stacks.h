/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's runtime has a stack of its own for each thread, and functions that change to it and back. Behind the change the word where their
 * rules look for the return address is whatever the other stack has there: on a program's first thread, what an earlier call
 * left behind.
 *
 *	runtime.systemstack	  ...			 CFA is rsp + 8
 *				  mov (g0's sp), %rsp	 "
 *				  call *%rdi		 no caller: the runtime's stack begins here
 *				  mov (curg's sp), %rsp	 "
 *				  ret			 CFA is rsp + 8
 *
 * Where frame pointers lead on to the goroutine that asked is the chainer's business.
 */
#ifndef CHAINS_GO_STACKS_H
#define CHAINS_GO_STACKS_H

#include "dso/image.h"
#include "unwind/cfi.h"

/* Directly after cfi_open() and cfi_keep(): tells @cfi of these places, if @image is a Go program with symbols. */
void go_stacks_tell(const struct image *image, struct cfi *cfi);

#endif
