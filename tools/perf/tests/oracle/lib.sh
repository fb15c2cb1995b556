# SPDX-License-Identifier: GPL-2.0-or-later
# What run and show share: builds of idioms, their truths and the answers of a perf. All under
# $out, made again only where older than what it comes from.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../../.." && pwd)
[[ ${TESTS_ALONE:-} ]] || exec "$top/tools/perf/tests/alone" "$0" "$@"
O=$(cd "${O:-$top/build}" && pwd)
out=$O/oracle
PERF=${PERF:-$O/perf}
step=$O/tests/oracle/step
score=$O/tests/oracle/score
forge=$O/tests/forge

# Go's compiler has two levels: O2 is its default, O0 is -N -l. $GO_COMPILERS names more of them: "go24=/usr/lib/go-1.24/bin/go".
declare -A go_compilers=([go]=go)
for v in ${GO_COMPILERS:-}; do go_compilers[${v%%=*}]=${v#*=}; done

levels="O0 O1 O2 O3 Os"
quick_levels="O0 O2"
# Variants and the idioms that they matter to.
variants="avx2:vectors,copies,tables,stack fp:chains,stack,calls cet:switches,callbacks,calls
	lto:chains,calls,globals,classes split:globals,chains,unions,stdlib dwp:globals,chains,unions,stdlib
	dwarf4:globals,stack,unions,classes dwz:chains,unions,globals alt:globals,stdlib,containers nopie:globals,tables,switches,lanes,library static:globals,tables,calls,library"

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

# All builds of an idiom at the levels given; variants where those are all.
builds_of() { # idiom, levels
	local level v source
	source=$(source_of "$1")
	for level in $2; do
		if [[ $source == *.rs ]]; then
			rustc --version >/dev/null 2>&1 && echo "rust-$level"
		elif [[ $source == *.go ]]; then
			[[ $level == O[02] ]] || continue
			for v in "${!go_compilers[@]}"; do
				"${go_compilers[$v]}" version >/dev/null 2>&1 && echo "$v-$level"
			done
		else
			echo "gcc-$level" "clang-$level"
		fi
	done
	[[ $2 == "$levels" ]] || return 0
	for v in $variants; do
		[[ ,${v#*:}, == *,$1,* ]] || continue
		echo "gcc-O2-${v%:*}" "clang-O2-${v%:*}"
	done
}

# COMPILER-LEVEL[-VARIANT] as compiler flags.
flags_of() { # build
	local level=${1#*-} variant=
	[[ $level == *-* ]] && variant=${level#*-} level=${level%%-*}
	echo "-$level -g"
	case $variant in
	'' | dwz | alt | shared) ;;
	avx2) echo -mavx2 -mfma ;;
	fp) echo -fno-omit-frame-pointer ;;
	cet) echo -fcf-protection=full ;;
	lto) [[ $1 == clang* ]] && echo -flto -fuse-ld=lld || echo -flto ;;
	split) echo -gsplit-dwarf ;;
	# Packers of DWARF 5 that come from gcc hang or crash.
	dwp) [[ $1 == clang* ]] && echo -gsplit-dwarf || echo -gsplit-dwarf -gdwarf-4 ;;
	dwarf4) echo -gdwarf-4 ;;
	nopie) echo -no-pie -fno-pie ;;
	static) echo -static ;;
	*) fail "there is no variant $variant" ;;
	esac
}

# A Rust program has its library and that one's debug information in it, megabytes, but "shared".
rust_flags_of() { # build
	local level=${1#*-O}
	# Where it is built is in its messages, and so in its layout.
	echo "-C opt-level=${level%%-*} --remap-path-prefix=$top=/src ${RUSTFLAGS_MORE:-}"
	[[ $1 != *-shared ]] || echo "-C prefer-dynamic -C rpath -C codegen-units=1"
}

# A Go program is linked statically, at a fixed place. It needs no part of ours to name its objects, see go_types.h.
go_build() { # source, build, program
	local flags=
	[[ $2 == *-O2* ]] || flags="-N -l"
	GO111MODULE=off GOTOOLCHAIN=local GOCACHE=$out/go-cache "${go_compilers[${2%%-*}]}" build -trimpath -gcflags="$flags" -ldflags="${GO_LDFLAGS_MORE:-}" -o "$3.new" "$1"
}

# The same code with plain debug information, which the truth is taken from: whether a reader of
# split or shared debug information is right is what is asked, not assumed.
twin_of() { # build
	case $1 in
	*-split | *-dwp | *-dwz | *-alt) echo "${1%-*}" ;;
	*) echo "$1" ;;
	esac
}

build_program() { # source, build, program
	local flags c=${2%%-*}
	flags="$(flags_of "$2") ${CFLAGS_MORE:-}"
	case $1 in
	*.rs) rustc $(rust_flags_of "$2") -g -A warnings -C "link-arg=$out/truth.o" --crate-name "${3##*/}" -o "$3.new" "$1" ;;
	*.go) go_build "$@" ;;
	*.cc) [[ $c == gcc ]] && c=g++ || c=clang++
		$c -std=c++17 $flags -w -I"$here/runtime" -o "$3.new" "$1" "$out/truth.o" ;;
	*) $c $flags -w -I"$here/runtime" -o "$3.new" "$1" "$out/truth.o" -lm ;;
	esac || return
	case $2 in
	*-dwp) timeout 60 llvm-dwp -e "$3.new" -o "$3.dwp" && rm "${3%.*}"*.dwo ;;
	*-dwz) dwz "$3.new" ;;
	# What two programs have in common in a file of its own, as distributions do.
	*-alt) cp "$3.new" "$3.other" && dwz -m "$3.alt" -M "${3##*/}.alt" "$3.new" "$3.other" && rm "$3.other" ;;
	esac
	mv "$3.new" "$3"
}

# The part that names a program's objects: the same in each program and build.
compile_runtime() {
	local object=$out/truth.o
	[[ $object -nt $here/runtime/truth.h && $object -nt $here/runtime/truth.c ]] ||
		{ gcc -O2 -I"$here/runtime" -c -o "$object.$$" "$here/runtime/truth.c" && mv "$object.$$" "$object"; }
}

compile() { # idiom, build
	local source program=$out/$2/$1
	source=$(source_of "$1")
	[[ $program -nt $source && $program -nt $here/runtime/truth.h && $program -nt $here/runtime/truth.c &&
		$program -nt $here/runtime/truth.hh ]] && return
	mkdir -p "$out/$2"
	compile_runtime && (cd "$out/$2" && build_program "$source" "$2" "$program") >"$program.log" 2>&1 ||
		fail "$1 $2 does not build: $(tail -n 3 "$program.log")"
}

same_code() { # program, program
	cmp -s <(objcopy -O binary -j .text "$1" /dev/stdout) <(objcopy -O binary -j .text "$2" /dev/stdout)
}

find_truth() { # idiom, build
	local program=$out/$2/$1 twin
	twin=$out/$(twin_of "$2")/$1
	[[ $program.truth -nt $program && $program.truth -nt $step && $program.ask -nt $score ]] && return
	if [[ $twin != "$program" ]]; then
		compile "$1" "$(twin_of "$2")"
		same_code "$program" "$twin" || fail "$1 $2: its code is not that of $(twin_of "$2")"
	fi
	"$step" "$program.truth" "$twin" || fail "$1 $2: no truth"
	"$score" ask "$program" "$program" "$program.truth" >"$program.ask" &&
		"$forge" "$program.ask" "$program.data" || fail "$1 $2: no questions"
}

ask_ours() { # idiom, build
	local program=$out/$2/$1
	"$PERF" report --skid=sampled --stdio -q -s local_weight,type,typeoff -i "$program.data" >"$program.ours" 2>"$program.log" ||
		fail "$1 $2: $(tail -n 1 "$program.log")"
}

# The sums of score, and how many of the wrong answers have rank `variable`.
sums_of() { # program with the truth, program
	local sums
	sums=$("$score" held "$1" "$2.truth" "$2.ours") || return
	echo "$sums"
	awk '($1 == "field" || $1 == "type") && $2 { wrong = 1 } END { exit !wrong }' <<<"$sums" || return 0
	echo "sure $("$score" list "$1" "$2.truth" "$2.ours" | awk -F'\t' '$2 == "field" || $2 == "type" { print $1 }' |
		xargs -r "$O/tests/tools/type_of" -r "$2" | grep -c ' variable$')"
}

# Upstream's answers change only with the questions. $PEER is a root with a perf in it, where the
# program gets the same place.
ask_peer() { # idiom, build
	local program=$out/$2/$1 perf=/usr/bin/perf
	[[ $program.peer -nt $program.truth ]] && return
	[[ -x $PEER/opt/perf/perf ]] && perf=/opt/perf/perf
	mkdir -p "$PEER$out/$2"
	cp "$program" "$program.data" "$PEER$out/$2/"
	cp "$out/$2/$1".new-*.dwo "$program.dwp" "$program.alt" "$PEER$out/$2/" 2>/dev/null
	chroot "$PEER" timeout 600 "$perf" report --stdio -q -s local_weight,type,typeoff -i "$program.data" \
		>"$program.peer.new" 2>"$program.log"
	mv "$program.peer.new" "$program.peer"
	rm -f "$PEER$out/$2/$1"*
}
