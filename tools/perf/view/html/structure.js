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

class Structure {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model });
		const p = panel('structure', 'Structure');
		this.section = p.section;
		this.controls = p.controls;
		this.picture = el('div', { className: 'lines' });
		this.info = el('p', { className: 'info' });
		this.table = el('div', { className: 'sideways', tabIndex: 0, role: 'region', 'aria-label': 'Fields with samples' });
		p.body.append(this.info, this.picture, this.table);
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
		const sizes = weights && model.keyIndex.has('type') ? sums.byKey('type', weights) : [];
		const name = this.choose(sizes);
		const type = model.types.find((t) => t.name === name);
		this.section.hidden = !model.types.length;
		if (!type)
			return;
		this.type = type;
		this.bytes = this.sumBytes(type, weights);
		this.all = this.bytes.reduce((sum, b) => sum + b.sum, 0);
		this.section.dataset.type = name;
		this.drawControls(name);
		const nr = Math.max(1, Math.ceil(type.size / type.line)), empty = type.holes.reduce((sum, hole) => sum + hole.size, 0);
		this.info.textContent = `${shown(state.brief(name))}: ${countText(type.size)} bytes, ${nr} cache ${nr === 1 ? 'line' : 'lines'}` +
			(empty ? `, ${countText(empty)} bytes empty` : '') + ` \u00b7 ${weights ? `${percentText(percent(this.all, total(weights)))} of ${state.basis(without)}`
				: `${countText(type.samples)} ${type.samples === 1 ? 'sample' : 'samples'}`}` +
			(type.dso ? ` \u00b7 ${shown(type.dso.replace(/.*\//, ''))}` : '');
		this.drawLines(layOut(type));
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

	// In percent of the type: of all accesses, or of those that read or write.
	heat(offset, size, access = '') {
		return percent(this.bytes.reduce((sum, b) => sum +
			(b.offset >= offset && b.offset < offset + size && b.access.includes(access) ? b.sum : 0), 0), this.all);
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

	drawLines(boxes) {
		const lines = [], size = this.type.line;
		for (const box of boxes)
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
				nodes.push(this.drawLine(i, lines[i] ?? []));
			}
		}
		this.picture.replaceChildren(...nodes);
	}

	isCold(line) {
		return line > 0 && !(this.heat(line * this.type.line, this.type.line) > 0);
	}

	drawLine(i, boxes) {
		const lanes = boxes.reduce((max, box) => Math.max(max, box.lane), 0) + 1;
		const line = el('div', { className: 'line', role: 'group', 'aria-label': `cache line ${i}` },
			...boxes.filter((box) => box.lane < 6).map((box) => this.drawBox(box)));
		const inside = Math.min(1, Math.max(0, (this.type.size - i * this.type.line) / this.type.line));
		line.style.width = `${inside * 100}%`;
		line.style.height = `${Math.min(lanes, 6) * 2.6}em`;
		const share = this.heat(i * this.type.line, this.type.line);
		return el('div', { className: 'line-row' },
			el('div', { className: 'ruler' }, `line ${i} \u00b7 ${hex(i * this.type.line)}`, share > 0 ? ` \u00b7 ${percentText(share)}` : ''), line);
	}

	drawBox(box) {
		const size = this.type.line;
		const inside = Math.min(size, Math.max(1, this.type.size - Math.floor(box.offset / size) * size));
		const place = (e) => {
			e.style.left = `${(box.offset % size) / inside * 100}%`;
			e.style.width = `${box.size / inside * 100}%`;
			e.style.top = `${box.lane * 2.6}em`;
			return e;
		};
		if (box.hole) {
			const words = `${box.hole.kind}: ${box.hole.size} ${box.hole.size === 1 ? 'byte' : 'bytes'} at ${hex(box.hole.offset)}`;
			return place(el('div', { className: 'hole', title: words, role: 'img', 'aria-label': words },
				box.size >= 4 ? `${box.hole.kind} ${box.hole.size}` : ''));
		}
		const share = this.heat(box.field.offset, box.field.size), fill = heatFill(share / 100);
		const words = `${shown(box.field.name)} (${shown(this.state.brief(box.field.type))}) at ${hex(box.field.offset)}, ` +
			`${box.field.size} bytes, ${percentText(share)}`;
		const e = place(el('button', { type: 'button', className: 'member', title: words, 'aria-label': words,
			'aria-pressed': String(this.isSelected(box.field)), onclick: () => this.select(box.field) },
		el('span', {}, shown(box.field.name.split('.').pop())), share > 0 ? el('span', {}, percentText(share)) : null));
		e.style.backgroundColor = fill;
		e.style.color = inkOn(fill);
		return e;
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

	// The fields with samples as a table, since narrow boxes have no room for words.
	drawFields() {
		const rows = mergeBits(this.type.fields).map((field) => ({ field, share: this.heat(field.offset, field.size) }))
			.filter((row) => row.share > 0).sort((a, b) => b.share - a.share).slice(0, 40);
		this.table.hidden = !rows.length;
		this.table.replaceChildren(el('table', { className: 'fields' },
			el('caption', {}, `Fields with samples, in percent of ${shown(this.state.brief(this.type.name))}`),
			el('thead', {}, el('tr', {}, ...['Share', 'Reads', 'Writes', 'Offset', 'Size', 'Field'].map((t) => el('th', { scope: 'col', className: t === 'Field' ? '' : 'right' }, t)))),
			el('tbody', {}, ...rows.map(({ field, share }) => el('tr', {},
				el('td', { className: 'right' }, percentText(share)),
				...['read', 'write'].map((access) => el('td', { className: 'right' },
					this.someText(this.heat(field.offset, field.size, access)))),
				el('td', { className: 'right' }, hex(field.offset)),
				el('td', { className: 'right' }, String(field.size)),
				el('td', {}, el('button', { type: 'button', className: 'pick', 'aria-pressed': String(Boolean(this.isSelected(field))),
					onclick: () => this.select(field) }, shown(field.name)), ` ${shown(this.state.brief(field.type))}`))))));
	}
}

const hex = (number) => `0x${number.toString(16)}`;
