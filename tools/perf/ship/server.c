// SPDX-License-Identifier: GPL-2.0-or-later
#include "ship/server.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <poll.h>
#include <string.h>
#include <zlib.h>

#include "base/clock.h"
#include "ship/answer.h"

#define HAS_NOW64  20001 /* versions */
#define HAS_TOKENS 22002
#define MS	   1000000

/* Not linked: perf would load it, and the twenty libraries that it needs, at each start. */
struct curl_library {
	typeof(&curl_easy_init) init;
	typeof(&curl_easy_cleanup) cleanup;
	typeof(&curl_easy_perform) perform;
	typeof(&curl_easy_reset) reset;
	typeof(&curl_easy_strerror) strerror;
	typeof(&curl_slist_append) append;
	typeof(&curl_slist_free_all) free_list;
	CURLcode (*set)(CURL *, CURLoption, ...);
	CURLcode (*get)(CURL *, CURLINFO, ...);
};

struct server {
	struct server_options o;
	struct curl_library lib;
	CURL *curl;
	char *base; /* up to the parameters, "?database=perf" included */
	u32 version;
};

struct response {
	GString *body;
	bool too_long;
};

/* Do not unload it: it may have started threads. */
static bool load_library(struct curl_library *lib)
{
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	const struct {
		const char *name;
		void *to;
	} symbols[] = {
		{ "curl_easy_init", &lib->init },	    { "curl_easy_cleanup", &lib->cleanup },
		{ "curl_easy_perform", &lib->perform },	    { "curl_easy_reset", &lib->reset },
		{ "curl_easy_strerror", &lib->strerror },   { "curl_slist_append", &lib->append },
		{ "curl_slist_free_all", &lib->free_list }, { "curl_easy_setopt", &lib->set },
		{ "curl_easy_getinfo", &lib->get },
	};
	void *library = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY | RTLD_NODELETE);
	for (u32 i = 0; library && i < ARRAY_SIZE(symbols); i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (!symbol)
			return false;
		memcpy(symbols[i].to, &symbol, sizeof(symbol));
	}
	return library;
}

/* The last part of the path is the database. */
static char *base_of(const char *url, GError **error)
{
	const GUriFlags flags = G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED;
	g_autoptr(GUri) uri = g_uri_parse(url, flags, error);
	g_autoptr(GUri) base = NULL;
	g_autofree char *path = NULL, *query = NULL;
	char *database;
	bool tls;

	if (!uri) {
		g_prefix_error(error, "%s: ", url);
		return NULL;
	}
	tls = !strcmp(g_uri_get_scheme(uri), "https");
	if ((!tls && strcmp(g_uri_get_scheme(uri), "http")) || !g_uri_get_host(uri) ||
	    !*g_uri_get_host(uri) || g_uri_get_query(uri) || g_uri_get_fragment(uri)) {
		error_set(error, PERF_ERROR_USAGE,
			  "%s: expected http[s]://[USER@]HOST[:PORT][/DATABASE]", url);
		return NULL;
	}
	if (g_uri_get_password(uri)) {
		error_set(error, PERF_ERROR_USAGE,
			  "all users can read a password in a command line: put it into ~/.netrc, "
			  "or a file for --netrc");
		return NULL;
	}
	path = g_strdup(g_uri_get_path(uri));
	while (g_str_has_suffix(path, "/"))
		path[strlen(path) - 1] = '\0';
	database = strrchr(path, '/');
	if (database && database[1])
		query = g_strdup_printf("database=%s", database + 1);
	if (database)
		database[1] = '\0';
	base = g_uri_build_with_user(flags, g_uri_get_scheme(uri), g_uri_get_user(uri), NULL, NULL,
				     g_uri_get_host(uri),
				     g_uri_get_port(uri) > 0 ? g_uri_get_port(uri)
				     : tls		     ? 8443
							     : 8123,
				     *path ? path : "/", query ?: "database=default", NULL);
	return g_uri_to_string(base);
}

struct server *server_new(const struct server_options *options, GError **error)
{
	struct server *s = g_new0(struct server, 1);

	s->o = *options;
	s->base = base_of(options->url, error);
	if (s->base && load_library(&s->lib))
		s->curl = s->lib.init();
	if (s->base && !s->curl)
		error_set(error, PERF_ERROR_UNSUPPORTED,
			  "libcurl.so.4 cannot be loaded (package libcurl4)");
	if (!s->curl)
		g_clear_pointer(&s, server_free);
	return s;
}

void server_free(struct server *s)
{
	if (!s)
		return;
	if (s->curl)
		s->lib.cleanup(s->curl);
	g_free(s->base);
	g_free(s);
}

static size_t take_body(char *bytes, size_t one, size_t size, void *arg)
{
	struct response *a = arg;

	a->too_long = a->body->len + size > ANSWER_MOST;
	if (a->too_long)
		return 0;
	g_string_append_len(a->body, bytes, (gssize)size);
	return size;
}

static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct pollfd stop = { .fd = *(const int *)arg, .events = POLLIN };

	return poll(&stop, 1, 0) > 0;
}

static void set_common(struct server *s, const char *url, struct response *answer)
{
	const struct curl_library *l = &s->lib;

	l->reset(s->curl);
	l->set(s->curl, CURLOPT_URL, url);
	l->set(s->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	l->set(s->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	l->set(s->curl, CURLOPT_NOSIGNAL, 1L);
	l->set(s->curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (s->o.netrc)
		l->set(s->curl, CURLOPT_NETRC_FILE, s->o.netrc);
	if (s->o.cacert)
		l->set(s->curl, CURLOPT_CAINFO, s->o.cacert);
	l->set(s->curl, CURLOPT_CONNECTTIMEOUT, (long)s->o.timeout_s);
	l->set(s->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	l->set(s->curl, CURLOPT_LOW_SPEED_TIME, (long)s->o.timeout_s);
	l->set(s->curl, CURLOPT_TIMEOUT, 10L * s->o.timeout_s);
	l->set(s->curl, CURLOPT_WRITEFUNCTION, take_body);
	l->set(s->curl, CURLOPT_WRITEDATA, answer);
	l->set(s->curl, CURLOPT_NOPROGRESS, 0L);
	l->set(s->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
	l->set(s->curl, CURLOPT_XFERINFODATA, &s->o.stop_fd);
	/* Else libcurl sends a request again whose answer was lost. */
	l->set(s->curl, CURLOPT_FRESH_CONNECT, 1L);
	l->set(s->curl, CURLOPT_FORBID_REUSE, 1L);
}

static enum server_result failure(struct server *s, CURLcode code, const struct response *a,
				  GError **error)
{
	if (code == CURLE_ABORTED_BY_CALLBACK) {
		error_set(error, PERF_ERROR_STOPPED, "stopped");
		return SERVER_STOPPED;
	}
	if (a->too_long)
		error_set(error, PERF_ERROR_FORMAT,
			  "the server's answer does not end: this is no ClickHouse server");
	else
		error_set(error, PERF_ERROR_SYSTEM, "%s: %s", s->o.url, s->lib.strerror(code));
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
		return SERVER_UNSENT;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return SERVER_REFUSES;
	default:
		return SERVER_UNKNOWN;
	}
}

static struct curl_slist *headers_of(const struct server *s, bool body)
{
	const char *token = g_getenv("PERF_SHIP_TOKEN");
	struct curl_slist *list = s->lib.append(NULL, "Expect:");

	if (body) {
		list = s->lib.append(list, "Content-Encoding: gzip");
		list = s->lib.append(list, "Content-Type: application/octet-stream");
	}
	if (token && *token) {
		g_autofree char *header = g_strconcat("Authorization: Bearer ", token, NULL);

		list = s->lib.append(list, header);
	}
	return list;
}

/* @body NULL: a request that changes nothing. */
static enum server_result request(struct server *s, const char *url, const GByteArray *body,
				  struct response *answer, GError **error)
{
	struct curl_slist *headers = headers_of(s, body);
	long status = 0;
	CURLcode code;

	set_common(s, url, answer);
	s->lib.set(s->curl, CURLOPT_HTTPHEADER, headers);
	if (body) {
		s->lib.set(s->curl, CURLOPT_POST, 1L);
		s->lib.set(s->curl, CURLOPT_POSTFIELDS, body->data);
		s->lib.set(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->len);
	}
	code = s->lib.perform(s->curl);
	s->lib.get(s->curl, CURLINFO_RESPONSE_CODE, &status);
	s->lib.free_list(headers);
	if (code != CURLE_OK)
		return failure(s, code, answer, error);
	return answer_check(status, answer->body->str, error);
}

static enum server_result query(struct server *s, const char *sql, struct response *answer,
				GError **error)
{
	g_autofree char *escaped = g_uri_escape_string(sql, NULL, FALSE);
	g_autofree char *url = g_strconcat(s->base, "&query=", escaped, NULL);

	return request(s, url, NULL, answer, error);
}

enum server_result server_ask(struct server *s, const char *sql, u64 *number, GError **error)
{
	g_autoptr(GString) body = g_string_new(NULL);
	enum server_result result = query(s, sql, &(struct response){ body }, error);

	if (result == SERVER_DONE && !answer_number(body->str, number, error))
		result = SERVER_UNKNOWN;
	return result;
}

/* The middle of the time that the question took stands for the time of the answer. */
static enum server_result ask_clock(struct server *s, s32 *offset_ms, GError **error)
{
	bool exact = s->version >= HAS_NOW64;
	u64 before = clock_ns(CLOCK_REALTIME), after, theirs;
	enum server_result result = server_ask(
		s, exact ? "SELECT toUnixTimestamp64Milli(now64(3))" : "SELECT toUInt32(now())",
		&theirs, error);
	s64 offset;

	after = clock_ns(CLOCK_REALTIME);
	if (result != SERVER_DONE)
		return result;
	if (!exact)
		theirs = theirs * 1000 + 500;
	offset = (s64)(theirs - (before / 2 + after / 2) / MS);
	*offset_ms = (s32)CLAMP(offset, INT32_MIN, INT32_MAX);
	return SERVER_DONE;
}

enum server_result server_greet(struct server *s, s32 *offset_ms, GError **error)
{
	g_autoptr(GString) body = g_string_new(NULL);
	enum server_result result = query(s, "SELECT version()", &(struct response){ body }, error);

	if (result == SERVER_DONE && !answer_version(body->str, &s->version, error))
		result = SERVER_UNKNOWN;
	return result == SERVER_DONE ? ask_clock(s, offset_ms, error) : result;
}

static GByteArray *gzip(const void *bytes, size_t size)
{
	GByteArray *out = g_byte_array_new();
	z_stream z = { .next_in = (Bytef *)bytes, .avail_in = (uInt)size };

	if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		g_error("zlib: out of memory");
	g_byte_array_set_size(out, (guint)deflateBound(&z, size));
	z.next_out = out->data;
	z.avail_out = out->len;
	deflate(&z, Z_FINISH);
	g_byte_array_set_size(out, (guint)z.total_out);
	deflateEnd(&z);
	return out;
}

enum server_result server_insert(struct server *s, const char *table, const char *id,
				 const void *block, size_t size, GError **error)
{
	g_autoptr(GString) body = g_string_new(NULL);
	g_autoptr(GByteArray) packed = gzip(block, size);
	g_autoptr(GString) url = g_string_new(s->base);
	enum server_result result;

	g_string_append_printf(url, "&insert_distributed_sync=1&query_id=%s", id);
	if (s->version >= HAS_TOKENS)
		g_string_append_printf(url, "&async_insert=0&insert_deduplication_token=%s", id);
	g_string_append_printf(url, "&query=INSERT%%20INTO%%20%s%%20FORMAT%%20Native", table);
	result = request(s, url->str, packed, &(struct response){ body }, error);
	if (result == SERVER_DONE && body->len) {
		error_set(error, PERF_ERROR_FORMAT,
			  "the server's answer to an insert is not empty");
		result = SERVER_UNKNOWN;
	}
	return result;
}
