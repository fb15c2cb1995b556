// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/service.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void service_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	/* A path, or "@" and an abstract name. */
	if (length < 2 || length >= sizeof(to.sun_path) || (*path != '/' && *path != '@'))
		return;
	memcpy(to.sun_path, path, length);
	if (*path == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	close(fd);
}
