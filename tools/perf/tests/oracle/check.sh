#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A quick run as a test: the oracle checks itself, then each build's figures must reach `floor`, whose
# numbers only ever rise. Prints TAP.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
. "$here/../tap"
plan $((5 + $(grep -vc '^#' "$here/floor")))

"$here/run" --quick --sums >"$out.quick" && pass "every idiom builds and runs" || fail "every idiom builds and runs"

# Answers that are the truth must be right; those of another instruction seldom. (Some are, by chance: two instructions of
# one program touch the same field. It was 8 to 11 percent, by which compilers are there.)
while read -r idiom build; do "$score" self "$out/$build/$idiom" "$out/$build/$idiom.truth"; done < <(awk '$3 == "ours" { print $1, $2 }' "$out.quick" | sort -u) |
	awk '
	$2 == "asked" { asked[$1] += $3 }
	$2 == "none" { asked[$1] -= $3 }
	$2 == "exact" || $2 == "contained" || $2 == "scalar" { right[$1] += $3 }
	END {
		ok = asked["true"] && right["true"] == asked["true"]
		print (ok ? "ok" : "not ok") " - the truth as an answer is right: " right["true"] " of " asked["true"]
		share = asked["shuffled"] ? 100 * right["shuffled"] / asked["shuffled"] : 100
		printf "%s - answers of other instructions are wrong: %.1f %% happen to be right\n", (share < 15 ? "ok" : "not ok"), share
	}'

# A user may ask for the answers of one rank (--type-min variable): these are to be facts.
awk '$3 == "ours" && $4 == "sure" { n += $5 } END { print (n ? "not ok" : "ok") " - wrong answers of rank variable: " n + 0 }' "$out.quick"

# The floor is that of one version of each compiler; with another the programs are others, and what is
# wanted of any program holds.
others=
for compiler in gcc:12 clang:14; do
	version=$("${compiler%:*}" -dumpversion 2>/dev/null)
	[[ ${version%%.*} == "${compiler#*:}" ]] || others+=" ${compiler%:*}"
done

[[ $(go version 2>/dev/null) == *" go1.19"* ]] || others+=" go"

# A compiler that runs has built something, so there are answers.
absent=
for compiler in gcc:gcc clang:clang rust:rustc; do
	"${compiler#*:}" --version >/dev/null 2>&1 || absent+=" ${compiler%:*}"
done
go version >/dev/null 2>&1 || absent+=" go"

awk -v others="$others " -v absent="$absent " '
	FNR == NR { if ($0 !~ /^#/) { typed[$1] = $2; right[$1] = $3; names[n++] = $1 } next }
	$3 != "ours" { next }
	{ v[$2, $4] += $5 }
	END {
		for (i = 0; i < n; i++) {
			b = names[i]
			compiler = b
			sub(/-.*/, "", compiler)
			if (index(others, " " compiler " ")) { typed[b] = compiler == "go" ? 95 : 98.5; right[b] = compiler == "go" ? 99.8 : 99.9 }
			if (!v[b, "asked"]) {
				print index(absent, " " compiler " ") ? "ok - " b " # skip there is no " compiler : "not ok - " b ": no answers"
				continue
			}
			r = v[b, "exact"] + v[b, "contained"] + v[b, "scalar"]
			t = r + v[b, "field"] + v[b, "type"]
			T = 100 * t / v[b, "asked"]; R = t ? 100 * r / t : 0
			printf "%s - %s: %.1f %% typed (at least %s), %.2f %% of these right (at least %s)\n",
				(T >= typed[b] && R >= right[b] ? "ok" : "not ok"), b, T, typed[b], R, right[b]
		}
	}' "$here/floor" "$out.quick"

"$here/contradict"
