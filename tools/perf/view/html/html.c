// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The HTML has only fixed text. All text from the recording is in the packed JSON, and the script shows it only as
 * text, never as markup. The Content Security Policy in front is a second protection: it allows this one script and
 * this one style sheet, and forbids everything else, including all network access.
 */
#include "view/html/html.h"

#include "view/html/assets.h"
#include "view/html/pack.h"
#include "view/json/json.h"

/* The hash of the text between the tags, as Content Security Policy Level 3 defines it: "sha256-...". */
static char *policy_hash(const char *start, const char *end)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize size = sizeof(digest);
	g_autofree char *text = NULL;

	g_checksum_update(sum, (const guchar *)start, end - start);
	g_checksum_get_digest(sum, digest, &size);
	text = g_base64_encode(digest, size);
	return g_strconcat("sha256-", text, NULL);
}

static void put(const char *start, const char *end, FILE *out)
{
	fwrite(start, 1, (size_t)(end - start), out);
}

static void put_head(FILE *out)
{
	g_autofree char *script = policy_hash(asset_script_start, asset_script_end);
	g_autofree char *style = policy_hash(asset_style_start, asset_style_end);

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'; "
		"require-trusted-types-for 'script'; trusted-types 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<title>perf report</title>\n<style>",
		script, style);
	put(asset_style_start, asset_style_end, out);
	fputs("</style>\n</head>\n", out);
}

bool html_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error)
{
	FILE *packed;
	bool ok;

	put_head(out);
	put(asset_body_start, asset_body_end, out);
	fputs("<script type=\"application/x-perf-rows\" id=\"data\">", out);
	packed = pack_open(out);
	if (!packed)
		return error_set(error, PERF_ERROR_SYSTEM, "no memory to pack the page's data");
	ok = json_print_pages(pages, options, packed, error);
	fclose(packed); /* a failure has set @out's error flag */
	fputs("</script>\n<script type=\"module\">", out);
	put(asset_script_start, asset_script_end, out);
	fputs("</script>\n</body>\n</html>\n", out);
	return ok;
}
