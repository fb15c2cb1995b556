# SPDX-License-Identifier: GPL-2.0-or-later
# The whole build: sources are found by room, every object goes under O=. `make help` lists
# what there is to make.

O ?= build
# By one name, however it is given: the lists of headers that objects were compiled with (*.d) name
# the objects by it.
override O := $(patsubst $(CURDIR)/%,%,$(abspath $(O)))
SHELL := /bin/bash
CLANG ?= clang
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
all:

include tools/build/features.mk

CFLAGS ?= -O2 -g
house_cflags := -std=gnu11 -fno-strict-aliasing -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wdeclaration-after-statement -Wno-unused-parameter \
	-Wno-missing-field-initializers -Wno-sign-compare -D_GNU_SOURCE \
	-DGLIB_VERSION_MIN_REQUIRED=GLIB_VERSION_2_74 \
	-Itools/lib -Itools/perf -I$(O)/gen $(feature_cflags)
# clang's build of the tests is the analyser: these warnings follow the control flow, and have no false alarm in this tree.
clang_warnings := -Wunreachable-code-aggressive -Wloop-analysis -Wtautological-compare -Wenum-conversion -Wstring-conversion \
	-Wfloat-conversion -Wshift-sign-overflow -Wformat-type-confusion
ifeq ($(DEVELOPER),1)
house_cflags += -Werror $(if $(findstring clang,$(CC)),$(clang_warnings))
endif
ifeq ($(SAN),1)
house_cflags += -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
house_ldflags += -fsanitize=address,undefined
endif
ifeq ($(SAN),thread)
house_cflags += -fsanitize=thread
house_ldflags += -fsanitize=thread
endif
ifeq ($(FUZZ),1)
house_cflags += -fsanitize=fuzzer-no-link
endif
# Of what guides a fuzzer, only the counters: enough for seeds and some seconds, and other programs that are built so are not slowed down.
ifeq ($(FUZZ),counters)
house_cflags += -fsanitize-coverage=inline-8bit-counters,pc-table
endif
# The same bytes wherever the tree is: debug information names the sources by their place in the tree.
ifeq ($(REPRODUCIBLE),1)
map_paths := -ffile-prefix-map=$(CURDIR)=.
endif
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))';)

lib_srcs := $(wildcard tools/lib/*/*.c tools/lib/*/*/*.c)
perf_srcs := $(filter-out tools/perf/bpf/% tools/perf/tests/%,$(wildcard tools/perf/*/*.c tools/perf/*/*/*.c))
house_srcs := $(filter-out $(left_out),$(lib_srcs) $(perf_srcs))
# LINKED="tools/lib/x.o ...": no other objects. FROM=DIR: what WITHOUT= does not change is taken from the build in DIR.
own_srcs := $(if $(FROM),$(filter $(twins),$(house_srcs)),$(house_srcs))
linked = $(if $(LINKED),$(filter $(LINKED:%=$(O)/obj/%),$1),$1)
house_objs := $(call linked,$(own_srcs:%.c=$(O)/obj/%.o)) $(O)/obj/gen/version.o \
	$(patsubst %.c,$(FROM)/obj/%.o,$(filter-out $(own_srcs),$(house_srcs)))
# Messages: tools/lib/ROOM/x.proto becomes gen/ROOM/x.pb-c.[ch], included as "ROOM/x.pb-c.h".
proto_objs := $(if $(have_protobufc),$(patsubst tools/lib/%.proto,$(O)/obj/gen/%.pb-c.o,$(wildcard tools/lib/*/*.proto)))
house_objs += $(proto_objs)
main_obj := $(or $(FROM),$(O))/obj/tools/perf/perf.o

all: $(O)/perf $(O)/libactivity.a $(O)/libactivity.so man headers $(O)/compile_commands.json

# Objects made with other flags (SAN=1 after a plain make) are made again.
flags := $(if $(SAN),SAN) $(if $(FUZZ),FUZZ $(FUZZ)) $(CFLAGS) $(CPPFLAGS) $(map_paths)
$(O)/gen/flags: FORCE
	@mkdir -p $(@D) && { [ "$$(cat $@ 2>/dev/null)" = "$(flags)" ] || echo "$(flags)" >$@; }

# PRECOMPILED=1: see tools/build/usual.h. gcc finds usual.h.gch beside the usual.h that it is to include.
is_clang := $(findstring clang,$(CC))
usual := $(if $(PRECOMPILED),$(O)/gen/usual.$(if $(is_clang),pch,h.gch))
take_usual = $(if $(usual),$(if $(is_clang),-include-pch $(usual),-Winvalid-pch -include $(usual:.gch=)))
$(O)/gen/usual.pch $(O)/gen/usual.h.gch: tools/build/usual.h $(O)/gen/flags
	@mkdir -p $(@D) && cp $< $(@D)
	$(call say,CC,$<) $(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) $(map_paths) -x c-header -o $@ $<

compile = $(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) $(map_paths) $(take_usual) -MMD -MP -c
$(O)/obj/%.o: %.c $(O)/gen/flags $(usual)
	@mkdir -p $(@D)
	$(call say,CC,$<) $(compile) -o $@ $<

$(O)/obj/gen/%.o: $(O)/gen/%.c $(O)/gen/flags $(usual)
	@mkdir -p $(@D)
	$(call say,CC,$<) $(compile) -o $@ $<

$(O)/gen/%.pb-c.c $(O)/gen/%.pb-c.h: tools/lib/%.proto
	@mkdir -p $(@D)
	$(call say,PROTO,$<) protoc-c -Itools/lib --c_out=$(O)/gen $<
$(filter $(addprefix $(O)/obj/tools/,lib/activity/% lib/protobuf/% perf/convert/% perf/export/%),$(house_objs)): | $(proto_objs:$(O)/obj/%.o=$(O)/%.h)

# Made again, too, when another list of objects is wanted.
$(O)/gen/objects: FORCE
	@mkdir -p $(@D)
	$(file >$@.new,$(house_objs))
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(O)/libhouse.a: $(house_objs) $(O)/gen/objects
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $(house_objs)

link = $(CC) $(house_ldflags) $(LDFLAGS) -o $@
$(O)/perf: $(main_obj) $(O)/libhouse.a
	$(call say,LD,$@) $(link) $^ $(feature_libs)

# libactivity goes into other people's programs: never with sanitizers. The shared one finds its
# variables by descriptors where the compiler can: then it may be opened late, and is what readers
# of OpenTelemetry's context expect of a library.
libactivity_cc = $(CC) -std=gnu11 -Wall -Wextra -O2 -g -fPIC -fvisibility=hidden -Itools/lib $(CPPFLAGS) $(map_paths) -MMD -MP -c
descriptors = $(shell $(CC) -mtls-dialect=gnu2 -E -x c /dev/null >/dev/null 2>&1 && \
	echo "-mtls-dialect=gnu2 '-DACTIVITY_TLS_MODEL=\"global-dynamic\"'")
$(O)/obj/libactivity.o: tools/lib/activity/activity.c
	@mkdir -p $(@D)
	$(call say,CC,$<) $(libactivity_cc) -o $@ $<
$(O)/obj/libactivity-shared.o: tools/lib/activity/activity.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<) $(libactivity_cc) $(descriptors) -o $@ $<
$(O)/libactivity.a: $(O)/obj/libactivity.o
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $<
$(O)/libactivity.so: $(O)/obj/libactivity-shared.o
	$(call say,LD,$@) $(CC) -shared -Wl,-soname,libactivity.so.1 -Wl,--build-id $(LDFLAGS) -o $@ $<

# BPF programs: tools/perf/bpf/x.bpf.c becomes gen/bpf/x.skel.h, which record includes as
# "bpf/x.skel.h". The struct names in it are x_bpf.
ifeq ($(have_bpf),1)
bpf_skels := $(patsubst tools/perf/bpf/%.bpf.c,$(O)/gen/bpf/%.skel.h,$(wildcard tools/perf/bpf/*.bpf.c))
$(house_objs) $(main_obj): | $(bpf_skels)
endif
bpf_arch := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m)))

# Programs that need more than Linux 4.20 anyway: atomic operations with a result (Linux 5.12).
$(O)/obj/bpf/pinned.bpf.o $(O)/obj/bpf/wall.bpf.o $(O)/obj/bpf/offcpu.bpf.o: bpf_cpu := -mcpu=v3

$(O)/obj/bpf/%.bpf.o: tools/perf/bpf/%.bpf.c
	@mkdir -p $(@D)
	$(call say,BPF,$<) $(CLANG) -target bpf $(bpf_cpu) -D__TARGET_ARCH_$(bpf_arch) -g -O2 -Wall -Werror -Itools/perf \
		$(map_paths) -MMD -MP -c -o $@ $<

# SKELETONS=DIR: taken from the build in DIR, which has the same programs whatever its other flags are.
ifneq ($(SKELETONS),)
$(O)/gen/bpf/%.skel.h: $(SKELETONS)/gen/bpf/%.skel.h
	@mkdir -p $(@D) && cp $< $@
else
$(O)/gen/bpf/%.skel.h: $(O)/obj/bpf/%.bpf.o
	@mkdir -p $(@D)
	$(call say,SKEL,$@) $(bpftool) gen skeleton $< name $(subst -,_,$*)_bpf >$@.new && mv $@.new $@
endif

# What the page of `perf report --html` is made of.
$(O)/obj/tools/perf/view/html/assets.o: $(wildcard tools/perf/view/html/*.js tools/perf/view/html/*.css \
	tools/perf/view/html/*.html)

# The version: of the clone's last commit where there is one. `make dist` writes it into its archive.
version := 0.1.0
version_full := $(or $(file <.version),$(version)$(addprefix .g,$(shell git rev-parse --short HEAD 2>/dev/null)))
$(O)/gen/version.c: $(O)/gen/features.inc FORCE
	@{ echo '#include "base/version.h"'; echo 'const char version_text[] = "$(version_full)";'; \
	echo 'const struct build_feature build_features[] = {'; cat $<; echo '{ 0 } };'; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Names of system calls, from the header of the system that builds, and numbers of their arguments.
syscall_args := tools/perf/fields/syscalls.args
$(O)/gen/fields/syscalls.h: $(syscall_args) $(O)/gen/features.mk
	@mkdir -p $(@D)
	@{ echo 'static const struct syscall_row syscalls[] = {'; echo '#include <asm/unistd.h>' | \
	$(CC) -E -dM - | sed -nE 's/^#define __NR_([a-z0-9_]+) ([0-9]+)$$/\2 \1/p' | sort -n | \
	awk 'FNR == NR { for (i = 2; i <= NF; i++) args[$$i] = $$1; next } \
	{ printf "[%d] = { \"%s\", %d },\n", $$1, $$2, ($$2 in args) ? args[$$2] : 6 }' $(syscall_args) -; echo '};'; } >$@
$(O)/obj/tools/perf/fields/waits.o: $(O)/gen/fields/syscalls.h

# Manual pages are written in mdoc(7); the build only puts them where `perf help` looks.
man_srcs := $(wildcard Documentation/man/*.[1-9])
man_pages := $(foreach p,$(man_srcs),$(O)/man/man$(subst .,,$(suffix $p))/$(notdir $p))
man: $(man_pages)
$(O)/man/man1/%: Documentation/man/%
	@mkdir -p $(@D) && cp $< $@
$(O)/man/man3/%: Documentation/man/%
	@mkdir -p $(@D) && cp $< $@

# For programs that are built with the libactivity of this folder.
headers := $(addprefix $(O)/include/,activity.h $(patsubst %,activity/%.h,inline publish record slow))
headers: $(headers)
$(O)/include/activity.h: tools/lib/activity/activity.h
	@mkdir -p $(@D) && cp $< $@
$(O)/include/activity/%.h: tools/lib/activity/%.h
	@mkdir -p $(@D) && cp $< $@

comma := ,
$(O)/compile_commands.json: Makefile $(O)/gen/features.mk $(lib_srcs) $(perf_srcs)
	$(file >$@,[)
	$(foreach s,$(house_srcs),$(file >>$@,{ "directory": "$(CURDIR)"$(comma) "file": "$s"$(comma) \
	"command": "$(subst ",\",$(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS)) -c $s" }$(comma)))
	$(file >>$@,{ "directory": "$(CURDIR)"$(comma) "file": "tools/perf/perf.c"$(comma) \
	"command": "$(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) -c tools/perf/perf.c" }])

include tools/build/tests.mk
include tools/build/install.mk
include tools/build/package/package.mk

demo:
	@tools/build/deps build
	@$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc)) \
		all $(addprefix $(O)/tests/workloads/,orders shop release-2/shop waiting)
	@O=$(O) tools/perf/tests/demo

deps:
	@tools/build/deps

fresh:
	@DIST=$(DIST) MIRROR=$(MIRROR) KEEP=$(KEEP) tools/build/fresh

clean:
	rm -rf $(O)

help:
	@sed -n 's/^#= //p' $(MAKEFILE_LIST) Makefile tools/build/*.mk | awk '!seen[$$0]++'

#= make              the perf binary, libactivity, manual pages, under O=build
#= make demo         the main job, on a bundled server: record it live, report, annotate
#= make quick        a minute for the inner loop: build, tidy, the short units, cases
#= make check        every test; ends in "N passed, N failed, N skipped"
#= make deps         install the packages that the build and the tests need
#= make fresh        make demo and make check in a new minimal Debian (DIST=bookworm|trixie, KEEP=DIR)
#= make install      PREFIX=/usr/local DESTDIR=; BESIDE=1: as perf-activity, beside the kernel's perf
#= make deb|rpm      packages of the last commit, in O/package; make dist: its sources. Documentation/packaging.md
#= make static       one program for any x86-64 Linux from 5.8 on, in O/package
#= make sbom         O/perf.spdx.json: what perf is linked with
#= make reproducible builds the packages twice, and compares the bytes
#= make unit|cases|live|compat|hostile|house|page|tidy    one kind of test; `make cases UPDATE=1` rewrites what they expect
#= make oracle       data types against the truth, into Documentation/oracle.md; PEER=ROOT asks that root's perf anew
#= make diff-oracle  PAIRS=1000 forged pairs of recordings for each of SEEDS=1,2,3, and builds of SQLITE=DIR: what does perf diff call certain? Into Documentation/diff.md
#= make critical-oracle  critical paths of programs that know what they waited for, into Documentation/critical.md; REQUESTS=20 each; SHAPES="mutex": only these rows
#= make critical-programs  the same of PostgreSQL, Redis, nginx, Python and SQLite, as far as they are installed; PROGRAMS="redis": only these rows
#= make skid-oracle  samples of programs that know which access waits, into Documentation/skid.md
#= make breakpoint-oracle  hits of data breakpoints on objects of known type in real programs, there too
#= make skid-misses  samples beside the misses of a simulated cache, there too
#= make unwind-oracle   call chains beside gdb's and elfutils', into Documentation/callchains.md; make unwind-ends: how stacks end
#= make conformance  upstream's own shell tests, with PEER=ROOT's perf as control, into Documentation/conformance.md
#= make long         the live tests that take half a minute and more
#= make matrix       everybody's publishers in every kind of program, recorded and held against their logs
#= make mutants      N=200 changed lines of the product, drawn with SEED=1: which do the SUITES="unit cases" notice? KEEP=DIR. Documentation/mutants.md
#= make fuzz         every fuzz target for FUZZ_SECONDS=60
#= make kernel-lab   build a kernel with tools/kernel/patches, boot it in QEMU, record there
#= make metrics      figures of the sources: rooms, functions, comments, options
#= make bench        report time and peak memory side by side with stock perf
#= make reprobe      look again for optional libraries; WITHOUT="libzstd ..." leaves some out
#= make clean        remove O
#=
#= V=1 shows commands, O=DIR builds there, SAN=1 adds ASan and UBSan, DEVELOPER=1 makes
#= warnings errors, CC= CFLAGS= LDFLAGS= CLANG= PKG_CONFIG= BPFTOOL= are the usual ones.

FORCE:
.PHONY: all man headers demo deps clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:
-include $(wildcard $(O)/obj/bpf/*.d) $(house_objs:.o=.d) $(main_obj:.o=.d) $(O)/obj/libactivity.d $(O)/obj/libactivity-shared.d
