/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of this folder that the page is made of, as they were at build time. */
#ifndef VIEW_HTML_ASSETS_H
#define VIEW_HTML_ASSETS_H

/* From _start to before _end; the script is the .js files one after the other. */
extern const char asset_body_start[], asset_body_end[];
extern const char asset_style_start[], asset_style_end[];
extern const char asset_script_start[], asset_script_end[];

#endif
