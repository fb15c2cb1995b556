/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports the program's state to a service manager through $NOTIFY_SOCKET, in systemd's protocol. */
#ifndef BASE_SERVICE_H
#define BASE_SERVICE_H

/* @state: "READY=1", "STOPPING=1"; several are separated by newlines. Errors are ignored. */
void service_notify(const char *state);

#endif
