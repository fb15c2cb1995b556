// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/html/assets.h"

/* The build runs in the Makefile's folder. The Makefile lists the files as prerequisites of this one. */
#define FILE_BYTES(name) "\t.incbin \"tools/perf/view/html/" name "\"\n"
#define ASSET(name, bytes)                                                                         \
	__asm__("\t.pushsection .rodata\n"                                                         \
		"\t.globl " name "_start, " name "_end\n" name "_start:\n" bytes name "_end:\n"    \
		"\t.byte 0\n"                                                                      \
		"\t.popsection\n")

ASSET("asset_body", FILE_BYTES("page.html"));
ASSET("asset_style", FILE_BYTES("page.css"));
/* All .js files form one script, so each may use names from the others. */
ASSET("asset_script",
      FILE_BYTES("data.js") FILE_BYTES("names.js") FILE_BYTES("selection.js") FILE_BYTES("sums.js")
	      FILE_BYTES("draw.js") FILE_BYTES("trees.js") FILE_BYTES("chart.js")
		      FILE_BYTES("flame.js") FILE_BYTES("timeline.js") FILE_BYTES("spans.js")
			      FILE_BYTES("lists.js") FILE_BYTES("table.js")
				      FILE_BYTES("structure.js") FILE_BYTES("layouts.js")
					      FILE_BYTES("code.js") FILE_BYTES("instances.js")
						      FILE_BYTES("path.js") FILE_BYTES("page.js"));
