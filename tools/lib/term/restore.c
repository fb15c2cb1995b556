// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"

static const int ends[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV,
			    SIGBUS,  SIGILL, SIGFPE, SIGABRT, SIGTRAP };
static const int wakers[] = { SIGWINCH, SIGCONT };

/* Resets colours and key modes, shows the cursor, and leaves the alternate screen. */
static const char leave[] = "\033[0m\033[?25h\033[?1l\033>\033[?1049l\r\n";

static struct {
	volatile sig_atomic_t active, away, resized, continued;
	int fd, wake[2];
	struct termios before;
	struct sigaction was_ends[ARRAY_SIZE(ends)], was_wakers[ARRAY_SIZE(wakers)];
	void *stack; /* signal stack, for handling a stack overflow */
	bool at_exit;
} the;

static void restore_now(void)
{
	if (!the.active || the.away)
		return;
	the.active = 0;
	if (write(the.fd, leave, sizeof(leave) - 1) < 0)
		the.away = 1; /* the terminal is gone */
	tcsetattr(the.fd, TCSANOW, &the.before);
}

/* Restores the terminal, then raises the signal again with its former action. */
static void end(int signal)
{
	restore_now();
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends[i] == signal)
			sigaction(signal, &the.was_ends[i], NULL);
	raise(signal); /* delivered when this handler returns; a faulting instruction also faults again */
}

static void wake(int signal)
{
	int saved = errno;

	if (signal == SIGWINCH)
		the.resized = 1;
	else
		the.continued = 1;
	if (write(the.wake[1], "", 1) < 0)
		the.resized = 1; /* the pipe is full: the reader is awake */
	errno = saved;
}

static void use_stack(void)
{
	stack_t stack = { .ss_size = 64 << 10 }, was;

	if (!sigaltstack(NULL, &was) && !(was.ss_flags & SS_DISABLE))
		return; /* a sanitizer has set one */
	the.stack = stack.ss_sp = malloc(stack.ss_size);
	if (the.stack && sigaltstack(&stack, NULL)) {
		free(the.stack);
		the.stack = NULL;
	}
}

static void drop_stack(void)
{
	const stack_t none = { .ss_flags = SS_DISABLE };

	if (!the.stack)
		return;
	sigaltstack(&none, NULL);
	free(the.stack);
	the.stack = NULL;
}

int restore_begin(int fd, const struct termios *before)
{
	struct sigaction action = { .sa_handler = end, .sa_flags = SA_ONSTACK };

	if (pipe2(the.wake, O_CLOEXEC | O_NONBLOCK))
		return -1;
	the.fd = fd;
	the.before = *before;
	the.away = the.resized = the.continued = 0;
	if (!the.at_exit)
		the.at_exit = !atexit(restore_now);
	use_stack();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		sigaction(ends[i], &action, &the.was_ends[i]);
		if (the.was_ends[i].sa_handler == SIG_IGN) /* keep ignored signals ignored: nohup */
			sigaction(ends[i], &the.was_ends[i], NULL);
	}
	action.sa_handler = wake;
	action.sa_flags = SA_RESTART;
	for (size_t i = 0; i < ARRAY_SIZE(wakers); i++)
		sigaction(wakers[i], &action, &the.was_wakers[i]);
	the.active = 1;
	return the.wake[0];
}

struct wakes restore_wakes(void)
{
	struct wakes w;
	char bytes[64];

	while (read(the.wake[0], bytes, sizeof(bytes)) > 0)
		;
	w = (struct wakes){ the.resized, the.continued };
	the.resized = the.continued = 0;
	return w;
}

void restore_pause(bool away)
{
	the.away = away;
}

void restore_end(void)
{
	/*
	 * Usually S-Lang has restored the settings already. But after a change of size, SLtt_smart_puts() of 2.3.3
	 * writes beyond its tables and may destroy S-Lang's copy of the settings. Then SLang_reset_tty() does nothing.
	 */
	if (the.active)
		tcsetattr(the.fd, TCSANOW, &the.before);
	the.active = 0;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		sigaction(ends[i], &the.was_ends[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(wakers); i++)
		sigaction(wakers[i], &the.was_wakers[i], NULL);
	drop_stack();
	close(the.wake[0]);
	close(the.wake[1]);
}
