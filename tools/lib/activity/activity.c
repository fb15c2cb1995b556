// SPDX-License-Identifier: GPL-2.0-or-later
/* The library: every function of activity.h once, for callers that do not inline it. */
#define ACTIVITY_LIBRARY
#include "activity/activity.h"

#include "activity/publish.h"
#include "activity/slow.h"
