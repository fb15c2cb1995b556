// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/process.h"

#include <string.h>

#include "activity/process_private.h"
#include "base/cursor.h"

/* If an attribute has two names, the newer name is preferred. */
static const char *find(const struct facts *f, const char *key, const char *older)
{
	for (; key; key = older, older = NULL) {
		for (guint i = 0; i < f->attributes->len; i++) {
			const struct activity_attribute *a =
				&g_array_index(f->attributes, struct activity_attribute, i);

			if (strcmp(a->key, key) == 0)
				return a->value;
		}
	}
	return NULL;
}

static struct activity_process *finish(struct facts *f)
{
	struct activity_process *p = &f->process;

	p->service = find(f, "service.name", NULL);
	p->environment = find(f, "deployment.environment.name", "deployment.environment");
	p->version = find(f, "service.version", NULL);
	p->instance = find(f, "service.instance.id", NULL);
	p->schema = find(f, "threadlocal.schema_version", NULL);
	p->keys = (struct activity_keys){ (const char *const *)f->keys->pdata, f->keys->len };
	p->attributes = (const struct activity_attribute *)f->attributes->data;
	p->nr_attributes = f->attributes->len;
	return p;
}

/* u16 minor version, then {u32 size, bytes} for service, environment and a socket's path. */
static bool read_elastic(struct facts *f, const void *data, size_t size)
{
	static const char *const names[] = { "service.name", "deployment.environment.name" };
	struct cursor c = cursor_of(data, size);

	if (cursor_u16(&c) == 0)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		u32 length = cursor_u32(&c);
		const u8 *text = cursor_bytes(&c, length);

		if (!text)
			return false;
		if (length)
			facts_add(f, names[i], facts_string(f, (const char *)text, length));
	}
	return true;
}

bool activity_schema_known(const char *schema)
{
	static const char *const known[] = { "tlsdesc_v1_dev", "tls_v1", "go_pprof_labels_v1",
					     "nodejs_v1_dev", NULL };

	return g_strv_contains(known, schema);
}

bool activity_process_supported(enum activity_process_form form)
{
	return form == ACTIVITY_PROCESS_ELASTIC ||
	       (form == ACTIVITY_PROCESS_OTEL && facts_can_read_otel());
}

struct activity_process *activity_process_new(enum activity_process_form form, const void *data,
					      size_t size)
{
	struct facts *f = facts_new();
	bool read = false;

	if (form == ACTIVITY_PROCESS_ELASTIC)
		read = read_elastic(f, data, size);
	else if (form == ACTIVITY_PROCESS_OTEL)
		read = facts_read_otel(f, data, size);
	if (read)
		return finish(f);
	activity_process_free(&f->process);
	return NULL;
}
