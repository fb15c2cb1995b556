// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables whose location is a sum or a difference: compilers write the address itself, but DWARF allows both. */
	.text
	.globl main
	.type main, @function
main:
	ret
	.size main, . - main
	.data
	.globl table
	.type table, @object
table:
	.zero 12
	.size table, 12

	.section .debug_abbrev, "", @progbits
	.uleb128 1
	.uleb128 0x11, 1 /* DW_TAG_compile_unit, with children */
	.uleb128 0x03, 0x08, 0x13, 0x0b, 0, 0 /* DW_AT_name: string, DW_AT_language: data1 */
	.uleb128 2
	.uleb128 0x24, 0 /* DW_TAG_base_type */
	.uleb128 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0 /* name, DW_AT_byte_size, DW_AT_encoding: data1 */
	.uleb128 3
	.uleb128 0x34, 0 /* DW_TAG_variable */
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0 /* name, type: ref4, location: exprloc */
	.byte 0

	.section .debug_info, "", @progbits
unit:
	.long end - begin
begin:
	.value 5
	.byte 1, 8
	.long 0
	.uleb128 1
	.string "sums.S"
	.byte 0x1d /* C11 */
number:
	.uleb128 2
	.string "number"
	.byte 4, 5 /* signed */
	.uleb128 3
	.string "first"
	.long number - unit
	.uleb128 11
	.byte 0x03 /* DW_OP_addr */
	.quad table + 4
	.byte 0x34, 0x1c /* DW_OP_lit4, DW_OP_minus */
	.uleb128 3
	.string "second"
	.long number - unit
	.uleb128 11
	.byte 0x03
	.quad table
	.byte 0x34, 0x22 /* DW_OP_lit4, DW_OP_plus */
	.uleb128 3
	.string "third"
	.long number - unit
	.uleb128 11
	.byte 0x38, 0x03 /* DW_OP_lit8, DW_OP_addr */
	.quad table
	.byte 0x22 /* DW_OP_plus */
	.byte 0
end:
	.section .note.GNU-stack, "", @progbits
