/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the two kinds of explorers: explorer.c and compared.c. Their own structs begin with these. */
#ifndef PAGES_EXPLORER_PRIVATE_H
#define PAGES_EXPLORER_PRIVATE_H

#include "pages/explorer.h"

/* As the functions in explorer.h are described. */
struct explorer_ops {
	void (*free)(struct explorer *e);
	void (*set_watch)(struct explorer *e, const struct progress_watch *watch);
	struct explorer_answer *(*ask)(struct explorer *e, const struct explorer_question *q,
				       GError **error);
	void (*free_answer)(struct explorer_answer *a);
	s32 (*sorted_column)(const struct explorer_answer *a, const struct page *page);
	bool (*look)(struct explorer_answer *a, struct page *page, bool relative, double least);
	struct explorer_status (*status)(const struct explorer_answer *a, u32 page);
	/* Sets field, and key or identity, and the text of the key without a word before it. */
	bool (*term_of)(const struct explorer_answer *a, const struct page *page, struct row row,
			const struct field *field, struct term *out);
	bool (*path_of)(const struct explorer_answer *a, const struct page *page, struct row row,
			struct term *out);
	const GPtrArray *(*groups)(const struct explorer_answer *a); /* const struct field * */
};

struct explorer {
	const struct explorer_ops *ops;
	struct explorer_options o;
};

struct explorer_answer {
	struct explorer *explorer;
	struct pages *pages; /* owned */
};

/* The profile of an answer of explorer_new(). */
const struct profile *explorer_answer_profile(const struct explorer_answer *a);

#endif
