/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's runtime has its own stack for each thread, and functions that switch to it and back. After the switch, the rules
 * of such a function point to a wrong word for the return address: it is unrelated data of the other stack. On a
 * program's first thread it is left over from an earlier call. So there is no caller at these instructions:
 *
 *	runtime.systemstack	  ...			 CFA is rsp + 8
 *				  mov (g0's sp), %rsp	 "
 *				  call *%rdi		 no caller: the runtime's stack begins here
 *				  mov (curg's sp), %rsp	 "
 *				  ret			 CFA is rsp + 8
 *
 * The chainer follows frame pointers from there to the goroutine's stack.
 */
#ifndef CHAINS_GO_STACKS_H
#define CHAINS_GO_STACKS_H

#include "dso/image.h"
#include "unwind/cfi.h"

/*
 * If @image is a Go program with symbols, tells @cfi where there is no caller. Call it directly after cfi_open() and
 * cfi_keep().
 */
void go_stacks_tell(const struct image *image, struct cfi *cfi);

#endif
