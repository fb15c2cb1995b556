# SPDX-License-Identifier: GPL-2.0-or-later
# The whole build: sources are found by room, every object goes under O=.
#
#   make            the perf binary, libactivity          make check     all tests
#   make demo       the main job on a bundled server      make deps      install what is missing
#   make install PREFIX=/usr/local DESTDIR=               make help      everything else
#
# V=1 shows commands, SAN=1 adds ASan+UBSan, DEVELOPER=1 makes warnings errors, O=DIR builds there.

O ?= build
SHELL := /bin/bash
CLANG ?= clang
PKG_CONFIG ?= pkg-config
all:

include tools/build/features.mk

CFLAGS ?= -O2 -g
house_cflags := -std=gnu11 -fno-strict-aliasing -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wdeclaration-after-statement -Wno-unused-parameter \
	-Wno-missing-field-initializers -Wno-sign-compare -D_GNU_SOURCE \
	-Itools/lib -Itools/perf -I$(O)/gen $(feature_cflags)
ifeq ($(DEVELOPER),1)
house_cflags += -Werror
endif
ifeq ($(SAN),1)
house_cflags += -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
house_ldflags += -fsanitize=address,undefined
endif
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))';)

lib_srcs := $(wildcard tools/lib/*/*.c)
perf_srcs := $(filter-out tools/perf/bpf/% tools/perf/tests/%,$(wildcard tools/perf/*/*.c tools/perf/*/*/*.c))
house_srcs := $(filter-out $(left_out),$(lib_srcs) $(perf_srcs))
house_objs := $(house_srcs:%.c=$(O)/obj/%.o) $(O)/obj/gen/version.o
main_obj := $(O)/obj/tools/perf/perf.o

all: $(O)/perf

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(O)/obj/gen/%.o: $(O)/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(O)/libhouse.a: $(house_objs)
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $(house_objs)

$(O)/perf: $(main_obj) $(O)/libhouse.a
	$(call say,LD,$@) $(CC) $(house_ldflags) $(LDFLAGS) -o $@ $^ $(feature_libs)

# BPF programs: tools/perf/bpf/x.bpf.c becomes gen/bpf/x.skel.h, which record includes as
# "bpf/x.skel.h". The struct names in it are x_bpf.
ifeq ($(have_bpf),1)
bpf_skels := $(patsubst tools/perf/bpf/%.bpf.c,$(O)/gen/bpf/%.skel.h,$(wildcard tools/perf/bpf/*.bpf.c))
$(house_objs) $(main_obj): | $(bpf_skels)
endif
bpf_arch := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m)))

$(O)/obj/bpf/%.bpf.o: tools/perf/bpf/%.bpf.c
	@mkdir -p $(@D)
	$(call say,BPF,$<) $(CLANG) -target bpf -D__TARGET_ARCH_$(bpf_arch) -g -O2 -Wall -Werror -Itools/perf \
		-MMD -MP -c -o $@ $<

$(O)/gen/bpf/%.skel.h: $(O)/obj/bpf/%.bpf.o
	@mkdir -p $(@D)
	$(call say,SKEL,$@) $(bpftool) gen skeleton $< name $(subst -,_,$*)_bpf >$@.new && mv $@.new $@

# The version: of the clone's last commit where there is one.
version := 0.1.0
version_full := $(version)$(addprefix .g,$(shell git rev-parse --short HEAD 2>/dev/null))
$(O)/gen/version.c: $(O)/gen/features.inc FORCE
	@{ echo '#include "base/version.h"'; echo 'const char version_text[] = "$(version_full)";'; \
	echo 'const struct build_feature build_features[] = {'; cat $<; echo '{ 0 } };'; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Unit tests: each tests/unit/test_X.c is a cmocka program over the house's objects.
unit_srcs := $(wildcard tools/perf/tests/unit/test_*.c)
unit_bins := $(unit_srcs:tools/perf/tests/unit/%.c=$(O)/tests/unit/%)

$(O)/tests/unit/%: $(O)/obj/tools/perf/tests/unit/%.o $(O)/libhouse.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(house_ldflags) $(LDFLAGS) -o $@ $^ $(feature_libs) -lcmocka

unit: $(unit_bins)
	@fail=0; for t in $(unit_bins); do $$t >$$t.log 2>&1 || { fail=1; cat $$t.log; echo "FAILED $$t"; }; done; exit $$fail

clean:
	rm -rf $(O)

FORCE:
.PHONY: all unit clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
-include $(house_objs:.o=.d) $(main_obj:.o=.d) $(unit_srcs:%.c=$(O)/obj/%.d)
