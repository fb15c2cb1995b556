# SPDX-License-Identifier: GPL-2.0-or-later
# What run, publish and check.sh share: builds of idioms, their recordings, and how many of the samples a perf charges to
# the access that waited. All under $out.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../../.." && pwd)
export ORACLE_CACHE=${ORACLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-oracle}
[[ ${TESTS_ALONE:-} ]] || exec "$top/tools/perf/tests/alone" -k OLD_PERF "$0" "$@"
O=$(cd "${O:-$top/build}" && pwd)
out=$O/skid
PERF=${PERF:-$O/perf}
builds="gcc-O1 gcc-O2 gcc-O3 gcc-Os clang-O1 clang-O2 clang-O3 clang-Os"

fail() {
	echo "skid: $*" >&2
	exit 1
}

# IDIOM GROUP: the group is the source file with the idiom.
idioms() {
	grep -HoE 'truth [a-z_]+[ :]' "$here"/idioms/*.c "$here"/idioms/*.cc |
		sed -E 's|^.*/([a-z]+)\.cc?:truth ([a-z_]+).*|\2 \1|'
}

# "IDIOM+stack": the same, recorded with call chains, for waits that only the caller tells.
options_of() { # idiom
	[[ $1 != *+stack ]] || echo "--call-graph dwarf,16"
}

group_of() { # idiom
	idioms | awk -v idiom="${1%+*}" '$1 == idiom { print $2 }'
}

# "FUNCTION...: TYPE +0xOFFSET (FIELD) SHARE, ..."
truth_of() { # idiom
	set -- "${1%+*}"
	grep -hoE "truth $1[ :].*" "$here"/idioms/*.c "$here"/idioms/*.cc |
		sed -E -e 's| *\*/$||' -e "s/^truth ($1)( [^:]+)?: /\1\2: /"
}

compiler_of() { # build, source
	local c=${1%%-*}
	[[ $2 == *.cc ]] && c=${c/gcc/g++} c=${c/clang/clang++}
	echo "$c -${1#*-} -g -w"
}

compile() { # group, build
	local source program=$out/$2/$1
	for source in "$here/idioms/$1".c*; do
		[[ $program -nt $source && $program -nt $here/idioms/slow.h ]] && return
		mkdir -p "$out/$2"
		$(compiler_of "$2" "$source") -o "$program.$$" "$source" >"$program.log" 2>&1 && mv "$program.$$" "$program" ||
			fail "$1 $2 does not build: $(tail -n 3 "$program.log")"
	done
}

# A timer of the user's time: what each machine has. With a real-time priority, where that is allowed: a thread that loses
# its CPU and gets it back executes the access that waited once more, and a busy machine is not what is measured.
record() { # idiom, build
	local program first=
	program=$out/$2/$(group_of "$1")
	chrt -f 10 true 2>/dev/null && first="chrt -f 10"
	"$PERF" record $(options_of "$1") -e cpu-clock:u -F 2000 -o "$out/$2/$1.data" -- $first "$program" "${1%+*}" "${SECONDS_EACH:-1}" >"$out/$2/$1.log" 2>&1 ||
		fail "$1 $2: $(tail -n 1 "$out/$2/$1.log")"
}

rows() { # perf, options...: its report
	"$1" report --stdio -q -n -g none --no-children -s sym,typeoff "${@:2}" 2>/dev/null
}

# Upstream's perf in the root $PEER reads the same recording, with the program at the same place.
peer_rows() { # idiom, build
	local dir=$out/$2 program perf=/usr/bin/perf
	program=$dir/$(group_of "$1")
	[[ -x $PEER/opt/perf/perf ]] && perf=/opt/perf/perf
	mkdir -p "$PEER$dir"
	# Others may be reading the program there.
	[[ $PEER$program -nt $program ]] || { cp "$program" "$PEER$program.$1" && mv "$PEER$program.$1" "$PEER$program"; }
	cp "$dir/$1.data" "$PEER$dir/"
	chroot "$PEER" timeout 600 "$perf" report --stdio -q -n -s sym,typeoff -i "$dir/$1.data" 2>/dev/null
	rm -f "$PEER$dir/$1.data"
}

# Reads a report: "SAMPLES SHARE", of the functions of the idiom. A field counts at most its own share plus 15 per cent,
# so that one of two fields does not do for both.
score() { # idiom
	awk -v truth="$(truth_of "$1")" '
	function plain(type) { sub(/ *\(.*/, "", type); sub(/^(struct|class|union) /, "", type); return type }
	BEGIN {
		colon = match(truth, /: /)
		n = split(substr(truth, 1, colon - 1), f, " ")
		for (i = 1; i <= n; i++) tested[f[i]]
		fields = split(substr(truth, colon + 2), part, ", ")
		for (i = 1; i <= fields; i++) {
			match(part[i], / [0-9]+$/)
			share[plain(substr(part[i], 1, RSTART - 1))] = substr(part[i], RSTART + 1)
		}
	}
	$1 ~ /%$/ && match($0, /\[[.k]\] /) {
		samples = $2
		rest = substr($0, RSTART + 4)
		match(rest, /  +/)
		symbol = substr(rest, 1, RSTART - 1)
		type = substr(rest, RSTART + RLENGTH)
		sub(/[ (.].*/, "", symbol)
		if (!(symbol in tested)) next
		all += samples
		if (type !~ /one of several/) got[plain(type)] += samples
	}
	END {
		for (t in share) {
			most = fields == 1 ? all : all * (share[t] + 15) / 100
			right += got[t] < most ? got[t] : most
		}
		printf "%d %.1f\n", all, all ? 100 * right / all : 0
	}'
}
