# SPDX-License-Identifier: GPL-2.0-or-later
# Features of the build: which libraries and tools this machine has, and what the build leaves out without them.
#
# tools/build/probe runs once and writes gen/features.mk (have_X, feature_cflags, feature_libs). Then make restarts
# and reads that file. `make reprobe` runs the probe again.
#
# The code of an optional feature is in separate files (with_X). If other code calls it, a replacement file defines the
# same functions, which report that the feature is missing (without_X).

ifeq ($(origin CC),default)
CC := gcc
endif

# These targets compile nothing themselves. On a new machine there may be no compiler yet.
ifneq ($(filter-out help deps fresh clean reprobe check demo fuzz,$(or $(MAKECMDGOALS),all)),)
include $(O)/gen/features.mk
endif

export WITHOUT BPFTOOL STATIC
$(O)/gen/features.mk: tools/build/probe
	@CC="$(CC)" CLANG="$(CLANG)" PKG_CONFIG="$(PKG_CONFIG)" tools/build/probe $(O)/gen
$(O)/gen/features.inc: $(O)/gen/features.mk ;

reprobe:
	@rm -f $(O)/gen/features.*
	@$(MAKE) --no-print-directory $(O)/gen/features.mk
.PHONY: reprobe

optional := zydis libiberty liblzma libzstd minizip libtraceevent yajl protobufc slang bpf debuginfod libcurl

with_zydis := tools/lib/insn/zydis.c
without_zydis := tools/lib/insn/zydis_none.c
with_libiberty := tools/lib/dso/demangle.c
without_libiberty := tools/lib/dso/demangle_none.c
with_liblzma := tools/lib/dso/minidebug.c
without_liblzma := tools/lib/dso/minidebug_none.c
with_libzstd := tools/lib/parquet/compress.c tools/lib/perfdata/read/inflate.c tools/lib/perfdata/read/inflate_ahead.c tools/lib/perfdata/write/deflate.c
without_libzstd := tools/lib/parquet/compress_none.c tools/lib/perfdata/read/inflate_none.c tools/lib/perfdata/write/deflate_none.c
with_minizip := tools/lib/dso/packed.c
without_minizip := tools/lib/dso/packed_none.c
with_libtraceevent := tools/perf/resolve/trace.c
without_libtraceevent := tools/perf/resolve/trace_none.c
with_yajl := tools/lib/json/json.c
without_yajl := tools/lib/json/json_none.c
with_protobufc := tools/lib/activity/process_otel.c tools/lib/protobuf/message.c \
	$(patsubst %,tools/perf/export/exchange/%.c,pprof otlp perfetto) tools/perf/convert/profile_pprof.c tools/perf/convert/profile_otlp.c
without_protobufc := tools/lib/activity/process_otel_none.c tools/perf/export/exchange/protobuf_none.c tools/perf/convert/profile_none.c
with_bpf := tools/perf/record/tls/bpf.c tools/perf/record/tls/count.c \
	tools/perf/record/stack_source.c tools/perf/record/kernel_reader.c $(patsubst %,tools/perf/record/waits/%.c,wall_bpf wall_ticks wall_thread offcpu latency) \
	$(patsubst %,tools/perf/detached/%.c,pinned pinned_map pinned_save processes crash_stack)
without_bpf := tools/perf/record/tls/bpf_none.c tools/perf/record/stack_source_none.c tools/perf/record/kernel_reader_none.c tools/perf/detached/pinned_none.c tools/perf/detached/crash_stack_none.c \
	$(patsubst %,tools/perf/record/waits/%_none.c,wall_bpf offcpu latency)
with_debuginfod := tools/lib/dso/debuginfod.c
without_debuginfod := tools/lib/dso/debuginfod_none.c
with_libcurl := tools/perf/ship/server.c
without_libcurl := tools/perf/ship/server_none.c
with_slang := tools/lib/term/terminal.c tools/lib/term/restore.c
without_slang := tools/lib/term/terminal_none.c

# STATIC=1: one program that needs no file of a system. static_libc.c replaces what the static C library would load.
static_source := tools/lib/base/static_libc.c
static_wraps := dlopen getpwnam_r getpwuid getpwuid_r setlocale
ifeq ($(STATIC),1)
house_ldflags += -static $(foreach f,$(static_wraps),-Wl,--wrap=$f -Wl,--undefined=__wrap_$f)
endif

twins := $(foreach f,$(optional),$(with_$f) $(without_$f))
left_out := $(if $(filter 1,$(STATIC)),,$(static_source)) \
	$(foreach f,$(optional),$(if $(have_$f),$(without_$f),$(with_$f)))
