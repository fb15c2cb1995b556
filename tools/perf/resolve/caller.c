// SPDX-License-Identifier: GPL-2.0-or-later
/* Return addresses of user code: chains/returns.h with the words of place.h. */
#include "chains/returns.h"
#include "resolve/private.h"

enum code_caller resolve_caller(const struct code *code)
{
	static const enum code_caller callers[] = { [RETURNS] = CODE_RETURN,
						    [RETURNS_MAYBE] = CODE_MAYBE_RETURN,
						    [RETURNS_NEVER] = CODE_NO_RETURN };
	enum return_evidence returns = code->map ? RETURNS_MAYBE : returns_unmapped(code->va);

	if (code->map && code->dso)
		returns = returns_in_dso(code->dso, code->vaddr);
	/* Without a build-id, the file may be another one. */
	if (code->map && returns == RETURNS_NEVER && !dso_recorded_build_id(code->dso).size)
		returns = RETURNS_MAYBE;
	return callers[returns];
}
