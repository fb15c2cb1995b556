/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel has and its modules call. */
	.text
	.globl _stext, _text
	.type _stext, @function
_text:
_stext:
	nop
	.balign 16
	.irp reg, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	.globl __x86_indirect_thunk_\reg
	.type __x86_indirect_thunk_\reg, @function
__x86_indirect_thunk_\reg:
	jmp *%\reg
	.size __x86_indirect_thunk_\reg, . - __x86_indirect_thunk_\reg
	.balign 16
	.endr
	.globl __x86_return_thunk
	.type __x86_return_thunk, @function
__x86_return_thunk:
	ret
	int3
	.size __x86_return_thunk, . - __x86_return_thunk
	.globl __fentry__
	.type __fentry__, @function
__fentry__:
	ret
	.size __fentry__, . - __fentry__
	.globl __SCT__pick_queue
	.type __SCT__pick_queue, @function
__SCT__pick_queue:
	jmp get_device
	.size __SCT__pick_queue, . - __SCT__pick_queue
	.section .note.GNU-stack, "", @progbits
