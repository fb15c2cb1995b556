# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by scripts in this folder: runs perf on damaged input and checks how it ended.
. "$SRC/tools/perf/tests/tap"
failures=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}hard_rss_limit_mb=1500:max_allocation_size_mb=1000
keep=$O/tests/crashes
mkdir -p "$keep"

# damage IN OUT SEED [SECTION]: makes OUT, a damaged copy of IN. $damage is what was done. No copy is a failure.
damage() {
	rm -f "$2"
	damage=$("${MUTATE:-$O/tests/tools/mutate}" "$@") && [[ -s $1 && -e $2 && $damage ]] && return
	((failures++))
	echo "there is no damaged copy: mutate $*"
	return 1
}

# perf must print a short error. It must not crash, hang, or print without end. It must refuse damage that it can
# detect.
judge() { # name, what was done to FILE, FILE, perf's words...
	local name=$1 damage=$2 file=$3 status why=
	shift 3
	timeout -k 5 20 "$PERF" "$@" >out 2>err </dev/null
	status=$?
	case $status in
	0) [[ $damage != "must be refused"* ]] || why="was accepted" ;;
	1 | 255)
		[[ -s err ]] || why="failed without a word"
		(($(wc -l <err) <= 4)) || why="said more than a few lines"
		;;
	*) why="exit status $status" ;;
	esac
	grep -qaE 'runtime error:|Sanitizer' err && why="sanitizer"
	(($(stat -c %s out) < 50000000)) || why="prints without end"
	[[ $why ]] || return 0
	((failures++))
	cp "$file" "$keep/$name"
	echo "perf $*: $why; $file is kept as $keep/$name:$damage"
	head -n 12 err
}

verdict() { # name
	((failures)) && fail "$1" || pass "$1"
	failures=0
}
