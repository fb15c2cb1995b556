// SPDX-License-Identifier: GPL-2.0-or-later
// The flame graph's view over time: the stacks of one thread, from left to right in the order of time. A column has the
// stack that took most of its time. Neighbours with the same frame are one box. Samples are instants: a stack lasts until
// the next sample of the thread, unless that comes late, because then the thread did not run.

const LATE = 2; // times the usual distance of two samples

// Of the frames that take time in a column (frame -> time with all below), those from @root to the leaf of the heaviest
// stack.
function heaviestStack(tree, sums, root) {
	const best = new Map(), below = new Map();
	for (const [i, sum] of sums) {
		const parent = tree.parent[i];
		below.set(parent, (below.get(parent) ?? 0) + sum);
		if (sum > (sums.get(best.get(parent)) ?? 0))
			best.set(parent, i);
	}
	const stack = sums.has(root) ? [root] : [];
	for (let i = root; stack.length && best.has(i); i = best.get(i)) {
		const next = best.get(i), own = sums.get(i) - below.get(i);
		if (own > sums.get(next))
			break;
		stack.push(next);
	}
	return stack;
}

// Columns of @each slices of @view: frame -> time. Only groups that @passes.
function columnsOf(model, tree, view, each, passes) {
	const { moments } = model, columns = [];
	for (let m = 0; m < moments.slice.length; m++) {
		const slice = moments.slice[m], g = moments.group[m];
		if (slice < view.from || slice >= view.to || !passes(g))
			continue;
		const sums = columns[Math.floor((slice - view.from) / each)] ??= new Map();
		for (let i = tree.ends[0][g]; i >= 0; i = tree.parent[i])
			sums.set(i, (sums.get(i) ?? 0) + moments.period[m]);
	}
	return columns;
}

// The stack of each of @nr columns; null: none.
function stacksOf(columns, nr, tree, root) {
	const used = Object.keys(columns).map(Number), gaps = used.slice(1).map((c, i) => c - used[i]).sort((a, b) => a - b);
	const late = LATE * (gaps[Math.floor(gaps.length / 2)] ?? 1);
	let stack = null, until = 0;
	return Array.from({ length: nr }, (_, c) => {
		if (columns[c]) {
			stack = heaviestStack(tree, columns[c], root).slice(root ? 0 : 1);
			until = c + late;
		}
		return c < until ? stack : null;
	});
}

// Boxes { i, x, w, y, from, to } of frames from @root on; from and to are slices.
function chartBoxes(model, tree, root, view, width, passes) {
	const size = view.to - view.from, each = Math.ceil(size / Math.max(1, Math.floor(width / 2)));
	const stacks = stacksOf(columnsOf(model, tree, view, each, passes), Math.ceil(size / each), tree, root), boxes = [];
	let open = [];
	for (let c = 0; c < stacks.length; c++) {
		const x = c * each / size * width, end = Math.min(width, (c + 1) * each / size * width);
		open = (stacks[c] ?? []).map((i, y) => {
			const box = open[y]?.i === i ? open[y] : { i, x, y, from: view.from + c * each };
			if (box !== open[y])
				boxes.push(box);
			box.w = end - box.x;
			box.to = Math.min(view.to, view.from + (c + 1) * each);
			return box;
		});
	}
	return boxes;
}
