// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Slots of the frame that several variables share, one after the other. A store that ends the time of a variable in its
 * slot is not to that variable. The function asks for all registers, so that variables are spilled. See flow.c for the
 * marks.
 *
 * @locals double
 */
#define NOINLINE __attribute__((noinline))
#define CROWD __asm__ volatile("" ::: "rax", "rcx", "rdx", "rbx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")

struct item { long id; double w; };

NOINLINE double ext(double x) { return x * 3; } // @type double +0 (no field)
NOINLINE int take(const char *s) { return *s; } // @type char +0 (no field) | char* +0 (no field)

NOINLINE double text(const char *s, double a)
{ // @type char* +0 (no field)
	CROWD; // @type char* +0 (no field) | double +0 (no field)
	int n = take(s); // @type double +0 (no field) | char* +0 (no field) | int +0 (no field)
	double d = ext(a) * n; // @type double +0 (no field) | int +0 (no field)
	CROWD; // @type double +0 (no field)
	return d + ext(d) + a; // @type double +0 (no field)
}

NOINLINE double items(struct item *s, struct item *t, double a)
{ // @type struct item* +0 (no field)
	CROWD; // @type struct item* +0 (no field) | double +0 (no field)
	long n = s->id + take((char *)t); // @type double +0 (no field) | struct item* +0 (no field) | struct item +0 (id) | long +0 (no field) | long int +0 (no field)
	double d = ext(a) * n; // @type double +0 (no field) | long +0 (no field) | long int +0 (no field)
	CROWD; // @type double +0 (no field) | long +0 (no field) | long int +0 (no field)
	double e = ext(d) * n; // @type double +0 (no field) | long +0 (no field) | long int +0 (no field)
	CROWD; // @type double +0 (no field)
	return d + ext(e) + a; // @type double +0 (no field)
}

int main(int argc, char **argv)
{
	if (argc < 99)
		return 0;
	return (int)(text(*argv, argc) + items((void *)argv, (void *)argv, argc)); // @type char* +0 (no field) | double +0 (no field) | int +0 (no field) | char** +0 (no field)
}
