// SPDX-License-Identifier: GPL-2.0-or-later
// How much of a part of the recording is in what: sums over groups.

// Whether group g is in a part of the selection (time is no question of whole groups).
function inPart(model, part, before) {
	const { frames, groups, sites } = model;
	switch (part.kind) {
	case 'key': {
		const values = groups.values[model.keyIndex.get(part.key)];
		return (g) => values[g] === part.value;
	}
	case 'frame': {
		if (part.inverted)
			return (g) => endsIn(frames, groups.frame[g], part.path);
		const frame = findFrame(frames, part.path);
		return (g) => groups.frame[g] >= frame && groups.frame[g] < frames.end[frame];
	}
	case 'function': {
		const at = outermost(frames, part.label);
		return (g) => at[groups.frame[g]] > 0;
	}
	case 'field': {
		const field = before ? fieldBefore(model, part) : part;
		return (g) => {
			const site = sites[groups.site[g]];
			return Boolean(field) && site.type === part.type && site.type_offset !== null &&
				site.type_offset >= field.offset && site.type_offset < field.offset + field.size;
		};
	}
	case 'site':
		return (g) => groups.site[g] === part.site;
	default:
		return () => true;
	}
}

// Where a member was before: it may have moved.
function fieldBefore(model, part) {
	const type = model.typesBefore.find((t) => t.name === part.type);
	return type && mergeBits(type.fields).find((field) => field.name === part.name);
}

// The frame that labels lead to from the root; past the end where there is none.
function findFrame(frames, path) {
	let at = 0;
	for (const label of path) {
		let child = at + 1;
		while (child < frames.end[at] && frames.label[child] !== label)
			child = frames.end[child];
		if (child >= frames.end[at])
			return frames.n;
		at = child;
	}
	return at;
}

function endsIn(frames, frame, path) {
	for (const label of path) {
		if (frame <= 0 || frames.label[frame] !== label)
			return false;
		frame = frames.parent[frame];
	}
	return true;
}

class Sums {
	constructor(state) {
		this.state = state;
		this.model = state.model;
	}

	// What each group weighs, of the event that is looked at or another one, with all parts of the
	// selection but those that are left out; `before`: of the baseline, which has a range of time of its own.
	weights({ without = () => false, before = false, samples = false, of = this.state.get('event') } = {}) {
		const { groups, events } = this.model;
		const parts = this.state.parts.filter((part) => !without(part));
		const tests = parts.map((part) => inPart(this.model, part, before));
		const time = parts.find((part) => part.kind === (before ? 'time_before' : 'time'));
		const event = Math.max(0, events.indexOf(of));
		const from = before ? groups.before : samples ? groups.samples : groups.period;
		const out = new Float64Array(groups.n);

		for (let g = 0; g < groups.n; g++)
			if (groups.event[g] === event && tests.every((test) => test(g)))
				out[g] = time ? this.inTime(before ? this.model.before.moments : this.model.moments, g, time, samples) : from[g];
		return out;
	}

	inTime({ start, slice, period, samples: nr }, g, time, samples) {
		let sum = 0;
		for (let i = start[g]; i < start[g + 1]; i++)
			if (slice[i] >= time.from && slice[i] < time.to)
				sum += samples ? nr[i] : period[i];
		return sum;
	}

	// All of the event, whatever is selected: what percentages are of.
	whole(before = false, of = this.state.get('event')) {
		return total(this.weights({ without: () => true, before, of }));
	}

	// By the values of a key.
	byKey(key, weights) {
		const k = this.model.keyIndex.get(key);
		const values = this.model.groups.values[k];
		const out = new Float64Array(this.model.keys[k].values.length);
		for (let g = 0; g < weights.length; g++)
			out[values[g]] += weights[g];
		return out;
	}

	bySite(weights) {
		const out = new Float64Array(this.model.sites.length);
		for (let g = 0; g < weights.length; g++)
			out[this.model.groups.site[g]] += weights[g];
		return out;
	}
}

const total = (numbers) => numbers.reduce((sum, n) => sum + n, 0);

// Indexes of what is not 0, the largest first.
function ranked(numbers) {
	return [...numbers.keys()].filter((i) => numbers[i] > 0).sort((a, b) => numbers[b] - numbers[a] || a - b);
}
