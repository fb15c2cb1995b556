// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/html/assets.h"

/* The build runs in the folder of the Makefile, which names the files as what this one is made of. */
#define FILE_BYTES(name) "\t.incbin \"tools/perf/view/html/" name "\"\n"
#define ASSET(name, bytes)                                                                         \
	__asm__("\t.pushsection .rodata\n"                                                         \
		"\t.globl " name "_start, " name "_end\n" name "_start:\n" bytes name "_end:\n"    \
		"\t.byte 0\n"                                                                      \
		"\t.popsection\n")

ASSET("asset_body", FILE_BYTES("page.html"));
ASSET("asset_style", FILE_BYTES("page.css"));
/* One script: what a file uses of others stands in any of them. */
ASSET("asset_script",
      FILE_BYTES("data.js") FILE_BYTES("selection.js") FILE_BYTES("sums.js") FILE_BYTES("draw.js")
	      FILE_BYTES("flame.js") FILE_BYTES("timeline.js") FILE_BYTES("lists.js")
		      FILE_BYTES("table.js") FILE_BYTES("structure.js") FILE_BYTES("code.js")
			      FILE_BYTES("page.js"));
