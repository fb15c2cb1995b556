// SPDX-License-Identifier: GPL-2.0-or-later
// Call chains of the samples as trees in preorder, as readFrames() makes them, with sums. `ends` are lists of a
// node for each group: where its chain ends; NONE: not in the tree.

// Sums of each frame with all below it, of the model's own tree.
function callTree(model, now, before) {
	const { frames, groups } = model;
	const sum = (weights) => {
		const out = new Float64Array(frames.n);
		for (let g = 0; g < groups.n; g++)
			out[groups.frame[g]] += weights[g];
		for (let i = frames.n - 1; i > 0; i--)
			out[frames.parent[i]] += out[i];
		return out;
	};
	return { ...frames, now: sum(now), before: before && sum(before), ends: [groups.frame] };
}

// A tree that grows chain by chain.
class Growing {
	constructor(model, now, before, label) {
		Object.assign(this, { model, now, before });
		this.nodes = [{ label, side: 1, below: new Map(), now: 0, before: 0 }];
	}

	// What group @g weighs is added to the root.
	add(g) {
		this.weigh(this.nodes[0], g);
	}

	weigh(node, g) {
		node.now += this.now[g];
		node.before += this.before?.[g] ?? 0;
	}

	// Goes from node @at along the labels to a node, adds the group to all on the way, and returns the last.
	follow(at, labels, side, g) {
		for (const label of labels) {
			const { below } = this.nodes[at], key = label * side;
			let next = below.get(key);
			if (next === undefined) {
				next = this.nodes.length;
				this.nodes.push({ label, side, below: new Map(), now: 0, before: 0 });
				below.set(key, next);
			}
			at = next;
			this.weigh(this.nodes[at], g);
		}
		return at;
	}

	finish(...ends) {
		const { nodes } = this, tree = { parent: [], depth: [], end: [], label: [], side: [], now: [], before: [],
			info: this.model.frames.info };
		const place = new Int32Array(nodes.length);
		const open = [{ node: 0, parent: NONE, depth: 0 }];
		while (open.length) {
			const { node, parent, depth, closes } = open.pop();
			if (closes !== undefined) {
				tree.end[closes] = tree.parent.length;
				continue;
			}
			const i = place[node] = tree.parent.length;
			tree.parent.push(parent);
			tree.depth.push(depth);
			for (const name of ['label', 'side', 'now', 'before'])
				tree[name].push(nodes[node][name]);
			open.push({ closes: i });
			const below = [...nodes[node].below.values()].sort((a, b) => nodes[a].now - nodes[b].now);
			for (const child of below)
				open.push({ node: child, parent: i, depth: depth + 1 });
		}
		tree.n = tree.parent.length;
		tree.ends = ends.map((list) => list.map((node) => (node === NONE ? NONE : place[node])));
		return tree;
	}
}

// Labels from a frame to the outermost one, which is below @top.
function labelsUp(frames, frame, top = 0) {
	const labels = [];
	for (; frame > top; frame = frames.parent[frame])
		labels.push(frames.label[frame]);
	return labels;
}

// The same samples by their leaves: below a function are those that called it.
function invertedTree(model, now, before) {
	const { frames, groups } = model, tree = new Growing(model, now, before, 0);
	const ends = new Int32Array(groups.n).fill(NONE); // at the outermost caller
	for (let g = 0; g < groups.n; g++) {
		if (!now[g] && !before?.[g])
			continue;
		tree.add(g);
		ends[g] = tree.follow(0, labelsUp(frames, groups.frame[g]), 1, g);
	}
	return tree.finish(ends);
}

// Of each frame, the outermost one of the function @label on its chain; 0: there is none.
function outermost(frames, label) {
	const out = new Int32Array(frames.n);
	for (let i = 1; i < frames.n; i++)
		out[i] = out[frames.parent[i]] || (frames.label[i] === label ? i : 0);
	return out;
}

// One function, its callers (side -1) and its callees (side 1). A chain that has it several times counts once: at the
// outermost one.
function aroundTree(model, now, before, label) {
	const { frames, groups } = model, tree = new Growing(model, now, before, label), at = outermost(frames, label);
	const callers = new Int32Array(groups.n).fill(NONE), callees = new Int32Array(groups.n).fill(NONE);
	for (let g = 0; g < groups.n; g++) {
		const frame = at[groups.frame[g]];
		if (!frame || (!now[g] && !before?.[g]))
			continue;
		tree.add(g);
		callers[g] = tree.follow(0, labelsUp(frames, frames.parent[frame]), -1, g);
		callees[g] = tree.follow(0, labelsUp(frames, groups.frame[g], frame).reverse(), 1, g);
	}
	return tree.finish(callers, callees);
}
