/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of this folder that form the page, with their contents at build time. */
#ifndef VIEW_HTML_ASSETS_H
#define VIEW_HTML_ASSETS_H

/* Bytes from _start to before _end. The script is all .js files, one after the other. */
extern const char asset_body_start[], asset_body_end[];
extern const char asset_style_start[], asset_style_end[];
extern const char asset_script_start[], asset_script_end[];

#endif
