/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes of test inputs. With a sanitizer, tests run some ten times slower, so they use smaller inputs. */
#ifndef UNIT_SANITIZED_H
#define UNIT_SANITIZED_H

#ifndef __has_feature /* gcc does not have it */
#define __has_feature(feature) 0
#endif

#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))

#endif
