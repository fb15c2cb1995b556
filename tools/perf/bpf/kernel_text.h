/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by kernel_text.bpf.c and record/kernel_reader.c. */
#ifndef BPF_KERNEL_TEXT_H
#define BPF_KERNEL_TEXT_H

#define KERNEL_TEXT_PIECE 4096 /* bytes that one run of the program copies at most */

#endif
