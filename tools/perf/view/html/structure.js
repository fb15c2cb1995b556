// SPDX-License-Identifier: GPL-2.0-or-later
// A structure as it lies in memory: a row for each cache line, members as boxes, heat as fill, holes hatched.

const MAX_LINES = 400; // drawn of one type

// Boxes of a type: { field or hole, offset, size, lane }, cut at the ends of lines. Members that overlap
// (unions) stand in lanes below each other; bit fields of the same bytes are one.
function layOut(type) {
	const ends = [], boxes = [];
	const put = (what, offset, size, lane) => {
		for (let at = offset; at < offset + size;) {
			const end = Math.min(offset + size, (Math.floor(at / type.line) + 1) * type.line);
			boxes.push({ ...what, offset: at, size: end - at, lane });
			at = end;
		}
	};
	for (const field of mergeBits(type.fields).sort((a, b) => a.offset - b.offset || b.size - a.size)) {
		if (!(field.size > 0) || field.offset < 0)
			continue;
		let lane = ends.findIndex((end) => end <= field.offset);
		if (lane < 0)
			lane = ends.length;
		ends[lane] = field.offset + field.size;
		put({ field }, field.offset, field.size, lane);
	}
	for (const hole of type.holes)
		put({ hole }, hole.offset, hole.size, 0);
	return boxes;
}

function mergeBits(fields) {
	const out = [], at = new Map();
	for (const field of fields) {
		const key = field.bits ? `${field.offset} ${field.size}` : null;
		const there = key && at.get(key);
		if (there) {
			there.name += `, ${field.name}:${field.bits}`;
			continue;
		}
		const copy = { ...field, name: field.bits ? `${field.name}:${field.bits}` : field.name };
		out.push(copy);
		if (key)
			at.set(key, copy);
	}
	return out;
}

// A type with what fell on its bytes: [{ offset, sum, access }].
class Layout {
	constructor(type, bytes, brief) {
		Object.assign(this, { type, bytes, brief, all: total(bytes.map((b) => b.sum)) });
	}

	// In percent of the type: of all accesses, or of those that read or write.
	heat(offset, size, access = '') {
		return percent(this.bytes.reduce((sum, b) => sum +
			(b.offset >= offset && b.offset < offset + size && b.access.includes(access) ? b.sum : 0), 0), this.all);
	}

	words() {
		const { type } = this, nr = Math.max(1, Math.ceil(type.size / type.line));
		const empty = type.holes.reduce((sum, hole) => sum + hole.size, 0);
		return `${countText(type.size)} bytes, ${nr} cache ${nr === 1 ? 'line' : 'lines'}` +
			(empty ? `, ${countText(empty)} bytes empty` : '');
	}

	// @member(field): the element of a member, before it has its place, colour and words.
	lines(member) {
		const lines = [], size = this.type.line;
		for (const box of layOut(this.type))
			(lines[Math.floor(box.offset / size)] ??= []).push(box);
		const nodes = [];
		for (let i = 0; i < lines.length && nodes.length < MAX_LINES; i++) {
			let last = i;
			while (last < lines.length && this.isCold(last))
				last++;
			if (last - i > 1) {
				nodes.push(el('p', { className: 'cold' }, `lines ${i} to ${last - 1} (${hex(i * size)} to ${hex(last * size - 1)}): no samples`));
				i = last - 1;
			} else {
				nodes.push(this.line(i, lines[i] ?? [], member));
			}
		}
		return nodes;
	}

	isCold(line) {
		return line > 0 && !(this.heat(line * this.type.line, this.type.line) > 0);
	}

	line(i, boxes, member) {
		const lanes = boxes.reduce((max, box) => Math.max(max, box.lane), 0) + 1;
		const line = el('div', { className: 'line', role: 'group', 'aria-label': `cache line ${i}` },
			...boxes.filter((box) => box.lane < 6).map((box) => this.box(box, member)));
		const inside = Math.min(1, Math.max(0, (this.type.size - i * this.type.line) / this.type.line));
		line.style.width = `${inside * 100}%`;
		line.style.height = `${Math.min(lanes, 6) * 2.6}em`;
		const share = this.heat(i * this.type.line, this.type.line);
		return el('div', { className: 'line-row' },
			el('div', { className: 'ruler' }, `line ${i} \u00b7 ${hex(i * this.type.line)}`, share > 0 ? ` \u00b7 ${percentText(share)}` : ''), line);
	}

	box(box, member) {
		const e = box.hole ? this.hole(box) : this.member(box.field, member(box.field)), size = this.type.line;
		const inside = Math.min(size, Math.max(1, this.type.size - Math.floor(box.offset / size) * size));
		e.style.left = `${(box.offset % size) / inside * 100}%`;
		e.style.width = `${box.size / inside * 100}%`;
		e.style.top = `${box.lane * 2.6}em`;
		return e;
	}

	hole({ hole, size }) {
		const words = `${hole.kind}: ${hole.size} ${hole.size === 1 ? 'byte' : 'bytes'} at ${hex(hole.offset)}`;
		return el('div', { className: 'hole', title: words, role: 'img', 'aria-label': words }, size >= 4 ? `${hole.kind} ${hole.size}` : '');
	}

	member(field, e) {
		const share = this.heat(field.offset, field.size), fill = heatFill(share / 100);
		e.title = `${shown(field.name)} (${shown(this.brief(field.type))}) at ${hex(field.offset)}, ${field.size} bytes, ${percentText(share)}`;
		e.setAttribute('aria-label', e.title);
		e.append(el('span', {}, shown(field.name.split('.').pop())), ...(share > 0 ? [el('span', {}, percentText(share))] : []));
		e.style.backgroundColor = fill;
		e.style.color = inkOn(fill);
		return e;
	}
}

class Structure {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model });
		const p = panel('structure', 'Structure');
		this.section = p.section;
		this.controls = p.controls;
		this.picture = el('div', { className: 'lines' });
		this.info = el('p', { className: 'info' });
		this.infoBefore = el('p', { className: 'info' });
		this.pictureBefore = el('div', { className: 'lines before' });
		this.table = el('div', { className: 'sideways', tabIndex: 0, role: 'region', 'aria-label': 'Fields with samples' });
		p.body.append(this.infoBefore, this.pictureBefore, this.info, this.picture, this.table);
		state.declare('structure', '');
	}

	// Which type: the one that a part of the selection is about, else the one looked at, else the hottest.
	choose(sizes) {
		const { model, state } = this;
		const names = new Set(model.types.map((type) => type.name));
		const key = model.keys?.[model.keyIndex.get('type')];
		const wanted = [state.find('field')?.type, key && key.values[state.value('type')], state.get('structure')];
		const hottest = key ? ranked(sizes).map((value) => key.values[value]).filter((name) => names.has(name)) : [...names];
		this.hot = hottest;
		return wanted.find((name) => names.has(name)) ?? hottest[0] ?? model.types[0]?.name;
	}

	update() {
		const { model, state, sums } = this;
		const without = (part) => part.kind === 'field' || part.kind === 'site' || (part.kind === 'key' && ['type', 'typeoff'].includes(part.key));
		const weights = model.groups ? sums.weights({ without }) : null;
		const before = model.typesBefore.length ? sums.weights({ without, before: true }) : null;
		const name = this.choose(weights && model.keyIndex.has('type') ? sums.byKey('type', weights) : []);
		const type = model.types.find((t) => t.name === name);
		this.section.hidden = !model.types.length;
		if (!type)
			return;
		const layout = (of, sum) => new Layout(of, this.sumBytes(of, sum), (text) => state.brief(text));
		const was = model.typesBefore.find((t) => t.name === name);
		this.type = type;
		this.now = layout(type, weights);
		this.was = was ? layout(was, before) : null;
		this.section.dataset.type = name;
		this.drawControls(name);
		const of = (side, sum) => (sum ? `${percentText(percent(side.all, total(sum)))} of ${state.basis(without)}`
			: `${countText(side.type.samples)} ${side.type.samples === 1 ? 'sample' : 'samples'}`);
		const words = (side, sum) => `${shown(state.brief(name))}: ${side.words()} \u00b7 ${of(side, sum)}` +
			(side.type.dso ? ` \u00b7 ${shown(side.type.dso.replace(/.*\//, ''))}` : '');
		this.info.textContent = `${model.typesBefore.length ? 'Now ' : ''}${words(this.now, weights)}`;
		this.infoBefore.textContent = this.was ? `Before ${words(this.was, before)}` : 'Before: no samples of this type';
		this.infoBefore.hidden = !model.typesBefore.length;
		this.pictureBefore.replaceChildren(...(this.was?.lines(() => el('div', { className: 'member' })) ?? []));
		this.picture.replaceChildren(...this.now.lines((field) => el('button', { type: 'button', className: 'member',
			'aria-pressed': String(this.isSelected(field)), onclick: () => this.select(field) })));
		this.drawFields();
	}

	// What fell on which offset of the type.
	sumBytes(type, weights) {
		if (!weights) {
			// Of members that overlap each has what fell on its bytes: one of them counts.
			let end = 0;
			return [...type.fields].sort((a, b) => a.offset - b.offset).flatMap((field) => {
				const counts = field.offset >= end;
				end = Math.max(end, field.offset + field.size);
				return counts ? this.pageBytes(field) : [];
			});
		}
		const bySite = this.sums.bySite(weights);
		return this.model.sites.flatMap((site, i) => (bySite[i] > 0 && site.type === type.name && site.type_offset !== null
			? [{ offset: site.type_offset, sum: bySite[i], access: site.access ?? '' }] : []));
	}

	// The same of a page that has its own numbers, where there are no samples to be chosen from.
	pageBytes(field) {
		const both = Math.max(0, field.read + field.write - field.all);
		const parts = [['read', field.read - both], ['write', field.write - both], ['read, write', both],
			['', field.all - field.read - field.write + both]];
		return parts.filter(([, sum]) => sum > 0).map(([access, sum]) => ({ offset: field.offset, sum, access }));
	}

	drawControls(name) {
		const focus = this.controls.contains(document.activeElement);
		const rest = this.model.types.map((type) => type.name).filter((n) => !this.hot.includes(n));
		this.controls.replaceChildren(choice('structure-type', 'Type', [...this.hot, ...new Set(rest)].slice(0, 200).map((n) => [n, shown(this.state.brief(n))]), name,
			(v) => this.pick(v)));
		if (focus)
			this.controls.querySelector('select').focus();
	}

	pick(name) {
		const { state, model } = this;
		const key = model.keys?.[model.keyIndex.get('type')];
		const value = key ? key.values.indexOf(name) : NONE;
		state.parts = state.parts.filter((part) => part.kind !== 'field');
		if (state.value('type') !== NONE && value >= 0)
			state.select({ kind: 'key', key: 'type', value });
		else
			state.set('structure', name);
	}

	isSelected(field) {
		const part = this.state.find('field');
		return part && part.type === this.type.name && part.offset === field.offset && part.size === field.size;
	}

	select(field) {
		if (this.isSelected(field))
			this.state.drop(this.state.find('field'));
		else
			this.state.select({ kind: 'field', type: this.type.name, offset: field.offset, size: field.size, name: field.name });
	}

	someText(share) {
		return share > 0 ? percentText(share) : '';
	}

	// The fields with samples as a table, since narrow boxes have no room for words. In a comparison, the same members of both.
	drawFields() {
		const { now, was } = this, old = new Map(was ? mergeBits(was.type.fields).map((field) => [field.name, field]) : []);
		const share = (side, field, access) => (field ? side.heat(field.offset, field.size, access) : 0);
		const rows = mergeBits(now.type.fields).map((field) => ({ field, share: share(now, field), before: old.get(field.name) }))
			.filter((row) => row.share > 0 || share(was, row.before) > 0).sort((a, b) => b.share - a.share).slice(0, 40);
		const right = (text) => el('td', { className: 'right' }, text);
		const heads = [...(was ? ['Before'] : []), 'Share', 'Reads', 'Writes', ...(was ? ['Offset before'] : []), 'Offset', 'Size', 'Field'];
		this.table.hidden = !rows.length;
		this.table.replaceChildren(el('table', { className: 'fields' },
			el('caption', {}, `Fields with samples, in percent of ${shown(this.state.brief(now.type.name))}`),
			el('thead', {}, el('tr', {}, ...heads.map((t) => el('th', { scope: 'col', className: t === 'Field' ? '' : 'right' }, t)))),
			el('tbody', {}, ...rows.map(({ field, share: all, before }) => el('tr', {},
				...(was ? [right(this.someText(share(was, before)))] : []),
				right(percentText(all)),
				...['read', 'write'].map((access) => right(this.someText(share(now, field, access)))),
				...(was ? [right(before ? hex(before.offset) : '')] : []),
				right(hex(field.offset)), right(String(field.size)),
				el('td', {}, el('button', { type: 'button', className: 'pick', 'aria-pressed': String(Boolean(this.isSelected(field))),
					onclick: () => this.select(field) }, shown(field.name)), ` ${shown(this.state.brief(field.type))}`))))));
	}
}

const hex = (number) => `0x${number.toString(16)}`;
