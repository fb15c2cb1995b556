/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf detached list: this user's recordings and their memory. */
#ifndef CMD_DETACHED_LIST_H
#define CMD_DETACHED_LIST_H

/* Returns the exit status. */
int detached_list_print(void);

#endif
