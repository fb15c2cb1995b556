/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of a session's files, as facts for views other than text. */
#ifndef PAGES_HEADER_H
#define PAGES_HEADER_H

#include "pages/base/page.h"
#include "session/session.h"

/* One pages_add_header() per file. @session must outlive the pages. */
void pages_add_headers(struct pages *pages, struct session *session);

/* For --header-only: no page. */
struct pages *header_pages_new(struct session *session, const char *command);

#endif
