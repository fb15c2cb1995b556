# SPDX-License-Identifier: GPL-2.0-or-later
# What run and show share: builds of idioms, their truths and the answers of a perf. All under
# $out, made again only where older than what it comes from.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../../.." && pwd)
O=$(cd "${O:-$top/build}" && pwd)
out=$O/oracle
PERF=${PERF:-$O/perf}
step=$O/tests/oracle/step
score=$O/tests/oracle/score
forge=$O/tests/forge
export DEBUGINFOD_URLS= LC_ALL=C PERF_PAGER=cat

levels="O0 O1 O2 O3 Os"
quick_builds="gcc-O0 gcc-O2 clang-O0 clang-O2"
all_builds=
for level in $levels; do all_builds+=" gcc-$level clang-$level"; done

fail() {
	echo "oracle: $*" >&2
	exit 1
}

idioms() { # all names
	local f
	for f in "$here"/idioms/*.*; do
		f=${f##*/}
		echo "${f%.*}"
	done
}

source_of() { # idiom
	local f
	for f in "$here/idioms/$1".*; do
		[[ -f $f ]] && echo "$f" && return
	done
	fail "there is no idiom $1"
}

# COMPILER-LEVEL[-VARIANT] as compiler flags, one a word.
flags_of() { # build
	local level=${1#*-} variant=
	[[ $level == *-* ]] && variant=${level#*-} level=${level%%-*}
	echo "-$level -g"
	case $variant in
	'') ;;
	avx2) echo -mavx2 -mfma ;;
	fp) echo -fno-omit-frame-pointer ;;
	cet) echo -fcf-protection=full ;;
	lto) echo -flto ;;
	dwarf4) echo -gdwarf-4 ;;
	dwarf5) echo -gdwarf-5 ;;
	nopie) echo -no-pie -fno-pie ;;
	static) echo -static ;;
	*) fail "there is no variant $variant" ;;
	esac
}

compiler_of() { # build, source
	local c=${1%%-*}
	case $2 in
	*.cc) [[ $c == gcc ]] && echo g++ || echo clang++ ;;
	*) echo "$c" ;;
	esac
}

compile() { # idiom, build
	local source dir=$out/$2 program
	source=$(source_of "$1")
	program=$dir/$1
	[[ $program -nt $source && $program -nt $here/runtime/truth.h && $program -nt $here/runtime/truth.c ]] && return
	mkdir -p "$dir"
	gcc -O2 -I"$here/runtime" -c -o "$program.truth.o" "$here/runtime/truth.c" &&
		(cd "$here/idioms" && $(compiler_of "$2" "$source") $(flags_of "$2") -w -I../runtime -o "$program.new" \
			"${source##*/}" "$program.truth.o" -lm) &&
		mv "$program.new" "$program" || fail "$1 $2 does not build"
}

find_truth() { # idiom, build
	local program=$out/$2/$1
	[[ $program.truth -nt $program && $program.truth -nt $step && $program.ask -nt $score ]] && return
	"$step" "$program.truth" "$program" || fail "$1 $2: no truth"
	"$score" ask "$program" "$program" "$program.truth" >"$program.ask" &&
		"$forge" "$program.ask" "$program.data" || fail "$1 $2: no questions"
}

ask_ours() { # idiom, build
	local program=$out/$2/$1
	"$PERF" report --stdio -q -s local_weight,type,typeoff -i "$program.data" >"$program.ours" 2>"$program.log" ||
		fail "$1 $2: $(tail -n 1 "$program.log")"
}

# Upstream's answers change only with the questions. $PEER is a root with a perf in it.
ask_peer() { # idiom, build
	local program=$out/$2/$1 inside=/tmp/oracle/$2 perf=/usr/bin/perf
	[[ $program.peer -nt $program.truth ]] && return
	[[ -x $PEER/opt/perf/perf ]] && perf=/opt/perf/perf
	mkdir -p "$PEER$inside"
	cp "$program" "$PEER$inside/$1"
	"$score" ask "$program" "$inside/$1" "$program.truth" | "$forge" >"$PEER$inside/$1.data" || return
	chroot "$PEER" timeout 600 "$perf" report --stdio -q -s local_weight,type,typeoff -i "$inside/$1.data" \
		>"$program.peer.new" 2>"$program.log" || true
	mv "$program.peer.new" "$program.peer"
	rm -f "$PEER$inside/$1" "$PEER$inside/$1.data"
}
