/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short names for fixed-width integers, and macros that all modules use.
 *
 * Containers, strings and scope guards come from GLib (GArray, GPtrArray, GHashTable, GString, g_autofree, g_autoptr).
 * If memory runs out, GLib ends the program. So no code in this tree checks allocations.
 */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* Rounds up to a multiple of @a, which is a power of two. */
#define ALIGN_UP(x, a) (((x) + (a)-1) & ~((__typeof__(x))(a)-1))

#endif
