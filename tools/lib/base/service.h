/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells a service manager how it stands, where one wants to know ($NOTIFY_SOCKET, as systemd has it). */
#ifndef BASE_SERVICE_H
#define BASE_SERVICE_H

/* "READY=1", "STOPPING=1"; several with newlines between. What cannot be told is not told. */
void service_notify(const char *state);

#endif
