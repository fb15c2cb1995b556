#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that stand alone: record copies the programs that samples hit into the build-id cache, and archive packs them.
# Then the programs are removed or built again, and the recording is read on a machine that never had them.
. "$SRC/tools/perf/tests/live/common"

export PERF_BUILDID_DIR=$PWD/cache
cat >prog.c <<'END'
#include <time.h>
static volatile long sum;
__attribute__((noinline)) void NAME(void)
{
	for (long i = 0; i < 1000000; i++)
		sum += i;
}
int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;

	while (clock() < end)
		NAME();
}
END
gcc -O1 -g -DNAME=first -Wl,--build-id -Wl,--no-as-needed -o prog prog.c -lm
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
copy=cache$PWD/prog/$id/elf
record() { "$PERF" record -q -e cpu-clock:u -F 999 "$@" 2>>err; }
# The function with most samples, besides main().
functions() { # recording
	"$PERF" report -q -i "$1" --comm prog --dsos prog -g none --no-children -s sym --stdio 2>>err | awk '/%/ && $NF != "main" { print $NF; exit }'
}
record -o a.data ./prog || skip_all_refused "copies" err
plan 35

check "a copy of the program" cmp prog "$copy"
check "found by its build-id, as upstream's perf has it" test "$(readlink "cache/.build-id/${id:0:2}/${id:2}")" = "../..$PWD/prog/$id"
check "no copy of a library without samples" bash -c '! find cache -path "*/libm.so*" | grep -q .'
"$PERF" buildid-cache -l >out 2>>err
check "buildid-cache lists it" grep -qx "$id $PWD/prog" out
"$PERF" buildid-cache -M a.data >out 2>>err
check "nothing is missing" bash -c '! grep -q /prog out'
cp a.data moved.data

gcc -O1 -g -DNAME=second -Wl,--build-id -o new prog.c && mv new prog
check "the program was built again: the names of the first one" test "$(functions a.data)" = first
record -o b.data ./prog
check "and those of the second one" test "$(functions b.data)" = second
gcc -O1 -g -DNAME=fifth -Wl,--build-id -o new prog.c && cat new >prog && rm new
check "the program was written over" test "$(functions a.data) $(functions b.data)" = "first second"
rm prog
check "the program was removed" test "$(functions a.data) $(functions b.data)" = "first second"

# Debug information of a stripped file, from a server: here a folder, which has the paths of one.
gcc -O1 -g -DNAME=served -Wl,--build-id -o served prog.c
id=$(readelf -n served | sed -n 's/.*Build ID: //p')
mkdir -p server/buildid/$id
objcopy --only-keep-debug served server/buildid/$id/debuginfo && strip served
"$PERF" buildid-cache -a served 2>>err
check "buildid-cache -a: without debug information" test -e cache$PWD/served/$id/elf -a ! -e cache$PWD/served/$id/debug
if ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
	DEBUGINFOD_CACHE_PATH=$PWD/fetched "$PERF" buildid-cache -u served --debuginfod="file://$PWD/server" 2>>err
	check "buildid-cache --debuginfod: with it" cmp server/buildid/$id/debuginfo cache$PWD/served/$id/debug
else
	skip "buildid-cache --debuginfod: with it" "libdebuginfod.so.1 is not installed"
fi

# What makes no copies.
gcc -O1 -g -DNAME=third -Wl,--build-id -o prog prog.c
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
link=cache/.build-id/${id:0:2}/${id:2}
for option in -N -B --no-buildid-cache --buildid-mmap --switch-output=100M; do
	record $option -o c.data ./prog
	check "$option makes no copy" test ! -e "$link"
done
mkdir others && chmod 755 others
if ((EUID == 0)); then
	chown 12345 others
	PERF_BUILDID_DIR=$PWD/others "$PERF" record -e cpu-clock:u -o c.data ./prog >out 2>&1
	check "a cache of another user: nothing is written" test -z "$(ls -A others)"
	check "and this is said" grep -q "belongs to another user" out
fi
gcc -O1 -g -DNAME=third -Wl,--build-id -Wl,--no-as-needed -o prog prog.c -lm
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
link=cache/.build-id/${id:0:2}/${id:2}
record --buildid-all -o c.data ./prog
check "--buildid-all: also without samples" bash -c 'find cache -path "*/libm.so*/elf" | grep -q .'

# Files of packages are replaced, and not written over: their copies are hard links, or share their blocks.
libm=$(ldd prog | awk '$1 == "libm.so.6" { print $3 }')
if ((EUID == 0)) && [[ $(stat -L -c %d "$libm") == $(stat -c %d .) ]]; then
	check "a library of the system: a hard link, or blocks of the file" bash -c '[[ $(stat -L -c %i "$1") == $(stat -c %i cache/*/*/libm.so.6/*/elf cache/*/*/*/libm.so.6/*/elf 2>/dev/null) ]] || [[ $(stat -f -c %T .) =~ btrfs|xfs ]]' - "$libm"
else
	skip "a library of the system: a hard link, or blocks of the file" "not root, or on another file system"
fi

# The limit: the copies that were used longest ago go first. (A hard link has no size, but links of other caches do not count.)
ln cache$PWD/prog/$id/elf link.of.another.cache
printf '[buildid]\n\tlimit = 1K\n' >config
gcc -O1 -g -DNAME=fourth -Wl,--build-id -o prog prog.c
record -o d.data ./prog
ln -f prog cache$PWD/prog/$(readelf -n prog | sed -n 's/.*Build ID: //p')/elf
PERF_CONFIG=$PWD/config record -o d.data ./prog
check "buildid.limit removes what is not linked" test ! -e "$link"
check "and keeps links" test "$(mv prog fourth; functions d.data)" = fourth

# Another machine has neither the programs nor a cache.
gcc -O1 -g -DNAME=fifth -Wl,--build-id -o prog prog.c
record -N -o e.data ./prog
"$PERF" archive e.data >out 2>>err
check "archive: exit status" test $? = 0
rm e.data.tar.bz2
mkdir linked && echo precious >linked/file && ln -s linked/file e.data.tar.bz2
"$PERF" archive e.data >out 2>>err
check "archive: a link at its place is not followed" test "$(<linked/file)$(readlink e.data.tar.bz2.old)" = preciouslinked/file -a ! -L e.data.tar.bz2
rm prog
mkdir there
PERF_BUILDID_DIR=$PWD/there "$PERF" archive --unpack e.data.tar.bz2 2>>err
check "archive: after it was unpacked elsewhere" test "$(PERF_BUILDID_DIR=$PWD/there functions e.data)" = fifth
check "archive: no other user may read it" test "$(stat -c %a e.data.tar.bz2)" = 600
check "archive: without it there are no names" test -z "$(PERF_BUILDID_DIR=$PWD/nowhere functions e.data | grep fifth)"
mkdir all new
(cd all && "$PERF" archive --all ../e.data >/dev/null 2>>../err && mv perf.all-*.tar.bz2 ../new)
(cd new && PERF_BUILDID_DIR=$PWD/there "$PERF" archive --unpack 2>>../err)
check "archive --all: the recording, too" test "$(cd new && PERF_BUILDID_DIR=$PWD/there functions e.data)" = fifth
check "archive --all: the recording is its user's" test "$(stat -c %a new/e.data)" = 600
(cd new && PERF_BUILDID_DIR=$PWD/there "$PERF" archive --unpack 2>../out)
check "archive --all: a file of the recording's name stays" test $? = 1
# An archive of somebody else: a program that is not what it is called, a link to another folder, a file of another kind.
mkdir -p forged/.build-id/ab forged/x/abcd hostile victim
cp /bin/true forged/x/abcd/elf
ln -s ../../x/abcd forged/.build-id/ab/cd
ln -s ../../../../../../../../../../..$PWD/victim forged/.build-id/ab/ce
ln -s $PWD/e.data forged/x/abcd/debug
tar -C forged -cjf forged.tar.bz2 .build-id x
PERF_BUILDID_DIR=$PWD/hostile "$PERF" archive --unpack forged.tar.bz2 >out 2>&1
check "archive: exit status if a file is not what it is called" test $? = 1
check "archive: nothing of it gets into the cache" test -z "$(find hostile victim -type f -o -type l)"
"$PERF" archive absent.data >out 2>&1
check "archive: exit status without a recording" test $? = 1
tar=$(type -P tar)
PATH=$PWD/all:$PATH
printf '#!/bin/sh\n%s "$@"\nexit 1\n' "$tar" >all/tar && chmod +x all/tar
"$PERF" archive e.data >out 2>&1
check "archive: exit status if another recorder links a program meanwhile" test $? = 0
printf '#!/bin/sh\nexit 2\n' >all/tar
"$PERF" archive e.data >out 2>&1
check "archive: exit status if tar fails" test $? = 1
