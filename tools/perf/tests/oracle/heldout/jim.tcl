# SPDX-License-Identifier: GPL-2.0-or-later
# Procedures, lists, dictionaries, strings, expressions, patterns and errors.
proc fib {n} { expr {$n < 2 ? $n : [fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]} }

proc words {text} {
	set count [dict create]
	foreach word [split $text " ,."] {
		if {$word eq ""} continue
		dict incr count [string tolower $word]
	}
	return $count
}

proc sieve {n} {
	for {set i 2} {$i <= $n} {incr i} { set prime($i) 1 }
	for {set i 2} {$i * $i <= $n} {incr i} {
		if {![info exists prime($i)]} continue
		for {set j [expr {$i * $i}]} {$j <= $n} {incr j $i} { unset -nocomplain prime($j) }
	}
	return [lsort -integer [array names prime]]
}

proc shape {kind args} {
	switch -glob $kind {
		circ* { return [expr {3.14159 * [lindex $args 0] ** 2}] }
		rect* { return [expr {[lindex $args 0] * [lindex $args 1]}] }
		default { error "no shape $kind" }
	}
}

puts [fib 9]
set text "The quick brown fox jumps over the lazy dog. The dog sleeps, the fox runs."
set counted [words $text]
foreach key [lsort [dict keys $counted]] { puts "$key [dict get $counted $key]" }
puts [sieve 60]
set rows {}
for {set i 0} {$i < 20} {incr i} { lappend rows [list [expr {($i * 7) % 11}] "row $i" [expr {$i / 3.0}]] }
foreach row [lsort -index 0 -integer -decreasing $rows] { lassign $row rank name value; append out [format "%3d %-8s %6.2f;" $rank $name $value] }
puts [string length $out]
puts [string map {fox cat dog mouse} [string range $text 4 40]]
puts [regexp -all -inline {\w+o\w} $text]
puts [regsub -all {(\w)(\w+)} "swap first letters" {\2\1}]
puts "[shape circle 2] [shape rectangle 3 4.5] [catch {shape blob} message] $message"
set nested [dict create a [dict create b 1 c [list 1 2 3]] d {x y}]
dict set nested a c [lreplace [dict get $nested a c] 1 1 two]
puts "[dict get $nested a c] [dict exists $nested a z] [dict size $nested]"
proc counter {} {{n 0}} { incr n }
counter
counter
puts "[counter] [uplevel #0 {set i}] [string reverse abcdef] [scan {12 0x1f} {%d %x}]"
