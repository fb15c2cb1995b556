/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of the keys class and critical (fields/request_keys.h): of which class the request of a sample is, and whether the sample's
 * thread was on the critical path of a request then.
 *
 * Example: `perf report --critical=checkout --slowest=5 -s class,symbol` tells what the slowest 5 % of the requests checkout ran, and
 * what the others did.
 */
#ifndef CRITICAL_ASKED_H
#define CRITICAL_ASKED_H

#include "fields/fields.h"
#include "fields/request_keys.h"

/*
 * @what and @slowest as in struct critical_options. @what NULL: all outermost spans, and the slowest ones of each name. Nothing is
 * read yet. Borrows @session and @what. To be freed with asked_free().
 */
struct request_keys *asked_new(struct session *session, const char *what, double slowest);
void asked_free(struct request_keys *requests);

#endif
