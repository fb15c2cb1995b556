// SPDX-License-Identifier: GPL-2.0-or-later
/* Go's compiler states the place of one word of an interface as that of all its 16 bytes; with both words, it states pieces. */
	.text
	.globl main
	.type main, @function
main:
	nop
	nop
	ret
	.size main, . - main

	.section .debug_abbrev, "", @progbits
	.uleb128 1
	.uleb128 0x11, 1 /* DW_TAG_compile_unit, with children */
	/* DW_AT_name: string, DW_AT_language: data1, DW_AT_low_pc: addr, DW_AT_high_pc: data8 */
	.uleb128 0x03, 0x08, 0x13, 0x0b, 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 2
	.uleb128 0x13, 0 /* DW_TAG_structure_type */
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0, 0 /* name, DW_AT_byte_size: data1 */
	.uleb128 3
	.uleb128 0x2e, 1 /* DW_TAG_subprogram, with children */
	/* name, low_pc, high_pc, DW_AT_frame_base: exprloc */
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x40, 0x18, 0, 0
	.uleb128 4
	.uleb128 0x34, 0 /* DW_TAG_variable */
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x17, 0, 0 /* name, type: ref4, location: sec_offset */
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long end - begin
begin:
	.value 4
	.long 0
	.byte 8
	.uleb128 1
	.string "words.S"
	.byte 0x16 /* DW_LANG_Go */
	.quad main, 3
shape:
	.uleb128 2
	.string "main.shape"
	.byte 16
word:
	.uleb128 2
	.string "main.word"
	.byte 8
	.uleb128 3
	.string "main"
	.quad main, 3
	.uleb128 1
	.byte 0x9c /* DW_OP_call_frame_cfa */
	.uleb128 4
	.string "part"
	.long shape - unit, 0
	.uleb128 4
	.string "both"
	.long shape - unit, both - part
	.uleb128 4
	.string "small"
	.long word - unit, part - part
	.byte 0, 0
end:

	.section .debug_loc, "", @progbits
part: /* two places of the second word, as of the whole */
	.quad 0, 1
	.value 1
	.byte 0x50 /* DW_OP_reg0 */
	.quad 1, 3
	.value 2
	.byte 0x91, 0x70 /* DW_OP_fbreg -16 */
	.quad 0, 0
both:
	.quad 0, 3
	.value 6
	.byte 0x50, 0x93, 8, 0x53, 0x93, 8 /* DW_OP_reg0, DW_OP_piece 8, DW_OP_reg3, DW_OP_piece 8 */
	.quad 0, 0
	.section .note.GNU-stack, "", @progbits
