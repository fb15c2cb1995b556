#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Packages: their files and where they are, beside the kernel's perf; equal bytes of two builds; the bill of materials; the static
# program, the RPM packages, and everything built twice. Only in the suite long: it builds in the tree that other tests use.
. "$SRC/tools/perf/tests/tap"
((${LONG:-0})) || skip_all packages "it takes longer: make long"
git -C "$SRC" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip_all packages "this is no clone"
plan 32
result() { (($? == 0)) && pass "$1" || { tail -n 20 log 2>/dev/null; fail "$1"; }; }

# links_lead: README's links into Documentation are to what is in the list `contents` of a package.
links_lead() {
	local folder path
	folder=$(sed -n 's|/README.md$||p' contents)
	grep -oE '\]\(Documentation/[^)#]+' "$SRC/README.md" | sed 's/^](//' | sort -u >links
	while read -r path; do grep -qxF "$folder/$path" contents || echo "$path is not there"; done <links >log
	[[ $folder && -s links && ! -s log ]]
}

in_tree() { make -C "$SRC" --no-print-directory O="$O" "$@" >log 2>&1; }

# The bill of materials: each library that perf needs, and libiberty, which exists as an archive only.
in_tree sbom
result "make sbom"
if ! command -v python3 >/dev/null || ! command -v dpkg-query >/dev/null; then
	skip "the bill of materials names what perf is linked with" "python3 or dpkg is not here"
else
	LC_ALL=C ldd "$PERF" | grep -oE '/[^ ]+/lib(elf|dw|capstone|slang)[^ ]*' | xargs -n 1 realpath >libraries
	python3 - "$O/perf.spdx.json" libraries >log 2>&1 <<'PY'
import json, os, sys
bill = json.load(open(sys.argv[1]))
packages = {p["SPDXID"]: p for p in bill["packages"]}
links = {kind: [packages[r["relatedSpdxElement"]] for r in bill["relationships"] if r["relationshipType"] == kind]
         for kind in ("DESCRIBES", "STATIC_LINK", "DYNAMIC_LINK")}
assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
assert len(packages) == len(bill["packages"]) == sum(map(len, links.values()))
assert [p["name"] for p in links["DESCRIBES"]] == ["perf-activity"]
unlicensed = [p["name"] for p in packages.values() if p["licenseDeclared"] == "NOASSERTION"]
assert not unlicensed, unlicensed
dynamic = " ".join(p["comment"] for p in links["DYNAMIC_LINK"])
for library in open(sys.argv[2]).read().split():
    assert os.path.basename(library) + " sha256:" in dynamic, library
assert "libiberty.a sha256:" in " ".join(p["comment"] for p in links["STATIC_LINK"])
PY
	result "the bill of materials names what perf is linked with"
fi

# Two folders with names of other lengths. What the probe found is the same.
for folder in one the-other; do
	git clone -q "$SRC" $folder && mkdir -p $folder/build/gen && cp "$O"/gen/features.* $folder/build/gen/
	(cd $folder && umask $([[ $folder == one ]] && echo 022 || echo 077) && make O=build REPRODUCIBLE=1 build/libactivity.so build/obj/tools/lib/base/text.o \
		build/obj/tools/perf/view/html/assets.o build/gen/bpf/offcpu.skel.h) >log 2>&1
done
for file in libactivity.so obj/tools/lib/base/text.o obj/tools/perf/view/html/assets.o gen/bpf/offcpu.skel.h; do
	if [[ $file == *.skel.h && ! -e $O/gen/bpf ]]; then
		skip "equal bytes: $file" "this build has no BPF"
	else
		cmp one/build/$file the-other/build/$file >>log 2>&1
		result "equal bytes: $file"
	fi
done
! strings -a one/build/libactivity.so one/build/obj/tools/lib/base/text.o | grep -F "$PWD" >log
result "no path of the build folder is in them"

# Each file that BESIDE=1 installs is in the list of one RPM package, and each list's file is there.
in_tree install BESIDE=1 PREFIX=/usr DESTDIR="$PWD/root"
result "make install BESIDE=1"
(cd root && find . \( -type f -o -type l \) | sed 's/^\.//' | sort) >files
sed -n '/^%files/,$p' "$SRC/tools/build/package/perf-activity.spec.in" | grep -oE '^%\{[a-z]+\}/.*' |
	sed -e 's|%{_bindir}|/usr/bin|; s|%{plain_libdir}\|%{_libdir}|/usr/lib|; s|%{_datadir}|/usr/share|; s|%{_mandir}|/usr/share/man|' \
		-e 's|%{_includedir}|/usr/include|; s|\*$||' >listed
grep -vE "^($(paste -sd'|' listed | sed 's/\./\\./g'))(/|$)" files >log
[[ ! -s log && -s files ]] && while read -r path; do [[ -e root$path || -L root$path ]] || echo "$path is not there"; done <listed >log && [[ ! -s log ]]
result "the lists of the spec file are what is installed"
[[ $(root/usr/bin/perf-activity --version) == "perf version "* ]]
result "perf-activity runs"
mkdir viewers && printf '#!/bin/sh\necho "$1"\n' >viewers/man && chmod +x viewers/man
page=root/usr/share/perf-activity/man/man1/perf-record.1
PATH=$PWD/viewers:$PATH root/usr/bin/perf-activity help record >log && [[ $(realpath "$(<log)") == "$PWD/$page" ]]
result "it shows its own pages"
gzip "$page"
PATH=$PWD/viewers:$PATH root/usr/bin/perf-activity help record >log && [[ $(realpath "$(<log)") == "$PWD/$page.gz" ]]
result "also if a package has compressed them"
bash -c ". root/usr/share/bash-completion/completions/perf-activity; complete -p perf-activity && ! complete -p perf" >log 2>&1
result "its completion leaves that of perf alone"
mandoc -W warning -T lint root/usr/share/man/man1/perf-activity.1 >log 2>&1
(($? <= 1)) || ! command -v mandoc >/dev/null
result "perf-activity.1 is clean mdoc"

# The build that is there, as Debian packages. Another compression: speed.
packages=(perf-activity libactivity1 libactivity-dev perf-activity-doc)
if ! command -v dh >/dev/null || ! command -v dpkg-buildpackage >/dev/null; then
	skip "Debian packages" "debhelper is not here" 9
else
	export XZ_OPT=-0 DEB_BUILD_OPTIONS=noautodbgsym NO_DEPENDS=1 BUILT="$SRC $O"
	in_tree package_dir="$PWD/out" deb
	result "make deb"
	[[ $(ls out/*.deb | sed 's|.*/||; s|_.*||' | sort) == $(printf '%s\n' "${packages[@]}" | sort) ]]
	result "the four packages"
	for package in "${packages[@]}"; do
		dpkg-deb -c out/"$package"_*.deb | awk '$1 !~ /^d/ { print $6 }' | sed 's/^\.//'
	done | sort >owned
	[[ -s owned && ! $(uniq -d owned) ]] && grep -qx /usr/bin/perf-activity owned && grep -q 'libactivity\.so\.1$' owned &&
		grep -q 'system/perf-wall\.service$' owned && grep -qx /usr/share/doc/perf-activity/perf.spdx.json owned
	result "no file is in two of them"
	if dpkg -L linux-perf >theirs 2>/dev/null; then
		! grep -vE '^(/\.|diverted|package diverts)' theirs | while read -r path; do [[ -d $path ]] || echo "$path"; done |
			grep -Fx -f owned >log
		result "no file is in linux-perf, too"
	else
		skip "no file is in linux-perf, too" "linux-perf is not installed"
	fi
	dpkg-deb -f out/perf-activity_*.deb Built-Using Depends >log && grep -q 'Built-Using:.*libiberty (= ' log && grep -q 'Depends:.*libdw1' log &&
		! dpkg-deb -f out/perf-activity_*.deb Conflicts Replaces Breaks | grep .
	result "what they need, and what is in them"
	dpkg-deb -I out/perf-activity_*.deb prerm >log && grep -q 'stop perf-wall\.service' log && dpkg-deb -I out/perf-activity_*.deb postrm >log &&
		grep -q '/var/log/perf/wall' log
	result "the service ends with its package, and its recordings when that is purged"
	dpkg-deb -c out/perf-activity-doc_*.deb | awk '{ print $6 }' | sed 's|/$||' >contents && links_lead
	result "the links of its README lead to documents"
	if command -v lintian >/dev/null; then
		lintian --allow-root --fail-on error,warning out/*.changes >log 2>&1
		result "lintian"
	else
		skip "lintian" "lintian is not here"
	fi
	. /etc/os-release
	if ((EUID)) || ! command -v debootstrap >/dev/null || [[ ! ${VERSION_CODENAME:-} =~ ^(bookworm|trixie)$ ]]; then
		skip "in a new minimal system: installed, used, purged" "needs root and debootstrap, on Debian 12 or 13"
	elif DIST=$VERSION_CODENAME WITH="$(echo out/*.deb)" "$SRC/tools/build/fresh" "tools/build/package/installed /src/with" >log 2>&1; then
		(($(grep -c '^ok' log) == 14)) && ! grep -q '^not ok' log
		result "in a new minimal system: installed, used, purged"
	elif grep -q 'debootstrap failed' log; then
		skip "in a new minimal system: installed, used, purged" "no packages can be fetched"
	else
		false
		result "in a new minimal system: installed, used, purged"
	fi
fi

unset BUILT XZ_OPT DEB_BUILD_OPTIONS
in_tree package_dir="$PWD/out" static && ! grep -i 'warning: Using' log
result "make static, and its C library loads nothing"
static=$(ls out/perf-*-x86_64)
(($(stat -c %s "$static") < 25000000)) && readelf -lW "$static" >log && ! grep -q INTERP log
result "one file of less than 25 MB"
if ((EUID)) || ! command -v busybox >/dev/null || ! command -v musl-gcc >/dev/null || ! tmux -V >/dev/null 2>&1; then
	skip "the static perf where there is no system" "needs root, busybox, musl-gcc and tmux"
else
	gcc -std=gnu11 -O2 -g -pthread -static -D_GNU_SOURCE -I"$SRC/tools/lib" -o orders "$SRC/tools/perf/tests/workloads/orders.c" "$O/libactivity.a" -lm
	"$SRC/tools/build/package/bare" "$static" orders >log 2>&1 && (($(grep -c '^ok' log) == 16)) && ! grep -q '^not ok' log
	result "the static perf where there is no system"
fi
if ! command -v rpmbuild >/dev/null; then
	skip "RPM packages" "rpmbuild is not here" 4
else
	in_tree package_dir="$PWD/out" rpm
	result "make rpm"
	[[ $(ls out/*.rpm | sed -E 's|.*/||; s|-[0-9].*||; /-debuginfo$/d' | sort | paste -sd' ') == "libactivity libactivity-devel perf-activity perf-activity-doc" ]]
	result "the four RPM packages"
	(cd out && rpm -qp --qf '[%{FILELINKTOS} %{FILENAMES}\n]' ./*.rpm) >linked && grep -q '^libactivity\.so\.1 ' linked && ! grep '^/' linked >log
	result "no link leads out of them"
	rpm -qlp out/perf-activity-doc-*.rpm >contents && links_lead
	result "the links of their README lead to documents"
fi
if command -v dh >/dev/null; then
	in_tree package_dir="$PWD/out" reproducible
	result "two builds of everything have equal bytes"
else
	skip "two builds of everything have equal bytes" "debhelper is not here"
fi
! grep -rqF "$PWD" out/*.spdx.json
result "no path of the build folder is in the bill of materials"
