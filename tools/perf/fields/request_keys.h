/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that compare requests: class (slow or rest), and critical (on the critical path of a request, or not). A sample alone does not
 * tell either, so its session is read before. Who does that is above fields/ (critical/asked.h), and is reached by
 * lexicon->request_keys.
 */
#ifndef FIELDS_REQUEST_KEYS_H
#define FIELDS_REQUEST_KEYS_H

#include "base/error.h"
#include "base/types.h"

struct lexicon;
struct place;

enum request_class {
	REQUEST_NONE, /* the sample is of no request that was asked for */
	REQUEST_SLOW,
	REQUEST_REST,
};

struct request_keys;

struct request_keys_ops {
	/* Reads the session for those of @needs, NEED_CLASS and NEED_CRITICAL, for which it has not been read. */
	bool (*read)(struct request_keys *requests, u32 needs, GError **error);
	/* After reading; before, or if it failed: REQUEST_NONE, and false. */
	enum request_class (*class_of)(struct request_keys *requests, const struct place *place);
	bool (*is_critical)(struct request_keys *requests, const struct place *place);
};

/* Begins the struct of who answers. */
struct request_keys {
	const struct request_keys_ops *ops;
};

/*
 * To be called before samples are read for keys with @needs (enum place_need): reads the session, if one of the keys compares
 * requests. False with @error: it cannot, or this command does not answer.
 */
bool request_keys_prepare(const struct lexicon *lexicon, u32 needs, GError **error);

#endif
