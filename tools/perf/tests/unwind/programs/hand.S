/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions by hand, with call-frame information that compilers do not write. Each calls its first argument with its second.
 */
	.text

/* rsp moves within the function. */
	.globl	hand_pushes
	.type	hand_pushes, @function
hand_pushes:
	.cfi_startproc
	endbr64
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	movq	%rdi, %rbx
	pushq	$1
	.cfi_adjust_cfa_offset 8
	pushq	$2
	.cfi_adjust_cfa_offset 8
	movq	%rsi, %rdi
	call	*%rbx
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size	hand_pushes, .-hand_pushes

/* An end in the middle, behind which the state before it is valid again. */
	.globl	hand_two_ends
	.type	hand_two_ends, @function
hand_two_ends:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register rbp
	subq	$48, %rsp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	testq	$1, %rsi
	jz	1f
	call	*%rax
	.cfi_remember_state
	leave
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_restore_state
1:	call	*%rax
	leave
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	hand_two_ends, .-hand_two_ends

/* The frame is known by rbx, rsp is aligned. */
	.globl	hand_by_rbx
	.type	hand_by_rbx, @function
hand_by_rbx:
	.cfi_startproc
	endbr64
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movq	%rsp, %rbx
	.cfi_def_cfa_register rbx
	andq	$-128, %rsp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	call	*%rax
	movq	%rbx, %rsp
	.cfi_def_cfa_register rsp
	popq	%rbx
	.cfi_def_cfa_offset 8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size	hand_by_rbx, .-hand_by_rbx

/* The caller's rbp is in r12, while rbp is a number that is no address. */
	.globl	hand_in_register
	.type	hand_in_register, @function
hand_in_register:
	.cfi_startproc
	endbr64
	pushq	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset r12, -16
	movq	%rbp, %r12
	.cfi_register rbp, r12
	movl	$42, %ebp
	movq	%rdi, %rax
	movq	%rsi, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	*%rax
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	movq	%r12, %rbp
	.cfi_restore rbp
	popq	%r12
	.cfi_def_cfa_offset 8
	.cfi_restore r12
	ret
	.cfi_endproc
	.size	hand_in_register, .-hand_in_register

/* Where the frame is stands at rsp + 8: DW_CFA_def_cfa_expression { DW_OP_breg7 8, DW_OP_deref }. */
	.globl	hand_by_expression
	.type	hand_by_expression, @function
hand_by_expression:
	.cfi_startproc
	endbr64
	leaq	8(%rsp), %rax
	movq	%rsp, %rdx
	.cfi_def_cfa rax, 0
	andq	$-64, %rsp
	subq	$64, %rsp
	movq	%rax, 8(%rsp)
	.cfi_escape 0x0f, 3, 0x77, 8, 0x06
	movq	%rdi, %rdx
	movq	%rsi, %rdi
	call	*%rdx
	movq	8(%rsp), %rdx
	leaq	-8(%rdx), %rsp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	hand_by_expression, .-hand_by_expression

	.section .note.GNU-stack, "", @progbits
