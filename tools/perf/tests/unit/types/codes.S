// SPDX-License-Identifier: GPL-2.0-or-later
/* Compilers number abbreviations from 1 on. Any number is valid: two of these have large ones. */
	.text
	.globl main
	.type main, @function
main:
	ret
	.size main, . - main
	.data
	.globl far
	.type far, @object
far:
	.long 0
	.size far, 4

	.section .debug_abbrev, "", @progbits
	.uleb128 1
	.uleb128 0x11, 1 /* DW_TAG_compile_unit, with children */
	.uleb128 0x03, 0x08, 0x13, 0x0b, 0, 0 /* DW_AT_name: string, DW_AT_language: data1 */
	.uleb128 0x10002
	.uleb128 0x24, 0 /* DW_TAG_base_type */
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0 /* name, DW_AT_byte_size, DW_AT_encoding: data1 */
	.uleb128 0x4000000
	.uleb128 0x34, 0 /* DW_TAG_variable */
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x3f, 0x19, 0x02, 0x18, 0, 0 /* name, type: ref4, external, location: exprloc */
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long end - begin
begin:
	.value 5
	.byte 1, 8
	.long 0
	.uleb128 1
	.string "codes.S"
	.byte 0x1d /* C11 */
number:
	.uleb128 0x10002
	.string "number"
	.byte 4, 5 /* signed */
	.uleb128 0x4000000
	.string "far"
	.long number - unit
	.uleb128 9
	.byte 0x03 /* DW_OP_addr */
	.quad far
	.byte 0
end:
	.section .note.GNU-stack, "", @progbits
