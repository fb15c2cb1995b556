// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Static numbers that the program gives only two values. clang makes a byte of each, and describes the number as computed of
 * that byte. See flow.c for the marks.
 */
#define NOINLINE __attribute__((noinline))

struct options { long limit; int verbose, color; const char *name; };

static int is_running, is_stopping;
static long page_size = 4096;
static unsigned short mode = 3;
static struct options options;
static volatile long seen;

NOINLINE int begin(int id)
{
	if (is_running) // @must int +0 (no field)
		return 0;
	is_running = 1; // @must int +0 (no field)
	return id;
}

NOINLINE void end(int id)
{
	is_running = 0; // @must int +0 (no field)
	if (id > 3)
		is_stopping = 1; // @type int +0 (no field)
}

NOINLINE long pages(long bytes)
{
	if (bytes > 1 << 20)
		page_size = 65536; // @must long +0 (no field) | long int +0 (no field)
	return (bytes + page_size - 1) / page_size; // @type long +0 (no field) | long int +0 (no field)
}

NOINLINE int switch_mode(int to)
{
	int old = mode; // @must unsigned short +0 (no field) | short unsigned int +0 (no field)
	if (to)
		mode = 9; // @must unsigned short +0 (no field) | short unsigned int +0 (no field)
	return old;
}

NOINLINE int warn(const char *text)
{
	static int warned;

	if (warned) // @must int +0 (no field)
		return 0;
	warned = 1; // @must int +0 (no field)
	return text[0]; // @must char +0 (no field)
}

NOINLINE void parse(const char *text)
{
	for (; *text; text++) { // @type char +0 (no field)
		if (*text == 'v') // @type char +0 (no field)
			options.verbose = 1; // @type struct options +0x8 (verbose)
		if (*text == 'c') // @type char +0 (no field)
			options.color = 1; // @type struct options +0xc (color)
	}
}

NOINLINE int width(int n)
{
	n += options.verbose ? 20 : 10; // @type struct options +0x8 (verbose)
	if (options.color) // @must struct options +0xc (color)
		n += 9;
	return n;
}

int main(int argc, char **argv)
{
	if (argc > 2)
		end(argc);
	parse(argv[0]); // @type char* +0 (no field)
	seen = begin(argc) + pages(argc) + switch_mode(argc) + warn(argv[0]) + width(argc) + is_stopping; // @type char* +0 (no field) | long +0 (no field) | long int +0 (no field) | int +0 (no field)
	return (int)seen; // @type long +0 (no field) | long int +0 (no field)
}
