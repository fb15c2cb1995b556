// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/cgroup_names.h"

#include <glib.h>
#include <string.h>

#include "base/types.h"

#define ID_DIGITS  64
#define UID_SIZE   36
#define UID_DIGITS 32

/* A part of a path between two slashes. */
struct cgroup_part {
	const char *at;
	size_t size;
};

/* The part before @end, which becomes its beginning. False: there is none left. */
static bool last_part(const char *path, const char **end, struct cgroup_part *part)
{
	while (*end > path && (*end)[-1] == '/')
		(*end)--;
	part->at = *end;
	while (part->at > path && part->at[-1] != '/')
		part->at--;
	part->size = (size_t)(*end - part->at);
	*end = part->at;
	return part->size;
}

static bool are_digits(const char *text, size_t nr)
{
	while (nr && g_ascii_isxdigit(text[nr - 1]))
		nr--;
	return !nr;
}

static bool begins(const struct cgroup_part *part, const char *with)
{
	return part->size >= strlen(with) && !memcmp(part->at, with, strlen(with));
}

static void remove_end(struct cgroup_part *part, const char *end)
{
	size_t size = strlen(end);

	if (part->size > size && !memcmp(part->at + part->size - size, end, size))
		part->size -= size;
}

static bool ends(const char *from, const char *to, const char *with)
{
	size_t size = strlen(with);

	return (size_t)(to - from) >= size && !memcmp(to - size, with, size);
}

/* "docker-ID.scope", "cri-containerd:ID", "ID", but not "crio-conmon-ID.scope". */
static bool find_id(struct cgroup_part part, struct cgroup_part *id)
{
	remove_end(&part, ".scope");
	if (part.size < ID_DIGITS)
		return false;
	*id = (struct cgroup_part){ part.at + part.size - ID_DIGITS, ID_DIGITS };
	if (!are_digits(id->at, ID_DIGITS) || ends(part.at, id->at, "conmon-"))
		return false;
	return id->at == part.at || id->at[-1] == '-' || id->at[-1] == ':';
}

/* "lxc.payload.NAME". */
static bool find_lxc(const struct cgroup_part *part, struct cgroup_part *name)
{
	static const char prefix[] = "lxc.payload.";

	if (!begins(part, prefix))
		return false;
	*name = (struct cgroup_part){ part->at + strlen(prefix), part->size - strlen(prefix) };
	return name->size && name->size < CGROUP_NAME_SIZE;
}

bool cgroup_container(const char *path, char name[static CGROUP_NAME_SIZE])
{
	const char *end = path + strlen(path);
	struct cgroup_part part, found;

	name[0] = 0;
	while (last_part(path, &end, &part)) {
		if (!find_id(part, &found) && !find_lxc(&part, &found))
			continue;
		memcpy(name, found.at, found.size);
		name[found.size] = 0;
		return true;
	}
	return false;
}

static bool is_uid(const char *text, size_t size)
{
	if (size == UID_DIGITS)
		return are_digits(text, size);
	if (size != UID_SIZE)
		return false;
	for (size_t i = 0; i < size; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' && text[i] != '_' : !g_ascii_isxdigit(text[i]))
			return false;
	}
	return true;
}

/* "podUID", "kubepods-burstable-podUID.slice", "kubepods-podUID.slice:cri-containerd:ID". */
static bool find_pod(struct cgroup_part part, struct cgroup_part *uid)
{
	static const char prefix[] = "kubepods-", classes[][16] = { "burstable-", "besteffort-" };

	const char *colon = memchr(part.at, ':', part.size);

	if (colon)
		part.size = (size_t)(colon - part.at);
	remove_end(&part, ".slice");
	if (begins(&part, prefix)) {
		part.at += strlen(prefix);
		part.size -= strlen(prefix);
		for (u32 i = 0; i < ARRAY_SIZE(classes); i++)
			if (begins(&part, classes[i])) {
				part.at += strlen(classes[i]);
				part.size -= strlen(classes[i]);
			}
	}
	if (!begins(&part, "pod"))
		return false;
	*uid = (struct cgroup_part){ part.at + 3, part.size - 3 };
	return is_uid(uid->at, uid->size);
}

bool cgroup_pod(const char *path, char name[static CGROUP_NAME_SIZE])
{
	const char *end = path + strlen(path);
	struct cgroup_part part, uid;

	name[0] = 0;
	while (last_part(path, &end, &part)) {
		if (!find_pod(part, &uid))
			continue;
		for (size_t i = 0; i < uid.size; i++)
			name[i] = uid.at[i] == '_' ? '-' : uid.at[i];
		name[uid.size] = 0;
		return true;
	}
	return false;
}
