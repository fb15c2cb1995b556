# SPDX-License-Identifier: GPL-2.0-or-later
# Packages, made from the last commit. Results are in $(O)/package. Documentation/packaging.md describes them.

package := tools/build/package
package_dir := $(O)/package

# 0.1.0 for the commit with the tag v0.1.0. Any other commit is before the release: in Debian and in RPM, ~ sorts before nothing.
package_version = $(if $(shell git tag --points-at HEAD 2>/dev/null | grep -x v$(version)),$(version),$(shell \
	TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format='$(version)~git%cd.%h' 2>/dev/null))
in_package = PACKAGE_VERSION='$(package_version)' VERSION='$(version_full)' $(package)

dist:
	@$(in_package)/dist $(package_dir)
deb rpm: dist
	@$(in_package)/$@ $(package_dir)

# One program that needs no library, program or file of the system that runs it.
static_perf = $(package_dir)/perf-$(package_version)-$(shell uname -m)
static:
	@+$(MAKE) --no-print-directory O=$(O)/static STATIC=1 REPRODUCIBLE=1 $(O)/static/perf sbom
	@mkdir -p $(package_dir)
	$(call say,STRIP,$(static_perf)) strip -o $(static_perf) $(O)/static/perf
	@cp $(O)/static/perf.spdx.json $(static_perf).spdx.json

# The bill of materials of perf, from the files that the linker names.
sbom: $(O)/perf.spdx.json
$(O)/perf.link: $(main_obj) $(O)/libhouse.a
	@$(CC) $(house_ldflags) $(LDFLAGS) -Wl,--trace -o $@.perf $^ $(feature_libs) >$@.new
	@rm $@.perf && mv $@.new $@
$(O)/perf.spdx.json: $(O)/perf.link $(O)/perf $(package)/sbom $(package)/licences
	$(call say,SBOM,$@) $(package)/sbom '$(version_full)' $(O)/perf $(O)/perf.link >$@

# Builds everything twice, in different folders, at different times, and compares the bytes.
reproducible: dist
	@$(in_package)/reproducible $(package_dir)

.PHONY: dist deb rpm static sbom reproducible
