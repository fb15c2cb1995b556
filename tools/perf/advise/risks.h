/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What another layout of a type may break, as far as debug information and code show it. */
#ifndef ADVISE_RISKS_H
#define ADVISE_RISKS_H

#include "advise/advice.h"

/* char *, a sentence each. */
GPtrArray *advise_risks(const struct advice_question *q, const struct advice_list *list);

#endif
