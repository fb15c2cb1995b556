/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread waits for, if that is no lock of a futex or of the kernel (resolve/locks.h): as far as the system call, its
 * arguments and its file tell.
 *
 *	"/var/db/orders (file lock)"	"pipe:[4711] (pipe)"	"TCP 10.0.0.1:80->10.0.0.2:4711 (socket)"
 *	"4711 (child)"	"any (child)"	"(timer)"	"pipe:[4711] (events)"	"(events)"	"(CPU)"	"/var/db/orders (file), disk vda, read, in the device"	"/dev/pts/3 (file), work flush_to_ldisc"
 */
#ifndef FIELDS_OBJECTS_H
#define FIELDS_OBJECTS_H

#include <glib.h>
#include <stdbool.h>

struct place;
struct wait;

/* A request to a disk has ended the wait, and its completion's interrupt is recorded. */
bool object_is_disk(const struct wait *wait);
/* A request to a disk, or a work of the kernel, has ended the wait: wait->ready says which, and is behind the object's name. */
bool object_has_cause(const struct wait *wait);

/* False: it is not known, or the thread does not wait. */
bool object_append(const struct wait *wait, GString *out);

/* Appends the name of the lock that the thread waits for: of a file as above, else by resolve/locks.h. */
void object_append_lock(const struct place *place, const struct wait *wait, GString *out);

#endif
