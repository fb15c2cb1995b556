/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The syntax of perfconfig files, apart from where they lie: text to keys and values. */
#ifndef CLI_CONFIG_TEXT_H
#define CLI_CONFIG_TEXT_H

#include "base/types.h"

/* @key is "section.name", the section in lower case. */
typedef void (*config_take_fn)(const char *key, const char *value, void *arg);

/*
 * Hands each key of @text to @take. Returns 0, or the line (from 1) in which @text stops being a
 * perfconfig file.
 */
u32 config_text_parse(const char *text, size_t size, config_take_fn take, void *arg);

/* @value as it is written behind "name = ", in quotes where it needs them. g_free(). */
char *config_text_quote(const char *value);

#endif
