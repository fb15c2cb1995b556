// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "typeflow/state.h"

void state_init(struct state *state, struct debuginfo *debug, const struct func_vars *vars)
{
	memset(state, 0, sizeof(*state));
	state->debug = debug;
	state->vars = vars;
	state->in_frame = g_array_new(false, false, sizeof(u32));
	state->cfa_reg = INSN_NO_REG;
}

void state_release(struct state *state)
{
	for (u32 i = 0; i < INSN_NR_REGS; i++) {
		if (state->in_register[i])
			g_array_unref(state->in_register[i]);
		if (state->at_register[i])
			g_array_unref(state->at_register[i]);
	}
	g_array_unref(state->in_frame);
}

static GArray *list_for(struct state *state, const struct location *location)
{
	GArray **list;

	if (location->kind == LOCATION_MEM_CFA)
		return state->in_frame;
	if (location->reg >= INSN_NR_REGS)
		return NULL;
	if (location->kind == LOCATION_REG || location->kind == LOCATION_REG_PLUS)
		list = &state->in_register[location->reg];
	else if (location->kind == LOCATION_MEM_REG)
		list = &state->at_register[location->reg];
	else
		return NULL;
	if (!*list)
		*list = g_array_new(false, false, sizeof(u32));
	return *list;
}

/* Drops what has ended, so that a list never grows beyond what holds at once, doubled. */
static void prune(struct state *state, GArray *list)
{
	u32 kept = 0;

	for (u32 i = 0; i < list->len; i++) {
		u32 index = g_array_index(list, u32, i);

		if (state->vars->locations[index].high > state->vaddr)
			g_array_index(list, u32, kept++) = index;
	}
	g_array_set_size(list, kept);
}

void state_move(struct state *state, u64 vaddr)
{
	state->vaddr = vaddr;
	if (!state->vars)
		return;
	while (state->next < state->vars->nr_locations) {
		const struct location *location = &state->vars->locations[state->next];
		GArray *list;

		if (location->low > vaddr)
			break;
		list = location->high > vaddr ? list_for(state, location) : NULL;
		if (list) {
			if (list->len >= 8 && (list->len & (list->len - 1)) == 0)
				prune(state, list);
			g_array_append_val(list, state->next);
		}
		state->next++;
	}
	if (vaddr >= state->cfa_low && vaddr < state->cfa_high)
		return;
	if (!debuginfo_cfa(state->debug, vaddr, &state->cfa_reg, &state->cfa_offset,
			   &state->cfa_low, &state->cfa_high))
		state->cfa_reg = INSN_NO_REG;
}

const struct location *state_next(const struct state *state, const GArray *list, u32 *at)
{
	while (list && *at < list->len) {
		u32 index = g_array_index(list, u32, (*at)++);

		if (state->vars->locations[index].high > state->vaddr)
			return &state->vars->locations[index];
	}
	return NULL;
}
