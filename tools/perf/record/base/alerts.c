// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/alerts.h"

#include <sys/eventfd.h>
#include <unistd.h>

bool alerts_init(struct alerts *alerts)
{
	*alerts = (struct alerts){ .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	return alerts->fd >= 0;
}

void alerts_raise(struct alerts *alerts, enum alert alert)
{
	__atomic_fetch_or(&alerts->raised, alert, __ATOMIC_RELEASE);
	eventfd_write(alerts->fd, 1);
}

bool alerts_take(struct alerts *alerts, enum alert alert)
{
	return __atomic_fetch_and(&alerts->raised, ~(u32)alert, __ATOMIC_ACQ_REL) & alert;
}

void alerts_clear_fd(const struct alerts *alerts)
{
	eventfd_t ignored;

	eventfd_read(alerts->fd, &ignored);
}

void alerts_release(struct alerts *alerts)
{
	if (alerts->fd >= 0)
		close(alerts->fd);
	alerts->fd = -1;
}
