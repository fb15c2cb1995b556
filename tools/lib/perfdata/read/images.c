// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/read/images.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "perfdata/image/image_core.h"
#include "perfdata/image/image_read.h"
#include "perfdata/read/reader_private.h"

bool images_fit(const char *path)
{
	/* The path may be a fifo: opening it must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf64_Ehdr head = { 0 };
	ssize_t got = fd < 0 ? 0 : pread(fd, &head, sizeof(head), 0);

	if (fd >= 0)
		close(fd);
	return got > 0 && (image_fits(&head, (u64)got) || image_is_core(&head, (u64)got));
}

static void add_note(struct perfdata *pd, const char *key, const char *value)
{
	if (value && *value && !perfdata_info_note(pd->info, key))
		perfdata_info_add_note(pd->info, key, value);
}

static void add_crash(struct perfdata *pd, u32 pid, u32 tid)
{
	g_autofree char *text = g_strdup_printf("%u/%u", pid ? pid : tid, tid);

	if (tid)
		add_note(pd, "detached.crashed", text);
}

static void add_notes(struct perfdata *pd, const struct image_header *h)
{
	g_autofree char *reason = image_reason_text(h);

	add_note(pd, "detached.name", h->name);
	add_note(pd, "detached.target", h->target);
	add_note(pd, INFO_NOTE_REASON, reason);
	add_crash(pd, h->crash_pid, h->crash_tid);
}

/* What the kernel wrote into the core: the recording in it may not know how the process ended. */
static void add_core_notes(struct perfdata *pd, const struct image_in_core *core)
{
	const struct image_header killed = { .reason = IMAGE_REASON_SIGNAL,
					     .reason_status = core->signal };
	g_autofree char *reason = core->signal ? image_reason_text(&killed) : NULL;

	add_note(pd, INFO_NOTE_REASON, reason);
	add_crash(pd, core->pid, core->tid);
}

/* The reader takes ownership of @file and frees it at the close. */
static bool open_copy(struct perfdata *pd, GByteArray *file, GError **error)
{
	pd->assembled = file;
	return reader_open_whole(pd, file->data, file->len, error);
}

static bool open_image(struct perfdata *pd, const void *data, u64 size,
		       const struct image_in_core *core, GError **error)
{
	struct image_choice choice = { 0 };
	struct image_header h;
	GByteArray *file;

	if (!image_header_read(pd->path, data, size, &h, error))
		return false;
	if (core) {
		h.crash_pid = core->pid;
		h.crash_tid = core->tid;
		h.reason = core->signal ? IMAGE_REASON_SIGNAL : IMAGE_REASON_NONE;
		h.reason_status = core->signal;
	}
	choice.first_pid = h.crash_pid;
	choice.first_tid = h.crash_tid;
	file = image_to_perfdata(pd->path, data, size, &choice, error);
	if (!file || !open_copy(pd, file, error))
		return false;
	add_notes(pd, &h);
	return true;
}

static bool open_core(struct perfdata *pd, const void *data, u64 size, GError **error)
{
	struct image_in_core core;
	GByteArray *file;

	if (!image_find_in_core(pd->path, data, size, &core, error))
		return false;
	if (core.image)
		return open_image(pd, core.image, core.size, &core, error);
	/* Notes are aligned to 4 bytes, a file to 8. */
	file = g_byte_array_new();
	g_byte_array_append(file, core.perfdata, (guint)core.size);
	if (!open_copy(pd, file, error))
		return false;
	add_core_notes(pd, &core);
	return true;
}

bool images_open(struct perfdata *pd, const void *data, u64 size, GError **error)
{
	return image_is_core(data, size) ? open_core(pd, data, size, error)
					 : open_image(pd, data, size, NULL, error);
}
