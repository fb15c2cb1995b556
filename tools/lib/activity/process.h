/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the facts that a process publishes about itself: its service, and the names of its labels' keys.
 *
 * Two publications are known. OTEP 4719's process context (a mapping named OTEL_CTX) has a
 * resource, among it service.name, and the names of the key indexes that OTEP 4947's thread
 * contexts use; its payload is a protobuf message. Elastic's process storage has the service's
 * name and environment. This decodes the bytes; where they are in a process and when to read
 * them is left to the recorder, and which holds at what time to resolve/activity.h.
 */
#ifndef ACTIVITY_PROCESS_H
#define ACTIVITY_PROCESS_H

#include "activity/layout.h"
#include "base/types.h"

/* Whose form the bytes have. The numbers are written into files. */
enum activity_process_form {
	ACTIVITY_PROCESS_GONE = 0,    /* nothing: what was said before no longer holds */
	ACTIVITY_PROCESS_OTEL = 1,    /* the payload of OTEL_CTX, header version 2 */
	ACTIVITY_PROCESS_ELASTIC = 2, /* from the minor version to the third string's end */
};

/* One text that the process states of itself: an attribute of its resource or context. */
struct activity_attribute {
	const char *key;
	const char *value; /* numbers and booleans as text; never NULL */
};

/* Strings are valid UTF-8 and live as long as the process's facts. NULL: not stated. */
struct activity_process {
	const char *service;	 /* service.name */
	const char *environment; /* deployment.environment.name, deployment.environment */
	const char *version;	 /* service.version */
	const char *instance;	 /* service.instance.id */
	const char *schema;	 /* threadlocal.schema_version: how its thread contexts are read */
	struct activity_keys keys;
	const struct activity_attribute *attributes; /* all of them, in the order of the message */
	u32 nr_attributes;
};

/* Whether thread contexts of threadlocal.schema_version @schema are read. */
bool activity_schema_known(const char *schema);

/* Whether this build can read ACTIVITY_PROCESS_OTEL: it has libprotobuf-c. */
bool activity_process_supported(enum activity_process_form form);

/*
 * Decodes @size bytes at @data. NULL where they do not have that form. At most 256 keys and
 * 1,024 attributes are taken. Free with activity_process_free().
 */
struct activity_process *activity_process_new(enum activity_process_form form, const void *data,
					      size_t size);
void activity_process_free(struct activity_process *process);

#endif
