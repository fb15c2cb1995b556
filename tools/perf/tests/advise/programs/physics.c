// SPDX-License-Identifier: GPL-2.0-or-later
/* physics BALLS STEPS: balls fall into a box. Chipmunk does the rest. Prints where they are, which does not depend on any layout. */
#include <chipmunk/chipmunk.h>
#include <stdio.h>
#include <stdlib.h>

static void add_wall(cpSpace *space, cpVect a, cpVect b)
{
	cpShape *wall = cpSegmentShapeNew(cpSpaceGetStaticBody(space), a, b, 1);

	cpShapeSetFriction(wall, 0.7);
	cpSpaceAddShape(space, wall);
}

int main(int argc, char **argv)
{
	int balls = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 100,
	    wide = 400;
	cpSpace *space = cpSpaceNew();
	cpBody **all = calloc((size_t)balls, sizeof(*all));
	double sum = 0;

	srand(1);
	cpSpaceSetIterations(space, 10);
	cpSpaceSetGravity(space, cpv(0, -100));
	add_wall(space, cpv(0, 0), cpv(wide, 0));
	add_wall(space, cpv(0, 0), cpv(0, 100000));
	add_wall(space, cpv(wide, 0), cpv(wide, 100000));
	for (int i = 0; i < balls; i++)
		all[i] = cpBodyNew(1, cpMomentForCircle(1, 0, 1, cpvzero));
	/* As in a program that runs for a while: neighbours in the box are none in memory. */
	for (int i = balls - 1; i > 0; i--) {
		int j = rand() % (i + 1);
		cpBody *one = all[i];

		all[i] = all[j];
		all[j] = one;
	}
	for (int i = 0; i < balls; i++) {
		int row = i / (wide / 2 - 4), column = i % (wide / 2 - 4);

		cpSpaceAddBody(space, all[i]);
		cpBodySetPosition(all[i], cpv(2 + 2.05 * column + row % 2, 2 + 2.0 * row));
		cpSpaceAddShape(space, cpCircleShapeNew(all[i], 1, cpvzero));
	}
	for (int i = 0; i < steps; i++)
		cpSpaceStep(space, 1.0 / 60);
	for (int i = 0; i < balls; i++)
		sum += cpBodyGetPosition(all[i]).y;
	printf("%.3f\n", sum / balls);
	return 0;
}
