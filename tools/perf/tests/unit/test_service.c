// SPDX-License-Identifier: GPL-2.0-or-later
/* What a service manager is told, by a socket of our own in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/service.h"

/* Bound to @name; "@..." is an abstract one. */
static int manager_new(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	memcpy(at.sun_path, name, strlen(name));
	if (*name == '@')
		at.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (struct sockaddr *)&at,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
			 0);
	return fd;
}

static void check_told(const char *name)
{
	int fd = manager_new(name);
	char got[64] = "";

	setenv("NOTIFY_SOCKET", name, 1);
	service_notify("READY=1");
	assert_int_equal(recv(fd, got, sizeof(got) - 1, 0), strlen("READY=1"));
	assert_string_equal(got, "READY=1");
	close(fd);
}

static void a_manager_is_told(void **state)
{
	char path[] = "/tmp/service-XXXXXX", name[100], abstract[100];

	assert_non_null(mkdtemp(path));
	snprintf(name, sizeof(name), "%s/socket", path);
	check_told(name);
	unlink(name);
	rmdir(path);
	snprintf(abstract, sizeof(abstract), "@service-test-%d", (int)getpid());
	check_told(abstract);
}

static void without_one_nothing_is_told(void **state)
{
	static const char *const names[] = { "", "x", "@", "/nowhere/at/all" };
	char longest[300];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		setenv("NOTIFY_SOCKET", names[i], 1);
		service_notify("READY=1");
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = '/';
	longest[sizeof(longest) - 1] = '\0';
	setenv("NOTIFY_SOCKET", longest, 1);
	service_notify("READY=1");
	unsetenv("NOTIFY_SOCKET");
	service_notify("READY=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_manager_is_told),
		cmocka_unit_test(without_one_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
