// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/type_stat.h"

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
