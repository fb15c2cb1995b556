# SPDX-License-Identifier: GPL-2.0-or-later
# Builds and runs the tests. tools/perf/tests/check describes the kinds of tests.

tests_dir := tools/perf/tests

# TEST_LDFLAGS: for these programs, and not for perf.
test_link = $(link) $(TEST_LDFLAGS)

# The forge makes perf.data from text. It is a program, and forge_text() ("tests/forge/forge.h") for other tests.
forge_objs := $(patsubst %.c,$(O)/obj/%.o,$(wildcard $(tests_dir)/forge/*.c $(tests_dir)/columnar/*.c $(tests_dir)/insn/*.c $(tests_dir)/unwind/*.c))
forge_main := $(O)/obj/$(tests_dir)/forge/main.o
forge := $(O)/tests/forge

$(O)/libforge.a: $(filter-out $(forge_main),$(forge_objs))
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $^
test_libs := $(O)/libforge.a $(O)/libhouse.a
$(forge): $(forge_main) $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) $^ $(feature_libs)

# Unit tests: each tests/unit/test_X.c is a cmocka program, linked with perf's objects (libhouse.a).
unit_srcs := $(wildcard $(tests_dir)/unit/test_*.c)
unit_bins := $(unit_srcs:$(tests_dir)/unit/%.c=$(O)/tests/unit/%)
unit_objs := $(unit_srcs:%.c=$(O)/obj/%.o)
$(unit_objs): | $(bpf_skels)
# What a unit's own lines cost is of no interest, and -O2 takes a third longer to compile them. Other than those of test_activity, which
# look at instructions.
$(filter-out %/test_activity.o $(O)/obj/$(tests_dir)/unit/test_activity_%.o,$(unit_objs)): private override CFLAGS := $(CFLAGS:-O2=-O1)
# This test single-steps inlined functions; the compiler only inlines them with optimization.
$(filter %/test_activity.o,$(unit_objs)): private override CFLAGS := $(CFLAGS:-O0=-O1)
$(filter %/test_activity.o,$(unit_objs)): usual :=

# This test adds a row to two of perf's tables.
$(O)/tests/unit/test_new_key: unit_link := -Wl,--wrap=fields_find,--wrap=hist_rows_new
# These find debug information of the tree's programs only.
$(patsubst $(tests_dir)/unit/%.c,$(O)/tests/unit/%,$(shell grep -l '"own_programs[.]h"' $(unit_srcs))): \
	unit_link := -Wl,--wrap=dsos_new,--wrap=dsos_new_beside
# This test is what sets the sizes of stack copies, in place of a kernel's program.
$(O)/tests/unit/test_live: unit_link := -Wl,--wrap=stack_source_evsel,--wrap=stack_source_resize
# This test says when the place of an activity is known.
$(O)/tests/unit/test_wall_memory: unit_link := -Wl,--wrap=tls_source_plan
# This test sets the clock, in place of an administrator.
$(O)/tests/unit/test_tls_source: unit_link := -Wl,--wrap=clock_gettime,--wrap=kernel_can,--wrap=tls_finder_state_again

# A unit that leaks memory fails, where the compiler has a leak check without its other sanitizers.
leak_check := $(if $(SAN),,$(if $(have_leak_check),-fsanitize=leak))

$(O)/tests/unit/%: $(O)/obj/$(tests_dir)/unit/%.o $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) $(leak_check) $(unit_link) $^ $(feature_libs) -lcmocka

# Tools for live tests: each tests/tools/X.c is a program, linked with perf's objects.
tool_srcs := $(filter-out $(if $(have_bpf),,%/tls_cost.c),$(wildcard $(tests_dir)/tools/*.c))
tool_objs := $(tool_srcs:%.c=$(O)/obj/%.o)
tools := $(tool_srcs:$(tests_dir)/tools/%.c=$(O)/tests/tools/%)

$(tool_objs): | $(bpf_skels)
$(O)/tests/tools/%: $(O)/obj/$(tests_dir)/tools/%.o $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) $^ $(feature_libs)

# The oracle: oracle/step runs programs that know the types of their memory. oracle/score compares perf's answers with
# that. Both share only the base library with the analysis. oracle/contradictions asks the analysis itself, and needs no
# truth.
oracle_srcs := $(wildcard $(tests_dir)/oracle/*.c)
oracle_objs := $(oracle_srcs:%.c=$(O)/obj/%.o)
oracle_mains := step score contradictions
oracle_tools := $(oracle_mains:%=$(O)/tests/oracle/%)
oracle_common := $(filter-out $(oracle_mains:%=$(O)/obj/$(tests_dir)/oracle/%.o),$(oracle_objs))
$(oracle_objs): house_cflags += -I$(tests_dir)/oracle -I$(tests_dir)/oracle/runtime

$(O)/tests/oracle/%: $(O)/obj/$(tests_dir)/oracle/%.o $(oracle_common) $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) $^ $(feature_libs)

# Compares data types by a kernel's BTF with those by its DWARF.
btf_objs := $(O)/obj/$(tests_dir)/btf/agreement.o
$(O)/tests/btf/agreement: $(btf_objs) $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) $^ $(feature_libs)

# Fuzz targets: built by clang, with objects built with FUZZ=1 (make fuzz-targets FUZZ=1 SAN=1 CC=clang).
fuzz_srcs := $(wildcard $(tests_dir)/fuzz/fuzz_*.c)
fuzz_bins := $(fuzz_srcs:$(tests_dir)/fuzz/%.c=$(O)/tests/fuzz/%)
fuzz_objs := $(fuzz_srcs:%.c=$(O)/obj/%.o)

$(O)/tests/fuzz/%: $(O)/obj/$(tests_dir)/fuzz/%.o $(test_libs)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(test_link) -fsanitize=fuzzer $^ $(feature_libs)
fuzz-targets: $(fuzz_bins)

# Workloads: programs to record. Each is one C or C++ file, built with common flags for servers. Additional flags are
# stated below.
workload_c := $(wildcard $(tests_dir)/workloads/*.c)
workload_cc := $(wildcard $(tests_dir)/workloads/*.cc)
workloads := $(workload_c:$(tests_dir)/workloads/%.c=$(O)/tests/workloads/%) \
	$(workload_cc:$(tests_dir)/workloads/%.cc=$(O)/tests/workloads/%) $(O)/tests/workloads/release-2/shop
workload_flags := -O2 -g -fno-omit-frame-pointer -pthread -Wall -Wextra -Itools/lib -D_GNU_SOURCE

# As the pkg-config file states: readers find the attributes by the exported pointer.
workload_flags_fibers := -Wl,--export-dynamic-symbol=activity_record -Wl,--export-dynamic-symbol=otel_thread_ctx_v1

$(O)/tests/workloads/%: $(tests_dir)/workloads/%.c $(O)/libactivity.a
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) -std=gnu11 $(workload_flags) $(workload_flags_$*) -o $@ $< $(O)/libactivity.a -lm
$(O)/tests/workloads/release-2/%: $(tests_dir)/workloads/%.c $(O)/libactivity.a
	@mkdir -p $(@D)
	$(call say,CC,$< of release 2) $(CC) -std=gnu11 $(workload_flags) -DRELEASE=2 -o $@ $< $(O)/libactivity.a
$(O)/tests/workloads/%: $(tests_dir)/workloads/%.cc $(O)/libactivity.a
	@mkdir -p $(@D)
	$(call say,CXX,$<) $(CXX) $(workload_flags) $(workload_flags_$*) -o $@ $< $(O)/libactivity.a

# Unit tests with several threads, for ThreadSanitizer (SAN=thread).
thread_units := $(addprefix test_,profile crew relay script_threads dso_threads typeflow_threads pushed turns machine record_queue tls_tally inflate_ahead live)
thread-units: $(thread_units:%=$(O)/tests/unit/%)
# The objects that they are linked with. A build with LINKED= compiles no others.
thread-objects:
	@tools/build/needed $(O) $(thread_units:%=$(tests_dir)/unit/%.o)

# With WITHOUT= and FROM=: of the sources that are in each build, none may need a header of a library that can be missing, or
# what is generated for one. The lists of dependencies (*.d) name the sources and headers of the tree that an object comes from.
optional_headers = $(shell awk -F'|' '$$2 == "optional" { sub("/.*", "/", $$4); printf "%s%s", sep, $$4; sep = "|" }' tools/build/probe)
needing_them = $(shell grep -rlE --include='*.[ch]' '^[ \t]*.[ \t]*include <($(optional_headers))' tools/lib tools/perf)
no-optional-headers:
	@grep -E ' ($(subst $() $(),|,$(needing_them))|$(FROM)/gen/[^ ]*\.(skel|pb-c)\.h)( |$$)' \
		$(patsubst %.c,$(FROM)/obj/%.d,$(filter-out $(own_srcs),$(house_srcs))); test $$? = 1

# Units that `make check` runs without sanitizers, too: they have smaller inputs with them, or measure memory, or look at the
# instructions of a program as it is without. All others have nothing to see there that they do not see with sanitizers.
plain_units := $(addprefix test_,activity_avx activity_parts activity_attributes) \
	$(basename $(notdir $(shell grep -lE '^.include "(sanitized|allocated)[.]h"' $(unit_srcs))))
plain-names:
	@echo $(plain_units)

tests: $(unit_bins) $(forge) $(tools) $(oracle_tools) $(workloads)

# What `make check` needs of these. Each unit is compiled, because gcc warns of other things than clang. Of those that do not run,
# scripts use two.
checked-tests: $(unit_objs) $(patsubst %,$(O)/tests/unit/%,$(plain_units) test_new_key test_dwarf) \
	$(forge) $(tools) $(oracle_tools) $(workloads)

# What the suite of sanitizers runs of these: no time goes into links of the others.
sanitized-tests: $(unit_bins) $(fuzz_bins) $(addprefix $(O)/tests/workloads/,orders states publisher throng crash)

run_tests = @+$(tests_dir)/check $(O)
unit: $(unit_bins)
	$(run_tests) unit
cases: all $(forge) $(workloads) $(O)/tests/tools/table_rows
	$(run_tests) cases
oracle-quick: all $(forge) $(oracle_tools)
	$(run_tests) oracle
# Makes the table in Documentation. PEER=/path/of/a/root: also runs the perf in there again.
oracle: all $(forge) $(oracle_tools) $(tools)
	@O=$(O) $(tests_dir)/oracle/publish
# Makes the tables of Documentation/skid.md: samples of programs with one known slow access. PEER and OLD_PERF=/path/of/a/perf ask
# these perfs again.
skid-oracle: all
	@O=$(O) $(tests_dir)/skid/publish
# The same by data breakpoints in sqlite3, redis, haproxy and gperf. MINUTES for each.
breakpoint-oracle: all $(oracle_tools)
	@O=$(O) $(tests_dir)/skid/publish-breakpoints
# Samples beside the misses that valgrind's callgrind simulates.
skid-misses: all
	@O=$(O) $(tests_dir)/skid/publish-misses
# Makes the tables of Documentation/diff.md: PAIRS=1000 forged pairs of recordings.
diff-oracle: all $(forge)
	@O=$(O) $(tests_dir)/diff/publish
# Makes the table of Documentation/critical.md: critical paths of programs that know what they waited for.
critical-oracle: all $(workloads)
	@O=$(O) $(tests_dir)/critical/publish
# Makes the table of Documentation/sharing.md: which sharing of cache lines perf c2c finds.
sharing-oracle: all
	@O=$(O) $(tests_dir)/sharing/publish
# Makes the table of Documentation/advise.md: proposed layouts of programs whose best layout is known, and what they save.
advise-oracle: all
	@O=$(O) $(tests_dir)/advise/publish
# Its table of programs that people use. What is not installed is left as it is.
critical-programs: all
	@O=$(O) $(tests_dir)/critical/publish-programs
skid-quick: all
	$(run_tests) skid
# Tables in Documentation: call chains compared with gdb's and elfutils'; ends of call chains of well-known programs.
unwind-oracle: all $(tools)
	@O=$(O) $(tests_dir)/alone -k STACKS $(tests_dir)/unwind/publish oracle
unwind-ends: all
	@O=$(O) $(tests_dir)/alone $(tests_dir)/unwind/publish ends
# Runs upstream's tests. PEER=/path/of/a/root: has its perf and its source.
conformance: all
	@O=$(O) $(tests_dir)/conformance/publish
page: $(O)/tests/unit/test_new_key
live long compat house hostile matrix page: all $(forge) $(tools) $(workloads)
	$(run_tests) $@
metrics: all
	@tools/build/metrics $(O)
tidy: $(O)/libhouse.a
	$(run_tests) tidy
bench: all $(forge) $(tools) $(workloads)
	@for b in $(tests_dir)/bench/*.sh; do O=$(abspath $(O)) PERF=$(abspath $(O))/perf SRC=$(CURDIR) \
		FORGE=$(abspath $(O))/tests/forge WORKLOADS=$(abspath $(O))/tests/workloads $(tests_dir)/alone bash $$b || exit 1; done
# VMLINUX=/path/of/a/kernel with debug information and BTF, as in a distribution's debug package. MODULES="X.ko ...": of it.
btf-oracle: $(O)/tests/btf/agreement
	@$(tests_dir)/alone $(tests_dir)/btf/agree $(abspath $<) $(VMLINUX) $(MODULES)
fuzz:
	@$(MAKE) --no-print-directory O=$(O)/san SAN=1 FUZZ=1 CC=$(CLANG) fuzz-targets
	@+FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) $(tests_dir)/check $(O)/san fuzz
# Changes lines of the product at random, and counts what the suites notice. Makes the page in Documentation. One build for all
# mutants. KEEP=DIR keeps it for the next run.
mutants: all tests
	@O=$(O) $(tests_dir)/alone $(tests_dir)/mutants/run -n $(or $(N),200) -s $(or $(SEED),1) $(if $(KEEP),-d $(KEEP)) \
		-p Documentation/mutants.md $(or $(SUITES),unit cases output sanitized page hostile compat)
# Builds a kernel with tools/kernel's patches for a virtual machine. KERNEL_LAB=DIR keeps it.
kernel-lab: all $(tools) $(workloads)
	@tools/kernel/lab $(O)
quick: all tests
	@+$(tests_dir)/check $(O) build tidy quick
check:
	@tools/build/deps
	@+$(tests_dir)/check $(O) build skid tidy plain oracle sanitized threads without cases output beside compat house page live

.PHONY: quick plain-names checked-tests thread-objects no-optional-headers metrics mutants tests thread-units sanitized-tests oracle oracle-quick btf-oracle unwind-oracle unwind-ends conformance fuzz-targets unit cases live long matrix compat house hostile page tidy bench fuzz diff-oracle critical-oracle critical-programs advise-oracle sharing-oracle skid-oracle skid-quick breakpoint-oracle skid-misses \
	kernel-lab check
-include $(unit_objs:.o=.d) $(forge_objs:.o=.d) $(tool_objs:.o=.d) $(oracle_objs:.o=.d) $(btf_objs:.o=.d) $(fuzz_objs:.o=.d)
