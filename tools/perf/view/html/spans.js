// SPDX-License-Identifier: GPL-2.0-or-later
// The slowest spans: a row for each, with its duration and a bar on the timeline's axis, in the timeline's colours. A click
// selects its name, its thread and its time.

const LISTED_SPANS = 10;

// Are there single requests? Where most spans last about as long as the recording, ids stand for kinds of requests.
function hasRequests({ spans, time }) {
	const middle = spans[Math.floor(spans.length / 2)]; // the longest is first
	return Boolean(middle) && middle.to - middle.from < time.n * time.slice / 2;
}

class Spans {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model, all: false });
		const p = panel('spans', 'Slowest spans');
		this.section = p.section;
		this.controls = p.controls;
		this.list = el('ol', { className: 'spans' });
		this.info = el('p', { className: 'info' });
		p.body.append(this.list, this.info);
		state.declare('spans.order', 'slowest');
	}

	// What a click selects.
	parts(span) {
		const { time, keyIndex } = this.model, slice = (ns) => (ns - time.first) / time.slice;
		const from = Math.min(time.n - 1, Math.max(0, Math.floor(slice(span.from))));
		const parts = [{ kind: 'time', from, to: Math.min(time.n, Math.max(from + 1, Math.ceil(slice(span.to)))) }];
		for (const [key, value] of [['span', span.value], ['tid', span.thread]])
			if (value !== NONE && keyIndex.has(key))
				parts.unshift({ kind: 'key', key, value });
		return parts;
	}

	isSelected(span) {
		return this.parts(span).every((part) => this.state.parts.some((p) => State.same(p, part)));
	}

	select(span) {
		const { state } = this, parts = this.parts(span);
		if (this.isSelected(span))
			state.drop(...state.parts.filter((part) => parts.some((p) => State.same(p, part))));
		else
			state.select(...parts);
	}

	// Those of the selected name and thread, and of the selected time unless one of them made it.
	chosen() {
		const { state, model } = this, time = state.find('time');
		const start = model.time.first, at = (slice) => start + slice * model.time.slice;
		const value = state.value('span'), thread = state.value('tid');
		const found = matcher(state.get('search')), own = model.spans.some((span) => this.isSelected(span));
		const list = model.spans.filter((span) => (value === NONE || span.value === value) &&
			(own || thread === NONE || span.thread === NONE || span.thread === thread) &&
			(own || !time || (span.from < at(time.to) && span.to > at(time.from))) &&
			(!found || found(span.name) || found(span.activity)));
		return state.get('spans.order') === 'slowest' ? list : list.sort((a, b) => a.from - b.from);
	}

	update() {
		const { state, model } = this, list = this.chosen(), few = this.all ? list : list.slice(0, LISTED_SPANS);
		const focus = this.section.contains(document.activeElement) ? document.activeElement.id : null;
		this.colour = model.keyIndex.get(state.get('timeline.colour')) ?? 0;
		this.weights = this.sums.weights({ without: () => true });
		this.fill = palette(this.sums.byKey(model.keys[this.colour].name, this.weights), model.keys[this.colour]).fill;
		this.list.replaceChildren(...few.map((span) => this.row(span)));
		this.controls.replaceChildren(
			choice('spans-order', 'Order', [['slowest', 'slowest first'], ['begin', 'by begin']],
				state.get('spans.order'), (value) => state.set('spans.order', value)),
			el('button', { type: 'button', id: 'spans-more', disabled: list.length <= LISTED_SPANS, onclick: () => {
				this.all = !this.all;
				this.update();
			} }, this.all ? `First ${LISTED_SPANS}` : `All ${countText(list.length)}`));
		this.info.textContent = this.about(list);
		if (focus)
			document.getElementById(focus)?.focus();
	}

	about(list) {
		if (!list.length)
			return `none of ${countText(this.model.nrSpans)} spans is selected, or found`;
		const { model } = this, exact = list.filter((span) => span.stated).length;
		const words = [model.nrSpans > model.spans.length
			? `the ${countText(model.spans.length)} slowest of ${countText(model.nrSpans)} spans` : `${countText(model.nrSpans)} spans`];
		words.push(exact === list.length ? 'times are from the files of spans'
			: `${exact ? `${countText(exact)} with times from the files of spans, the others` : ''} from the first to the last sample`.trim());
		words.push('colours as in the timeline');
		return words.join(' \u00b7 ');
	}

	// Per slice of the span's time, the value that most of its samples have; the key is the timeline's.
	slices(span) {
		const { groups, moments, time, keyIndex } = this.model, from = Math.floor((span.from - time.first) / time.slice);
		const to = Math.ceil((span.to - time.first) / time.slice), sums = [];
		const has = (key, value) => value === NONE || !keyIndex.has(key) ? () => true
			: (g) => groups.values[keyIndex.get(key)][g] === value;
		const isSpan = has('span', span.value), isThread = has('tid', span.thread);
		for (let g = 0; g < groups.n; g++) {
			if (!this.weights[g] || !isSpan(g) || !isThread(g))
				continue;
			const value = groups.values[this.colour][g];
			for (let m = moments.start[g]; m < moments.start[g + 1]; m++) {
				if (moments.slice[m] < from || moments.slice[m] >= to)
					continue;
				const of = sums[moments.slice[m]] ??= new Map();
				of.set(value, (of.get(value) ?? 0) + moments.period[m]);
			}
		}
		return sums.map((of) => [...of].sort((a, b) => b[1] - a[1])[0][0]);
	}

	// The colours of the bar, whose time is from @from to @to. Slices without samples have the bar's own.
	paint(bar, span, from, to) {
		const { time } = this.model, stops = [];
		const at = (slice) => `${Math.min(100, Math.max(0, percent(time.first + slice * time.slice - from, to - from))).toFixed(2)}%`;
		this.slices(span).forEach((value, slice, all) => {
			if (all[slice - 1] !== value)
				stops.push([value, slice, slice]);
			stops[stops.length - 1][2] = slice + 1;
		});
		const words = stops.map(([value, begin, end]) => `transparent ${at(begin)}, ${this.fill(value)} ${at(begin)} ${at(end)}, transparent ${at(end)}`);
		if (words.length)
			bar.style.backgroundImage = `linear-gradient(to right, ${words.join(', ')})`;
	}

	row(span) {
		const { model, state } = this, view = timeView(state), ns = (view.to - view.from) * model.time.slice;
		const start = model.time.first + view.from * model.time.slice;
		const left = Math.min(100, Math.max(0, percent(span.from - start, ns)));
		const right = Math.min(100, Math.max(0, percent(span.to - start, ns)));
		const thread = span.thread === NONE ? 'several threads' : model.keys[model.keyIndex.get('tid')]?.values[span.thread] ?? '';
		const bar = el('span', { className: 'span-bar' });
		bar.style.left = `${left}%`;
		bar.style.width = `max(2px, ${right - left}%)`;
		const isIn = span.to > start && span.from < start + ns;
		if (isIn)
			this.paint(bar, span, Math.max(span.from, start), Math.min(span.to, start + ns));
		const title = `${shown(span.name)} ${shown(span.activity)}\n${durationText(span.to - span.from)} from ` +
			`${clock(model, (span.from - model.time.first) / model.time.slice)} on\n${shown(thread)}, ` +
			`${countText(span.samples)} ${span.samples === 1 ? 'sample' : 'samples'}`;
		return el('li', {}, el('button', { type: 'button', id: `span-${span.nr}`, title,
			'aria-pressed': String(this.isSelected(span)), onclick: () => this.select(span) },
		el('span', { className: 'span-words' }, el('span', { className: 'number' }, durationText(span.to - span.from)), ' ',
			el('span', { className: 'name' }, shown(span.name)), ' ', el('span', { className: 'muted' }, shown(thread))),
		el('span', { className: 'span-track' }, isIn ? bar : null)));
	}
}
