#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording is read beside damaged copies of the program that it is of: symbols, DWARF,
# unwind tables, section and program headers.
set -u
. "$SRC/tools/perf/tests/hostile/common.bash"
runs=${HOSTILE_RUNS:-12}
data=$SRC/tools/perf/tests/data/orders

commands=(
	"report --stdio -g none --no-children -s type,typeoff,sym"
	"report --stdio -g none -s srcline,sym"
	"report --panels --format=json"
	"report --stdio -g caller -s dso,sym,srcfile"
	"annotate --stdio"
	"annotate --data-type --stdio"
	"annotate --data-type --type-stat --stdio"
	"script -F ip,sym,symoff,srcline,dso"
)
program=opt/orders/orders
plan 16
cp -r "$data" fs
# Without damage, the programs are read.
"$PERF" report --stdio -q -g none -s sym -f -i "$data/orders.data" --symfs "$data" 2>err | grep -q '%.* main$\|%.*place' &&
	pass "the program has symbols" || { cat err; fail "the program has symbols"; }
for section in "" .debug_info .debug_abbrev .debug_line .debug_loclists .debug_rnglists .debug_str .symtab .eh_frame; do
	for ((seed = 1; seed <= runs; seed++)); do
		damage "$data/$program" "fs/$program" "$seed" $section || continue
		judge "program$section-$seed" "$damage" "fs/$program" \
			${commands[seed % ${#commands[@]}]} -f -i "$data/orders.data" --symfs fs
	done
	verdict "${section:-anywhere}: $runs damaged copies"
done

# A module of the kernel, which has to be relocated first.
module=ko/lib/modules/6.1.0/extra/orders-mod.ko
tar -xJf "$SRC/tools/perf/tests/data/kernel/kernel.tar.xz"
"$FORGE" <"$SRC/tools/perf/tests/cases/types-of-module/in.txt" >module.data || fail "there is a recording of the module"
mkdir -p "$(dirname "$module")"
cp orders-mod.ko "$module"
"$PERF" report --stdio -q -g none -s type -i module.data --symfs ko 2>err | grep -q '%.*struct ' &&
	pass "the module has types" || { cat err; fail "the module has types"; }
for section in "" .rela.text .symtab .text .rela.debug_info; do
	for ((seed = 1; seed <= runs; seed++)); do
		damage orders-mod.ko "$module" "$seed" $section || continue
		judge "module$section-$seed" "$damage" "$module" \
			${commands[seed % ${#commands[@]}]} -i module.data --symfs ko
	done
	verdict "module, ${section:-anywhere}: $runs damaged copies"
done
