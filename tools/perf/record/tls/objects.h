/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the mapped files that define or use one of the variables. Each file is read once, no matter
 * how many processes map it. Most files refer to no variable. One thread at a time may use it.
 */
#ifndef RECORD_TLS_OBJECTS_H
#define RECORD_TLS_OBJECTS_H

#include <gelf.h>
#include <glib.h>

#include "activity/layout.h"
#include "base/types.h"
#include "dso/go.h"
#include "dso/tls.h"
#include "perfdata/event.h"
#include "perfevent/paths.h"

/* Maximum number of requested layouts. */
#define TLS_PUBLISHERS 8

#define TLS_HEADER_SIZE 64

/* How a file refers to one of the variables. */
struct tls_mention {
	bool defines;
	struct tls_symbol symbol;
	GArray *slots; /* struct tls_slot, or NULL */
};

/* A file that some process has mapped. Most files refer to no variable. */
struct tls_object {
	bool mentions;
	bool has_tls;
	bool foreign; /* for another architecture, and it defines one of the variables */
	bool program; /* certainly an executable; for other files the process tells */
	struct tls_mention mention[TLS_PUBLISHERS];
	struct tls_segment segment;
	struct go_program go; /* GO: of the variable in this file */
	u64 storage_vaddr;    /* of Elastic's pointer to its process storage, or 0 */
	GArray *loads;	      /* GElf_Phdr: its PT_LOADs */
	u64 begin, end;	      /* address range of its PT_LOADs, as the file states it */
	u64 dev, ino;
	u8 header[TLS_HEADER_SIZE];
};

struct tls_objects;

/* @asked (at most TLS_PUBLISHERS of struct activity_layout) and @paths must outlive the result. */
struct tls_objects *tls_objects_new(const GArray *asked, const struct kernel_paths *paths);
void tls_objects_free(struct tls_objects *objects);

/*
 * The file of mapping @map. If the process has ended: the file that another process mapped with the
 * same name, inode and build-id. NULL: it cannot be read. Valid as long as @objects.
 */
const struct tls_object *tls_objects_find(struct tls_objects *objects,
					  const struct event_mmap *map);

/* Reads the file at @path. The caller frees the result. NULL: it cannot be opened. */
struct tls_object *tls_object_read(const struct tls_objects *objects, const char *path);
void tls_object_free(struct tls_object *object);

/* out: the load bias, from @map, a mapping of the file's code. False: @map maps no code. */
bool tls_object_bias(const struct tls_object *object, const struct event_mmap *map, u64 *bias);

/* True if process @pid executes this file. */
bool tls_object_is_program_of(const struct tls_object *object, const struct kernel_paths *paths,
			      u32 pid);

#endif
