# SPDX-License-Identifier: GPL-2.0-or-later
# make install PREFIX= DESTDIR=: installs perf with manual, completion and systemd unit, and libactivity.
#
# BESIDE=1 installs beside the kernel's perf, for packages: no file has a name that the kernel's perf installs. Users call
# PREFIX/bin/perf-activity, a link to PREFIX/lib/perf-activity/bin/perf. With that folder before others on PATH, it is `perf`.

bindir ?= $(PREFIX)/bin
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
datadir ?= $(PREFIX)/share
unitdir ?= $(PREFIX)/lib/systemd/system
INSTALL ?= install
activity_headers := $(patsubst %,tools/lib/activity/%.h,inline publish record slow)

ifeq ($(BESIDE),1)
program := perf-activity
homedir := $(PREFIX)/lib/perf-activity
program_dir := $(homedir)/bin
man1dir := $(datadir)/perf-activity/man/man1
else
program := perf
program_dir := $(bindir)
man1dir := $(datadir)/man/man1
endif

$(O)/libactivity.pc: tools/lib/activity/libactivity.pc.in Makefile FORCE
	@sed -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(version)|' $< >$@

$(O)/perf-%.service: tools/build/systemd/perf-%.service.in Makefile FORCE
	@sed -e 's|@program@|$(bindir)/$(program)|' \
		$(if $(filter-out perf,$(program)),-e 's|perf report|$(program) report|' -e 's|perf-record(1)$(comma)|$(program) help record$(comma)|' \
			-e 's|perf-ship(1) says|$(program) help ship says|' -e 's|man:perf-ship(1) .*|man:$(program)(1)|' \
			-e 's|man:perf-record(1) .*|man:$(program)(1)|') $< >$@

# Tables and reports of perf data convert --to=parquet.
sqldir := $(datadir)/$(program)/sql
sql_engines := duckdb clickhouse

# The kernel's perf has a function of the same name for bash.
$(O)/completion.bash: tools/perf/completion.bash Makefile FORCE
	@sed -e '' $(if $(filter-out perf,$(program)),-e 's/\b_perf\b/_perf_activity/g' -e 's/ perf$$/ $(program)/') $< >$@

units := perf-wall perf-ship

install: all $(O)/libactivity.pc $(units:%=$(O)/%.service) $(O)/completion.bash
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(program_dir) $(DESTDIR)$(libdir)/pkgconfig \
		$(DESTDIR)$(includedir)/activity $(DESTDIR)$(man1dir) $(DESTDIR)$(datadir)/man/man3 \
		$(DESTDIR)$(datadir)/bash-completion/completions $(DESTDIR)$(unitdir) $(sql_engines:%=$(DESTDIR)$(sqldir)/%)
	$(INSTALL) -m 755 $(O)/perf $(DESTDIR)$(program_dir)/perf
	$(INSTALL) -m 644 $(O)/libactivity.a $(DESTDIR)$(libdir)/
	$(INSTALL) -m 755 $(O)/libactivity.so $(DESTDIR)$(libdir)/libactivity.so.1
	ln -sf libactivity.so.1 $(DESTDIR)$(libdir)/libactivity.so
	$(INSTALL) -m 644 tools/lib/activity/activity.h $(DESTDIR)$(includedir)/activity.h
	$(INSTALL) -m 644 $(activity_headers) $(DESTDIR)$(includedir)/activity/
	$(INSTALL) -m 644 $(O)/libactivity.pc $(DESTDIR)$(libdir)/pkgconfig/
	$(INSTALL) -m 644 $(O)/completion.bash $(DESTDIR)$(datadir)/bash-completion/completions/$(program)
	$(INSTALL) -m 644 $(units:%=$(O)/%.service) $(DESTDIR)$(unitdir)/
	for e in $(sql_engines); do $(INSTALL) -m 644 tools/perf/sql/$$e/*.sql $(DESTDIR)$(sqldir)/$$e/ || exit 1; done
	$(INSTALL) -m 644 $(filter %.1,$(man_srcs)) $(DESTDIR)$(man1dir)/
	$(INSTALL) -m 644 $(filter %.3,$(man_srcs)) $(DESTDIR)$(datadir)/man/man3/
ifeq ($(BESIDE),1)
	ln -sf --relative $(DESTDIR)$(program_dir)/perf $(DESTDIR)$(bindir)/perf-activity
	ln -sfn --relative $(DESTDIR)$(datadir)/perf-activity $(DESTDIR)$(homedir)/share
	$(INSTALL) -d $(DESTDIR)$(datadir)/man/man1
	$(INSTALL) -m 644 tools/build/package/perf-activity.1 $(DESTDIR)$(datadir)/man/man1/
endif

.PHONY: install
