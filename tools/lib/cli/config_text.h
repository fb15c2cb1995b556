/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the text of perfconfig files into keys and values. Finding the files is config.h's part. */
#ifndef CLI_CONFIG_TEXT_H
#define CLI_CONFIG_TEXT_H

#include "base/types.h"

/* @key is "section.name". The section is in lower case. */
typedef void (*config_take_fn)(const char *key, const char *value, void *arg);

/*
 * Calls @take for each key of @text. Returns 0, or the number (from 1) of the line that has a syntax error.
 */
u32 config_text_parse(const char *text, size_t size, config_take_fn take, void *arg);

/* @value as it is written after "name = ", with quotes if it needs them. Free with g_free(). */
char *config_text_quote(const char *value);

#endif
