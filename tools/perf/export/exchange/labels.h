/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts about a sample that are texts: enum exchange_label. */
#ifndef EXPORT_EXCHANGE_LABELS_H
#define EXPORT_EXCHANGE_LABELS_H

#include "export/exchange/format.h"

struct field;
struct lexicon;
struct place;

/* What a cgroup, and a process, say about containers. */
struct container_memo {
	u64 cgroup;
	const void *process;
	u32 file, container, pod; /* container, pod: texts + 1; 0: the memo is empty */
};

#define CONTAINER_MEMOS 256u

struct exchange_labels {
	struct lexicon *lexicon;
	struct container_memo *memos;
	const struct field
		*fields[NR_EXCHANGE_LABELS];   /* of labels that are sort keys, else NULL */
	GHashTable *texts[NR_EXCHANGE_LABELS]; /* key -> text */
};

void exchange_labels_init(struct exchange_labels *labels, struct session *session);
void exchange_labels_release(struct exchange_labels *labels);

/* Fills @out with texts of @x. @place has NEED_DATA_TYPE, NEED_ACTIVITY and NEED_SAMPLE. */
void exchange_labels_of(struct exchange_labels *labels, struct exchange *x,
			const struct place *place, u32 out[NR_EXCHANGE_LABELS]);

#endif
