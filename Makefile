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
CC ?= gcc
CLANG ?= clang
PKG_CONFIG ?= pkg-config
include tools/build/probes.mk

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
house_objs := $(house_srcs:%.c=$(O)/obj/%.o)
main_obj := $(O)/obj/tools/perf/perf.o

all: $(O)/perf

$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(house_cflags) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(O)/libhouse.a: $(house_objs)
	$(call say,AR,$@) rm -f $@ && ar rcs $@ $(house_objs)

$(O)/perf: $(main_obj) $(O)/libhouse.a
	$(call say,LD,$@) $(CC) $(house_ldflags) $(LDFLAGS) -o $@ $^ $(feature_libs)

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

.PHONY: all unit clean
.SECONDARY:
-include $(house_objs:.o=.d) $(main_obj:.o=.d) $(unit_srcs:%.c=$(O)/obj/%.d)
