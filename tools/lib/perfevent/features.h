/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What open.c needs of kernel features besides what open.h shows. */
#ifndef PERFEVENT_FEATURES_H
#define PERFEVENT_FEATURES_H

#include "perfevent/open.h"

/* Without it the recording is not what the user asked for. */
bool kernel_feature_wanted(enum kernel_feature feature);

/* Clears the bits that ask for it (WEIGHT_STRUCT becomes WEIGHT, inherit goes for INHERIT_READ). */
void kernel_feature_take_back(enum kernel_feature feature, struct evsel *evsel);

/* Is CAP_PERFMON or CAP_SYS_ADMIN effective here? */
bool may_see_kernel(void);

#endif
