# SPDX-License-Identifier: GPL-2.0-or-later
# make install PREFIX= DESTDIR=: installs perf with manual, completion and systemd unit, and libactivity.

bindir ?= $(PREFIX)/bin
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
datadir ?= $(PREFIX)/share
unitdir ?= $(PREFIX)/lib/systemd/system
INSTALL ?= install
activity_headers := $(patsubst %,tools/lib/activity/%.h,inline publish record slow)

$(O)/libactivity.pc: tools/lib/activity/libactivity.pc.in Makefile FORCE
	@sed -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(version)|' $< >$@

$(O)/perf-wall.service: tools/build/systemd/perf-wall.service.in Makefile FORCE
	@sed -e 's|@bindir@|$(bindir)|' $< >$@

install: all $(O)/libactivity.pc $(O)/perf-wall.service
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(includedir)/activity \
		$(DESTDIR)$(datadir)/man/man1 $(DESTDIR)$(datadir)/man/man3 \
		$(DESTDIR)$(datadir)/bash-completion/completions $(DESTDIR)$(unitdir)
	$(INSTALL) -m 755 $(O)/perf $(DESTDIR)$(bindir)/perf
	$(INSTALL) -m 644 $(O)/libactivity.a $(DESTDIR)$(libdir)/
	$(INSTALL) -m 755 $(O)/libactivity.so $(DESTDIR)$(libdir)/libactivity.so.1
	ln -sf libactivity.so.1 $(DESTDIR)$(libdir)/libactivity.so
	$(INSTALL) -m 644 tools/lib/activity/activity.h $(DESTDIR)$(includedir)/activity.h
	$(INSTALL) -m 644 $(activity_headers) $(DESTDIR)$(includedir)/activity/
	$(INSTALL) -m 644 $(O)/libactivity.pc $(DESTDIR)$(libdir)/pkgconfig/
	$(INSTALL) -m 644 tools/perf/completion.bash $(DESTDIR)$(datadir)/bash-completion/completions/perf
	$(INSTALL) -m 644 $(O)/perf-wall.service $(DESTDIR)$(unitdir)/
	for page in $(man_srcs); do \
		$(INSTALL) -m 644 $$page $(DESTDIR)$(datadir)/man/man$${page##*.}/ || exit 1; done

.PHONY: install
