/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 32-bit program, for cases/stacks: frames without a frame pointer.
 *
 *	gcc -m32 -O1 -fno-pie -no-pie -nostdlib -static -Wl,--build-id -Wl,-z,noseparate-code -o narrow narrow.c
 */
__attribute__((noipa)) static int leaf(int x)
{
	volatile int room[4] = { x };

	return room[x & 3];
}

__attribute__((noipa)) static int middle(int x)
{
	return leaf(x + 1) + x;
}

void _start(void)
{
	for (int i = 0;; i++)
		middle(i);
}
