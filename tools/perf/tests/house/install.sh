# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts everything under DESTDIR/PREFIX, and what it put there works from there.
. "$SRC/tools/perf/tests/tap"
plan 33
root=$PWD/root
usr=$root/opt/perf
# In a clone of the sources' state the build is up to date: this only copies.
make -C "$SRC" --no-print-directory O="$O" install PREFIX=/opt/perf DESTDIR="$root" >install.log 2>&1 ||
	{ cat install.log; echo "not ok - installs"; exit; }
echo "ok - installs"

for file in bin/perf lib/libactivity.a lib/libactivity.so lib/libactivity.so.1 include/activity.h include/activity/inline.h \
	lib/pkgconfig/libactivity.pc share/man/man1/perf.1 share/man/man1/perf-record.1 \
	share/man/man3/libactivity.3 share/bash-completion/completions/perf lib/systemd/system/perf-wall.service \
	lib/systemd/system/perf-ship.service \
	share/perf/sql/duckdb/schema.sql share/perf/sql/clickhouse/flame.sql; do
	[[ -e $usr/$file ]] && echo "ok - $file" || echo "not ok - $file"
done

[[ $("$usr/bin/perf" --version) == "perf version "* ]] && echo "ok - the installed perf runs" ||
	echo "not ok - the installed perf runs"

# The systemd unit starts the installed perf with valid options, and systemd accepts the unit.
words=$(sed -n "s|^ExecStart=/opt/perf/bin/perf ||p" "$usr/lib/systemd/system/perf-wall.service")
[[ $words == "record "* ]] && "$usr/bin/perf" ${words/%L/.} --dry-run >unit.log 2>&1 && echo "ok - the unit's words" ||
	{ cat unit.log; echo "not ok - the unit's words"; }
if systemd-analyze --version >/dev/null 2>&1; then
	sed "s|^ExecStart=/opt|ExecStart=$root/opt|" "$usr/lib/systemd/system/perf-wall.service" >perf-wall.service
	systemd-analyze verify --man=no "$PWD/perf-wall.service" >unit.log 2>&1 && ! grep perf-wall unit.log &&
		pass "systemd takes the unit" || { cat unit.log; fail "systemd takes the unit"; }
else
	skip "systemd takes the unit" "systemd-analyze does not run here"
fi
words=$(sed -n "s|^ExecStart=/opt/perf/bin/perf ||p" "$usr/lib/systemd/system/perf-ship.service")
"$usr/bin/perf" $(sed 's|%L/perf|.|; s|%E|.|; s|\${.*}|http://127.0.0.1:1|' <<<"$words") --once >unit.log 2>&1
[[ $? != 129 ]] && pass "the words of the unit that sends" || { cat unit.log; fail "the words of the unit that sends"; }
if systemd-analyze --version >/dev/null 2>&1; then
	sed "s|^ExecStart=/opt|ExecStart=$root/opt|" "$usr/lib/systemd/system/perf-ship.service" >perf-ship.service
	systemd-analyze verify --man=no "$PWD/perf-ship.service" >unit.log 2>&1 && ! grep perf-ship unit.log &&
		pass "systemd takes it" || { cat unit.log; fail "systemd takes it"; }
else
	skip "systemd takes it" "systemd-analyze does not run here"
fi

# C and C++ programs outside of the tree, built with pkg-config and the static and the shared library.
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

# README's recipe for the tree, before an installation.
if cc -I"$O/include" -o user user.c "$O/libactivity.a" >cc.log 2>&1 && ./user; then
	echo "ok - libactivity of the build folder"
else
	cat cc.log
	echo "not ok - libactivity of the build folder"
fi

# The same in two files that share the header alone, as strict C and as C++ with its guards.
cat >other.c <<'C'
#include <activity.h>
int other(struct activity_span *before, const uint8_t *span);
int other(struct activity_span *before, const uint8_t *span)
{
	activity_push(before, span);
	return activity_attribute(activity_key("route"), "/", 1);
}
C
cat >alone.c <<'C'
#include <activity.h>
int other(struct activity_span *before, const uint8_t *span);
int main(void)
{
	uint8_t trace[16] = { 1 }, span[8] = { 2 }, child[8] = { 3 };
	struct activity_span before;
	struct activity_ids ids;

	activity_set(trace, span);
	if (!other(&before, child) || !activity_look(&ids) || ids.depth != 2 || ids.parent_id[0] != 2)
		return 1;
	activity_pop(&before);
	return !(activity_look(&ids) && ids.depth == 1 && ids.span_id[0] == 2);
}
C
cat >guards.cc <<'C'
#include <activity.h>
#include <stdexcept>
static void fails()
{
	activity::span span;
	throw std::runtime_error("within a span");
}
int main()
{
	const uint8_t trace[16] = { 1 }, id[8] = { 2 };
	activity_ids ids;
	{
		activity::scope scope(trace, id);
		try {
			fails();
		} catch (const std::exception &) {
		}
		if (!activity_look(&ids) || ids.depth != 1 || ids.span_id[0] != 2)
			return 1;
		activity::span span;
		if (!activity_look(&ids) || ids.depth != 2 || ids.root_id[0] != 2)
			return 1;
	}
	return activity_look(&ids);
}
C
headers=(-DACTIVITY_HEADER_ONLY -D_GNU_SOURCE -I"$usr/include" -pthread)
for compiler in "gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 alone.c other.c" \
	"clang -std=c11 -Wall -Wextra -Werror -O0 alone.c other.c" "gcc -static alone.c other.c" \
	"g++ -std=c++11 -Wall -Wextra -Werror guards.cc"; do
	if ! command -v "${compiler%% *}" >/dev/null; then
		skip "the header alone by $compiler" "there is none here"
	elif $compiler -o alone "${headers[@]}" >cc.log 2>&1 && ./alone; then
		echo "ok - the header alone by $compiler"
	else
		cat cc.log
		echo "not ok - the header alone by $compiler"
	fi
done
if g++ -std=c++11 -O1 -o guards guards.cc $flags >cc.log 2>&1 && LD_LIBRARY_PATH=$usr/lib ./guards; then
	echo "ok - C++ guards"
else
	cat cc.log
	echo "not ok - C++ guards"
fi

# Other readers find the record by its exported symbols, also in a stripped program.
if gcc -o user -s user.c ${flags/-lactivity/} "$usr/lib/libactivity.a" >cc.log 2>&1 &&
	nm -D user | grep -q ' otel_thread_ctx_v1$' && nm -D "$usr/lib/libactivity.so" | grep -q ' B activity_record$'; then
	echo "ok - exported symbols"
else
	cat cc.log
	echo "not ok - exported symbols"
fi

# Any language that can call C: every function by ctypes.
cat >user.py <<'PY'
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
class Span(ctypes.Structure):
    _fields_ = [("words", ctypes.c_uint64 * 4)]
class Context(ctypes.Structure):
    _fields_ = [("words", ctypes.c_uint64 * 6), ("size", ctypes.c_uint16), ("attributes", ctypes.c_uint8 * 164)]
class Ids(ctypes.Structure):
    _fields_ = [("trace", ctypes.c_uint8 * 16), ("span", ctypes.c_uint8 * 8), ("parent", ctypes.c_uint8 * 8),
                ("root", ctypes.c_uint8 * 8), ("depth", ctypes.c_uint32), ("flags", ctypes.c_uint8)]
for name in "get look attribute describe".split():
    getattr(lib, "activity_" + name).restype = ctypes.c_bool
trace, span, child = bytes(range(1, 17)), bytes(range(17, 25)), ctypes.create_string_buffer(8)
ids, before, saved, detached, other = Ids(), Span(), Context(), Context(), Context()
def look():
    return lib.activity_look(ctypes.byref(ids))
assert not look()
assert lib.activity_describe(b"service.name", b"python")
key = lib.activity_key(b"route")
assert key == 0
lib.activity_set(trace, span)
lib.activity_flags(1)
lib.activity_save(ctypes.byref(saved))
assert lib.activity_attribute(key, b"/orders", ctypes.c_size_t(7))
lib.activity_new_span_id(child)
lib.activity_push(ctypes.byref(before), child)
assert look() and ids.depth == 2 and bytes(ids.parent) == span and bytes(ids.span) == child.raw and ids.flags == 1
lib.activity_pop(ctypes.byref(before))
lib.activity_detach(ctypes.byref(detached))
assert not look()
lib.activity_swap(ctypes.byref(other), ctypes.byref(detached))
assert look() and bytes(ids.trace) == trace
lib.activity_clear()
lib.activity_attach(ctypes.byref(detached))
assert look() and bytes(ids.span) == span
lib.activity_clear()
lib.activity_restore(ctypes.byref(saved))
got = ctypes.create_string_buffer(16), ctypes.create_string_buffer(8)
assert lib.activity_get(*got) and got[0].raw == trace and got[1].raw == span
lib.activity_new_trace_id(got[0])
assert any(got[0].raw)
assert "OTEL_CTX" in open("/proc/self/maps").read()
PY
if ! command -v python3 >/dev/null; then
	skip "ctypes" "there is no python3 here"
elif python3 user.py "$usr/lib/libactivity.so" 2>py.log; then
	echo "ok - ctypes"
else
	cat py.log
	echo "not ok - ctypes"
fi

if command -v man >/dev/null; then
	MANPAGER=cat "$usr/bin/perf" help record 2>&1 | grep -q -e --sample-tls && echo "ok - shows the installed manual" ||
		echo "not ok - shows the installed manual"
else
	skip "shows the installed manual" "man is not here"
fi
