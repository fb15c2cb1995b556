// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/request_keys.h"

#include "fields/private.h"

bool request_keys_prepare(const struct lexicon *lexicon, u32 needs, GError **error)
{
	struct request_keys *requests = lexicon->request_keys;

	needs &= NEED_CLASS | NEED_CRITICAL;
	if (!needs)
		return true;
	if (!requests)
		return error_set(error, PERF_ERROR_USAGE,
				 "The keys class and critical are for perf report and perf diff");
	return requests->ops->read(requests, needs, error);
}

static u64 key_class(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return lex->request_keys ? lex->request_keys->ops->class_of(lex->request_keys, p)
				 : REQUEST_NONE;
}

static void print_class(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	static const char *const texts[] = {
		[REQUEST_NONE] = "-", [REQUEST_SLOW] = "slow", [REQUEST_REST] = "rest"
	};

	g_string_append(out, texts[key]);
}

static u64 key_critical(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return lex->request_keys && lex->request_keys->ops->is_critical(lex->request_keys, p);
}

static void print_critical(const struct field *field, const struct lexicon *lex, u64 key,
			   GString *out)
{
	g_string_append(out, key ? "yes" : "no");
}

const struct field field_class = {
	.name = "class",
	.header = "Class",
	.family = FIELD_NORMAL,
	.needs = NEED_CLASS | NEED_ACTIVITY,
	.key = key_class,
	.print = print_class,
};

const struct field field_critical = {
	.name = "critical",
	.header = "Critical",
	.family = FIELD_NORMAL,
	.needs = NEED_CRITICAL | NEED_THREAD | NEED_SAMPLE,
	.key = key_critical,
	.print = print_critical,
};
