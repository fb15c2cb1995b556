/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes of tests: a sanitizer makes all some ten times slower, and sees as much in a smaller input. */
#ifndef UNIT_SANITIZED_H
#define UNIT_SANITIZED_H

#ifndef __has_feature /* gcc has it not */
#define __has_feature(feature) 0
#endif

#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))

#endif
