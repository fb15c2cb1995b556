// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf_compare [-t] FILE...: compares our DWARF reader (lib/dwarf/raw.h) with libdw.
 *
 * Reads every entry of the debug information of ELF files by both: tag, name, type, size and location. Prints the number
 * of entries, and those that differ. With -t it prints the run time of both instead, and the time to find the functions
 * among the top entries of all units, reading only tags. Split units and supplementary files are not read.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dwarf/raw.h"

/* The compared attributes of an entry; absent: 0. */
struct entry {
	const void *at;
	u64 tag, size, location_size;
	const char *name;
	const void *type;
};

struct run {
	bool timing;
	u64 entries, differing, units, skipped;
	u64 ours_ns, libdw_ns, functions, ours_skim_ns, libdw_skim_ns;
	u64 sum; /* checksum of the values, so that the compiler does not remove the reads */
};

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

static void take(struct run *run, GArray *into, const struct entry *entry)
{
	run->sum += (uintptr_t)entry->name ^ (uintptr_t)entry->type ^ entry->tag ^ entry->size ^
		    entry->location_size;
	if (!run->timing)
		g_array_append_val(into, *entry);
}

static void read_ours(struct run *run, const struct raw_unit *unit, GArray *into)
{
	const u8 *at = unit->first;

	while (at < unit->end) {
		struct entry e = { .at = at };
		struct cursor location;
		struct raw_die die;
		Dwarf_Die type;

		if (raw_read(unit, at, &die)) {
			e.tag = die.abbrev->tag;
			e.name = raw_string(unit, &die, RAW_NAME);
			e.type = raw_ref(unit, &die, RAW_TYPE, &type) ? type.addr : NULL;
			if (!raw_uint(unit, &die, RAW_BYTE_SIZE, &e.size))
				e.size = 0;
			if (raw_block(unit, &die, RAW_LOCATION, &location))
				e.location_size = cursor_left(&location);
			take(run, into, &e);
			run->entries++;
		}
		at = die.next;
	}
}

static void read_libdw(struct run *run, Dwarf_Die *die, GArray *into)
{
	do {
		struct entry e = { .at = die->addr, .tag = (u64)dwarf_tag(die) };
		Dwarf_Attribute attr;
		Dwarf_Die child;
		Dwarf_Block block;

		if (dwarf_attr(die, DW_AT_name, &attr))
			e.name = dwarf_formstring(&attr);
		if (dwarf_attr(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &child))
			e.type = child.addr;
		if (dwarf_attr(die, DW_AT_byte_size, &attr) && dwarf_formudata(&attr, &e.size))
			e.size = 0;
		if (dwarf_attr(die, DW_AT_location, &attr) && !dwarf_formblock(&attr, &block))
			e.location_size = block.length;
		take(run, into, &e);
		if (dwarf_child(die, &child) == 0)
			read_libdw(run, &child, into);
	} while (dwarf_siblingof(die, die) == 0);
}

/* Counts the functions among the top entries of a unit. Reads no attributes. */
static void skim(struct run *run, const struct raw_unit *unit, Dwarf_Die *die)
{
	static const u8 wanted[RAW_TAGS] = { [DW_TAG_subprogram] = 1 };
	u64 start = now_ns(), middle, libdws = 0, ours = 0;
	struct raw_head head;
	struct raw_die top;
	Dwarf_Die child;

	if (raw_read(unit, unit->first, &top) && top.abbrev->children)
		for (const u8 *at = top.next; raw_next_head(unit, &at, wanted, &head);
		     at = raw_after_head(unit, &head))
			ours++;
	middle = now_ns();
	if (dwarf_child(die, &child) == 0)
		do
			libdws += dwarf_tag(&child) == DW_TAG_subprogram;
		while (dwarf_siblingof(&child, &child) == 0);
	run->ours_skim_ns += middle - start;
	run->libdw_skim_ns += now_ns() - middle;
	run->functions += ours;
	run->differing += ours != libdws;
}

static void compare(struct run *run, const GArray *ours, const GArray *libdws)
{
	for (u32 i = 0; i < MAX(ours->len, libdws->len); i++) {
		struct entry none = { 0 };
		const struct entry *a = i < ours->len ? &g_array_index(ours, struct entry, i)
						      : &none;
		const struct entry *b = i < libdws->len ? &g_array_index(libdws, struct entry, i)
							: &none;

		if (a->at == b->at && a->tag == b->tag && a->size == b->size &&
		    a->name == b->name && a->type == b->type &&
		    a->location_size == b->location_size)
			continue;
		if (run->differing++ < 20)
			printf("differs: tag %llx, %s; libdw's tag %llx, %s\n",
			       (unsigned long long)a->tag, a->name ?: "-",
			       (unsigned long long)b->tag, b->name ?: "-");
	}
}

static void read_unit(struct run *run, struct raw_file *file, Dwarf_Die *die)
{
	g_autoptr(GArray) ours = g_array_new(FALSE, FALSE, sizeof(struct entry));
	g_autoptr(GArray) libdws = g_array_new(FALSE, FALSE, sizeof(struct entry));
	struct raw_unit unit;
	u64 start = now_ns(), middle;

	run->units++;
	if (!raw_unit_init(&unit, file, die, NULL)) {
		run->skipped++;
		return;
	}
	read_ours(run, &unit, ours);
	middle = now_ns();
	read_libdw(run, die, libdws);
	run->ours_ns += middle - start;
	run->libdw_ns += now_ns() - middle;
	skim(run, &unit, die);
	compare(run, ours, libdws);
}

static void read_file(struct run *run, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	struct raw_file *file = dwarf ? raw_file_new(dwarf) : NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (file && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0)
		read_unit(run, file, &die);
	if (file)
		raw_file_free(file);
	dwarf_end(dwarf);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct run run = { .timing = argc > 1 && !strcmp(argv[1], "-t") };

	for (int i = 1 + run.timing; i < argc; i++)
		read_file(&run, argv[i]);
	if (run.timing && run.entries)
		printf("%llu entries: ours %.1f ns, libdw %.1f ns each; "
		       "%llu functions: ours %.1f ms, libdw %.1f ms\n",
		       (unsigned long long)run.entries, (double)run.ours_ns / (double)run.entries,
		       (double)run.libdw_ns / (double)run.entries,
		       (unsigned long long)run.functions, (double)run.ours_skim_ns / 1e6,
		       (double)run.libdw_skim_ns / 1e6);
	else
		printf("%llu entries of %llu units, %llu differ; %llu units not read\n",
		       (unsigned long long)run.entries, (unsigned long long)run.units,
		       (unsigned long long)run.differing, (unsigned long long)run.skipped);
	return run.differing || !run.sum;
}
