// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cli/colour.h"
#include "view/type_table.h"

#define RULE "============================================================================"

struct printer {
	const struct type_profile *profile;
	const struct type_table_options *options;
	u32 columns; /* shown */
	FILE *out;
};

static int column_width(enum type_values values)
{
	return values == TYPE_PERIOD ? 11 : 7;
}

static bool shows(const struct type_table_options *options, u32 event)
{
	return !options->empty || !options->empty[event];
}

static void print_value(const struct printer *p, u32 event, const struct type_count *value)
{
	u64 whole = p->profile->total[event].period;
	double percent = whole ? 100.0 * (double)value->period / (double)whole : 0;
	const char *colour = p->options->colour ? colour_of_percent(percent) : "";
	const char *reset = *colour ? COLOUR_RESET : "";

	if (p->options->values == TYPE_PERIOD)
		fprintf(p->out, "%s %11llu%s", colour, (unsigned long long)value->period, reset);
	else if (p->options->values == TYPE_SAMPLES)
		fprintf(p->out, "%s %7llu%s", colour, (unsigned long long)value->samples, reset);
	else
		fprintf(p->out, "%s %7.2f%s", colour, percent, reset);
}

static const char *short_name(const struct printer *p, const char *name, char buffer[512])
{
	return p->options->short_names ? type_name_short(name, buffer, 512) : name;
}

static void print_line(const struct type_line *line, void *arg)
{
	const struct printer *p = arg;
	const struct type_table_options *options = p->options;
	int indent = (int)line->depth * 4;
	/* A type without a name stands as C declares it, where its members follow. */
	bool in_place = line->type && line->depth && line->opens;
	const char *name = !line->type ? NULL
			   : in_place  ? line->type->name
				       : type_shown_name(line->type);
	char buffer[512];

	if (!line->type) {
		/* Under the type's own column: values, offset, size, two blanks. */
		fprintf(p->out, "%*s};\n",
			(int)p->columns * (column_width(options->values) + 1) + 24 + indent, "");
		return;
	}
	for (u32 i = options->first; i < options->first + options->nr; i++) {
		struct type_count value = p->profile->total[i];

		if (!shows(options, i))
			continue;
		if (line->depth)
			value = type_profile_sum(p->profile, i, line->offset,
						 line->open_ended ? UINT64_MAX : line->size);
		print_value(p, i, &value);
	}
	fprintf(p->out, " %#10llx %#10llx  %*s%s\t%s", (unsigned long long)line->offset,
		(unsigned long long)line->size, indent, "", short_name(p, name, buffer),
		line->name);
	if (line->bit_size)
		fprintf(p->out, ":%u", line->bit_size);
	fputs(line->opens ? " {\n" : ";\n", p->out);
}

static void print_profile(struct printer *p)
{
	static const char *const titles[] = {
		[TYPE_PERCENT] = "Percent",
		[TYPE_PERIOD] = "Period",
		[TYPE_SAMPLES] = "Samples",
	};
	const struct type_table_options *options = p->options;
	u64 samples = type_profile_samples(p->profile, options->first, options->nr);
	char buffer[512];

	fprintf(p->out, "Annotate type: '%s' in %s (%llu samples):\n",
		short_name(p, type_shown_name(p->profile->type), buffer),
		dso_long_name(p->profile->dso), (unsigned long long)samples);
	p->columns = 0;
	for (u32 i = options->first; i < options->first + options->nr; i++) {
		if (!shows(options, i))
			continue;
		if (options->nr > 1)
			fprintf(p->out, " event[%u] = %s\n", p->columns, options->events[i]);
		p->columns++;
	}
	fprintf(p->out, "%s\n%*s %10s %10s  %s\n", RULE,
		(column_width(options->values) + 1) * (int)p->columns, titles[options->values],
		"offset", "size", "field");
	type_each_line(p->profile->type, print_line, p);
	fputc('\n', p->out);
}

static bool below_limit(const struct type_profiles *profiles, const struct type_profile *profile,
			const struct type_table_options *options)
{
	u64 whole = profiles->total[options->first].period;
	double percent =
		whole ? 100.0 * (double)profile->total[options->first].period / (double)whole : 0;

	return percent < options->percent_limit;
}

u32 type_table_print(const struct type_profiles *profiles, const struct type_table_options *options,
		     FILE *out)
{
	struct printer p = { .options = options, .out = out };
	u32 printed = 0;

	for (u32 i = 0; i < profiles->profiles->len; i++) {
		p.profile = g_ptr_array_index(profiles->profiles, i);
		if (!type_profile_samples(p.profile, options->first, options->nr) ||
		    below_limit(profiles, p.profile, options) ||
		    (options->pattern && !type_name_matches(p.profile->type, options->pattern)))
			continue;
		print_profile(&p);
		printed++;
	}
	return printed;
}

static double share(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

void type_stat_print(const struct type_stat *stat, FILE *out)
{
	u64 none = stat->why[ACCESS_NO_MEMORY], bad = stat->total - stat->ok, named = 0;

	for (u32 i = ACCESS_STACK_OP; i < NR_ACCESS_HOW; i++)
		named += stat->how[i];
	fprintf(out, "Annotate data type stats:\n");
	fprintf(out, "total %llu, ok %llu (%.1f%%), bad %llu (%.1f%%)\n",
		(unsigned long long)stat->total, (unsigned long long)stat->ok,
		share(stat->ok, stat->total), (unsigned long long)bad, share(bad, stat->total));
	fprintf(out,
		"with a type %llu (%.1f%%), with a name for what has none %llu (%.1f%%), no memory "
		"access %llu (%.1f%%)\n",
		(unsigned long long)(stat->ok - named), share(stat->ok - named, stat->total),
		(unsigned long long)named, share(named, stat->total), (unsigned long long)none,
		share(none, stat->total));
	fprintf(out, "-----------------------------------------------------------\n");
	for (u32 i = ACCESS_WHY_NONE + 1; i < NR_ACCESS_WHY; i++)
		if (stat->why[i])
			fprintf(out, "%10llu : %-12s %5.1f%%  %s\n",
				(unsigned long long)stat->why[i], access_why_word(i),
				share(stat->why[i], stat->total), access_why_text(i));
	fprintf(out, "\nHow the others are known:\n");
	fprintf(out, "-----------------------------------------------------------\n");
	for (u32 i = ACCESS_UNKNOWN + 1; i < NR_ACCESS_HOW; i++)
		if (stat->how[i])
			fprintf(out, "%10llu : %-12s %5.1f%%  %s\n",
				(unsigned long long)stat->how[i], access_how_word(i),
				share(stat->how[i], stat->total), access_how_text(i));
	if (stat->skid)
		fprintf(out,
			"\n%10llu : %-12s %5.1f%%  of all: by the access just before the sampled "
			"instruction (--skid)\n",
			(unsigned long long)stat->skid, "skid", share(stat->skid, stat->total));
	fputc('\n', out);
}
