#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf data pack: one file that has a recording and all that a report of it needs. Then everything else is removed.
. "$SRC/tools/perf/tests/live/common"
! "$PERF" version --build-options | grep -q 'minizip: \[ OFF' || skip_all "pack" "this build has no minizip"

export PERF_BUILDID_DIR=$PWD/cache
cat >prog.c <<'END'
#include <stdlib.h>
#include <time.h>
struct node { long key; struct node *next; };
__attribute__((noinline)) long walk(struct node *node)
{
	long sum = 0;

	for (; node; node = node->next)
		sum += node->key;
	return sum;
}
int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;
	struct node *head = NULL;
	long sum = 0;

	for (long i = 0; i < 100000; i++) {
		struct node *node = malloc(sizeof(*node));

		node->key = i, node->next = head, head = node;
	}
	while (clock() < end)
		sum += walk(head);
	return sum == 1;
}
END
# One program has its debug information in another file, one has no build-id.
gcc -O1 -g -Wl,--build-id -o split prog.c
objcopy --only-keep-debug split split.debug && objcopy --strip-all --add-gnu-debuglink=split.debug split
gcc -O1 -g -Wl,--build-id=none -o plain prog.c
"$PERF" record -q -e cpu-clock:u -F 999 -o a.data -- sh -c './split; ./plain' 2>err || skip_all_refused "pack" err
plan 32

fields() { # recording, program
	PERF_BUILDID_DIR=$PWD/nowhere "$PERF" report -q -i "$1" --comm "$2" --dsos "$2" -s sym,typeoff --stdio 2>>err |
		awk '/%/ && $3 == "walk" && $5 == "node" { print $3, $5, $6, $7 }' | sort -u | xargs
}
here=$(fields a.data split)
check "before: function and fields" grep -q "walk node +0 (key) walk node +0x8 (next)" <<<"$here"
"$PERF" data pack a.data -o one.perf --sources >out 2>err
check "pack: exit status" test $? = 0
check "it says what to do with the result" grep -q 'Wrote one.perf.* perf report -i one.perf' out
check "the recording is at its beginning" cmp -n "$(stat -c %s a.data)" a.data one.perf
check "no other user may read it" test "$(stat -c %a one.perf)" = 600
python3 -m zipfile -l one.perf >listed 2>>err
check "any unzip lists it" grep -q "files$PWD/prog.c" listed
check "debug information" grep -q '^\.build-id/.*/debug' listed
"$PERF" data pack one.perf -o two.perf >out 2>err
check "a pack of a pack: exit status" test $? = 1
check "a pack of a pack is refused" grep -q 'one.perf: is a pack already' err
check "and not written" test ! -e two.perf
"$PERF" data pack a.data -o a.data >out 2>err
check "onto the recording itself: refused" test $? = 1 -a -s a.data
"$PERF" record -q -e cpu-clock:u -o - ./split 2>>err | cat >pipe.data
"$PERF" data pack pipe.data >out 2>err
check "the form for pipes is refused, and it says what to do" grep -q "'perf inject -i pipe.data -o FILE' writes one" err
cp split gone && "$PERF" record -q -N -e cpu-clock:u -o gone.data ./gone 2>>err && rm gone split.debug cache -r
"$PERF" data pack gone.data >out 2>err
check "what cannot be packed is named" grep -q "not in the pack: $PWD/gone: neither it nor a copy is here" err

# Another machine.
whole() { # command: the report by several keys, and all samples
	"$@" report -q --stdio -s comm,dso,sym,typeoff,srcline -g none 2>>err
	"$@" script -F comm,ip,sym,dso 2>>err
}
on_pack() { # verb, arguments of perf
	local verb=$1
	shift
	PERF_BUILDID_DIR=/nowhere "$PERF" "$verb" -i one.perf "$@"
}
mv prog.c kept.c
whole on_pack >before
# Stacks that are unwound when they are read.
"$PERF" record -q -e cpu-clock:u -F 499 --call-graph dwarf,1024 -o stacks.data ./plain 2>>err
"$PERF" data pack stacks.data -o stacks.perf >>out 2>>err
rm -rf split plain cache
callers() { PERF_BUILDID_DIR=/nowhere "$PERF" script -F ip,sym -i "$1" 2>>err | awk '$2 == "main" && called { n++ } { called = $2 == "walk" } END { print n + 0 }'; }
check "without the pack no stack is unwound" test "$(callers stacks.data)" = 0
check "with it: stacks are unwound" test "$(callers stacks.perf)" -gt 9
# A root folder that has nothing but perf and its libraries, as another distribution has none of the recorded files.
mkdir -p root/proc
for file in $(ldd "$PERF" | grep -oE '/[^ ]+'); do cp -L --parents "$file" root; done
cp "$PERF" root/perf
cp one.perf root
in_root() { # verb, arguments of perf
	unshare -m bash -c 'mount --rbind /proc root/proc && exec chroot root /perf "$0" -i one.perf "${@}"' "$@"
}
if ((EUID)) || ! in_root report --stdio >out 2>why; then
	skip "in another root the report is the same" "$(tail -n 1 why)" 1
else
	whole in_root >after
	diff before after >found
	check "in another root the report is the same" test ! -s found -a "$(grep -c walk after)" -gt 9
fi
# The kernel's functions and data types, where the kernel tells neither: in the root folder there is no /sys, and its list is covered.
away() { # arguments of perf
	unshare -m bash -c 'mount --rbind /proc root/proc && mount --bind /dev/null root/proc/kallsyms && exec chroot root /perf "$@"' - "$@" 2>>err
}
if ! "$PERF" record -q -e cpu-clock:k -F 2000 -o kernel.data -- dd if=/dev/zero of=/dev/null bs=64k count=10000 2>why; then
	skip_refused "the kernel's functions and types" why 3
elif ((EUID)) || ! away version >out 2>why; then
	skip "the kernel's functions and types" "$(tail -n 1 why)" 3
else
	"$PERF" data pack kernel.data -o root/kernel.perf >out 2>err
	cp kernel.data root
	"$PERF" report -q --stdio -g none -s sym,type -i kernel.data >before 2>>err
	away report -q --stdio -g none -s sym,type -i kernel.data >without
	# (The recording names BPF programs.)
	check "without the pack, no function of the kernel" bash -c 'grep -q "\[k\]" without && ! grep "\[k\] [a-z_]" without | grep -v "\[k\] bpf_"'
	away report -q --stdio -g none -s sym,type -i kernel.perf >found
	check "with it: functions of the kernel" bash -c 'grep "\[k\] [a-z_]" found | grep -qv "\[k\] bpf_"'
	if ! grep -qE '\[k\] [a-z_].* struct [a-z]' before; then
		skip "with it: data types of the kernel" "no sample has any here"
	else
		check "with it: data types of the kernel" cmp before found
	fi
fi
check "without the pack there are no names" test -z "$(fields a.data split)"
check "with it: a program with a debug file" test "$(fields one.perf split)" = "$here"
check "with it: a program without a build-id" test "$(fields one.perf plain)" = "${here}"
"$PERF" annotate --stdio -i one.perf walk >out 2>err
check "with it: sources" grep -q 'sum += node->key' out
"$PERF" script -i one.perf -F comm,ip,sym 2>>err >out
check "script reads it" grep -q 'split.*walk' out
"$STOCK_PERF" report --stdio -i one.perf >out 2>err
check "stock perf reads its records" grep -q 'cpu-clock' out

# Files of spans, which a report reads without being told.
spans=$SRC/tools/perf/tests/cases/report-hosts
"$FORGE" "$spans/a.txt" forged.data
"$PERF" report --stdio -q -i forged.data -s service,span --spans="$spans/jaeger.json" >named 2>err
"$PERF" data pack forged.data -o spans.perf --spans="$spans/jaeger.json" >out 2>err
"$PERF" report --stdio -q -i spans.perf -s service,span >out 2>err
check "spans are read from the pack" cmp named out
check "and have names" grep -q '[a-z]' named


# Nothing to pack: the recording alone.
printf 'event cpu-clock sample_type=IP|TID|TIME|PERIOD\ncomm pid=10 text=alpha\nsample pid=10 tid=10 ip=0x1000 period=7 time=100 misc=user\n' | "$FORGE" >bare.data
"$PERF" data pack bare.data -o bare.perf >out 2>err
check "without any file: it is read" grep -q alpha <<<"$("$PERF" report --stdio -q -i bare.perf -s comm 2>>err)"

# More files than a process may have open.
printf 'int main(void) { return 0; }\n' >one.c && gcc -O1 -Wl,--build-id=none -o program one.c
va=$((16#$(nm program | awk '$3 == "main" { print $1 }')))
{
	echo "event cpu-clock sample_type=IP|TID|TIME|PERIOD"
	echo "comm pid=10 text=alpha"
	for i in {1..60}; do
		cp program program.$i
		echo "mmap2 pid=10 start=$((i << 24)) len=0x100000 pgoff=0 prot=5 file=$PWD/program.$i time=$((2 * i)) misc=user"
		echo "sample pid=10 tid=10 ip=$(((i << 24) + va)) period=7 time=$((2 * i + 1)) misc=user"
	done
} | "$FORGE" >many.data
"$PERF" data pack many.data -o many.perf >out 2>err && rm program*
(ulimit -Sn 40; "$PERF" report --stdio -q -i many.perf -s dso,sym >out 2>err)
check "more files than descriptors" test "$(grep -c ' main *$' out)" = 60

# Damage.
head -c -10 one.perf >cut.perf
check "without the end of its archive it is a recording" test -z "$(fields cut.perf split)" -a "$("$PERF" report --stdio -q -i cut.perf -s comm 2>>err | grep -c split)" = 1
{ cat a.data; tail -c 22 one.perf; } >damaged.perf
"$PERF" report --stdio -i damaged.perf >out 2>err
check "an archive without its files is refused" grep -q 'damaged.perf: the archive of packed files at its end is damaged' err
# A file that unpacks to a thousand times its size.
name=$(grep -o '^\.build-id/.*/debug' listed | head -n 1)
cp a.data bomb.perf
python3 - "$name" <<'END'
import sys, zipfile
with zipfile.ZipFile("bomb.perf", "a", zipfile.ZIP_DEFLATED) as z:
    z.writestr(sys.argv[1], bytes(100 << 20))
END
check "a file that is too large is not unpacked" bash -c '/usr/bin/env time -f %M -o size "$PERF" report --stdio -i bomb.perf >out 2>err; (($(tail -n 1 size) < 100000))'
