# SPDX-License-Identifier: GPL-2.0-or-later
# What libactivity(3), activity.h and the pkg-config file say of linking is one and the same, and it
# does what they promise: the page's own line, tried on a program.
. "$SRC/tools/perf/tests/tap"
pages=("$SRC"/Documentation/sdk/*.md)
plan $((6 + 2 * ${#pages[@]}))
make -C "$SRC" --no-print-directory O="$O" install PREFIX="$PWD/usr" >install.log 2>&1 ||
	{ cat install.log; echo "not ok - installs"; exit; }
export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig LD_LIBRARY_PATH=$PWD/usr/lib
page=$SRC/Documentation/man/libactivity.3

result() { # NAME, with the status of the command before
	(($? == 0)) && echo "ok - $1" || echo "not ok - $1"
}

# The linker's options that a text names, sorted; what the page writes with \- and in quotes too.
options() {
	sed -e 's/\\-/-/g' -e 's/\\&//g' "$@" | grep -oE -e '-(lactivity|Wl,[-a-z]+=[a-z_0-9]+)' | sort -u
}
options <(pkg-config --libs libactivity) >configured
options "$page" >told
diff --label "pkg-config --libs" --label libactivity.3 -u configured told
result "libactivity.3 recommends what pkg-config --libs says"
options "$SRC/README.md" "$SRC"/Documentation/sdk/*.md "$SRC/tools/lib/activity/activity.h" | comm -13 configured - >more
cat more
[[ ! -s more ]]
result "no page recommends other options"
[[ $(pkg-config --libs-only-L --static libactivity) == "$(pkg-config --libs-only-L libactivity)" ]]
result "pkg-config --static changes nothing"

cat >user.c <<'C'
#include <activity.h>
int main(void)
{
	uint8_t trace[16] = { 1 }, span[8] = { 2 };

	activity_set(trace, span);
	return !activity_get(trace, span);
}
C
exported() { # FILE: the symbols by which readers find the record
	nm -D "$1" | awk '$2 ~ /^[BbDdVv]$/ { print $3 }' | grep -xE 'activity_record|otel_thread_ctx_v1' | sort | xargs
}
both="activity_record otel_thread_ctx_v1"

# As pkg-config has it, the linker takes the shared library; with the static one's place for -lactivity the
# program itself has the record, close to the thread pointer.
gcc -O2 -o shared user.c $(pkg-config --cflags --libs libactivity) && ./shared && [[ $(exported usr/lib/libactivity.so) == "$both" ]]
result "pkg-config --libs: the shared library, which exports the record"
static=$(options "$page" | sed "s|^-lactivity$|-l:libactivity.a|")
gcc -O2 -s -o static user.c $(pkg-config --cflags libactivity) -L"$PWD/usr/lib" $static && ./static && [[ $(exported static) == "$both" ]] &&
	! readelf -d static | grep -q libactivity
result "-l:libactivity.a in its place: the program itself exports the record"
gcc -O2 -s -o hidden user.c $(pkg-config --cflags libactivity) -L"$PWD/usr/lib" -l:libactivity.a && [[ -z $(exported hidden) ]]
result "without the other options it does not"

# The pages of tools/sdk are found from the README and libactivity(3), and name files that are there.
for md in "${pages[@]}"; do
	name=Documentation/sdk/${md##*/}
	grep -qF "$name" "$SRC/README.md" && grep -qF "$name" "$page"
	result "README.md and libactivity.3 name $name"
	grep -oE 'tools/[-a-zA-Z_/.]+[a-z]' "$md" | sort -u | while read -r file; do
		[[ -e $SRC/$file ]] || echo "$name names $file, which is not there"
	done >absent
	cat absent
	[[ ! -s absent ]]
	result "$name names files that are there"
done
