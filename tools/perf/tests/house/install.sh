# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts everything under DESTDIR/PREFIX, and what it put there works from there.

root=$PWD/root
usr=$root/opt/perf
# In a clone of the sources' state the build is up to date: this only copies.
make -C "$SRC" --no-print-directory O="$O" install PREFIX=/opt/perf DESTDIR="$root" >install.log 2>&1 ||
	{ cat install.log; echo "not ok - installs"; exit; }
echo "ok - installs"

for file in bin/perf lib/libactivity.a lib/libactivity.so lib/libactivity.so.1 include/activity.h \
	lib/pkgconfig/libactivity.pc share/man/man1/perf.1 share/man/man1/perf-record.1 \
	share/man/man3/libactivity.3 share/bash-completion/completions/perf; do
	[[ -e $usr/$file ]] && echo "ok - $file" || echo "not ok - $file"
done

[[ $("$usr/bin/perf" --version) == "perf version "* ]] && echo "ok - the installed perf runs" ||
	echo "not ok - the installed perf runs"

# A stranger's C and C++ programs, through pkg-config, against the static and the shared library.
cat >user.c <<'C'
#include <activity.h>
int main(void)
{
	uint8_t trace[16] = { 1 }, span[8] = { 2 }, t[16], s[8];

	activity_set(trace, span);
	if (!activity_get(t, s) || t[0] != 1 || s[0] != 2)
		return 1;
	activity_clear();
	return activity_get(t, s);
}
C
cp user.c user.cc
export PKG_CONFIG_PATH=$usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
flags=$(pkg-config --cflags --libs libactivity)
for compiler in "gcc user.c" "g++ user.cc" "gcc -static user.c"; do
	if $compiler -o user $flags >cc.log 2>&1 && LD_LIBRARY_PATH=$usr/lib ./user; then
		echo "ok - libactivity by $compiler"
	else
		cat cc.log
		echo "not ok - libactivity by $compiler"
	fi
done

if command -v man >/dev/null; then
	MANPAGER=cat "$usr/bin/perf" help record 2>&1 | grep -q -e --sample-tls && echo "ok - shows the installed manual" ||
		echo "not ok - shows the installed manual"
else
	echo "ok - shows the installed manual # skip man is not here"
fi
