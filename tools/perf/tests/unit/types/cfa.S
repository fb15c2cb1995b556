// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules for the CFA: by a register that DW_OP_breg0 to 31 name, by one that DW_OP_bregx names, by none of x86-64's, and by memory. */
	.text
	.globl main
	.type main, @function
main:
	.cfi_startproc
	nop
	.cfi_def_cfa 33, 24
	nop
	.cfi_def_cfa 127, -8
	nop
	.cfi_def_cfa 128, 8
	nop
	.cfi_escape 0x0f, 3, 0x77, 8, 0x06 /* DW_CFA_def_cfa_expression: DW_OP_breg7 8, DW_OP_deref */
	nop
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
