/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the facts that a process publishes about itself: its service, and the names of its labels' keys.
 *
 * There are two formats. OTEP 4719's process context (a mapping named OTEL_CTX) has a resource, which includes
 * service.name, and the names of the key indexes in OTEP 4947's thread contexts. Its payload is a protobuf message.
 * Elastic's process storage has the name and environment of the service. This module decodes the bytes. The recorder
 * finds them in a process and decides when to read them. resolve/activity.h decides which are valid at what time.
 */
#ifndef ACTIVITY_PROCESS_H
#define ACTIVITY_PROCESS_H

#include "activity/layout.h"
#include "base/types.h"

/* The format of the bytes. The numbers are written into files. */
enum activity_process_form {
	ACTIVITY_PROCESS_GONE = 0,    /* nothing: earlier facts are not valid any more */
	ACTIVITY_PROCESS_OTEL = 1,    /* the payload of OTEL_CTX, header version 2 */
	ACTIVITY_PROCESS_ELASTIC = 2, /* from the minor version to the third string's end */
};

/* A text that the process publishes: an attribute of its resource or context. */
struct activity_attribute {
	const char *key;
	const char *value; /* numbers and booleans as text; never NULL */
};

/* Strings are valid UTF-8, and valid as long as the facts of the process. NULL: not stated. */
struct activity_process {
	const char *service;	 /* service.name */
	const char *environment; /* deployment.environment.name, deployment.environment */
	const char *version;	 /* service.version */
	const char *instance;	 /* service.instance.id */
	const char *schema;	 /* threadlocal.schema_version: the format of its thread contexts */
	struct activity_keys keys;
	const struct activity_attribute *attributes; /* all of them, in the order of the message */
	u32 nr_attributes;
};

/* Can thread contexts of threadlocal.schema_version @schema be read? */
bool activity_schema_known(const char *schema);

/* Can this build read ACTIVITY_PROCESS_OTEL? It needs libprotobuf-c. */
bool activity_process_supported(enum activity_process_form form);

/*
 * Decodes @size bytes at @data. NULL: they do not have the format @form. At most 256 keys and 1,024 attributes are
 * used. Free the result with activity_process_free().
 */
struct activity_process *activity_process_new(enum activity_process_form form, const void *data,
					      size_t size);
void activity_process_free(struct activity_process *process);

#endif
