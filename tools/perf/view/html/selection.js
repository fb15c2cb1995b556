// SPDX-License-Identifier: GPL-2.0-or-later
// What is selected, and how it is looked at: one state that all panels follow, and that the address keeps.
//
// The selection is a list of parts, oldest first, at most one of a kind:
//
//	{ kind: 'key', key: 'span', value: 3 }			samples with that value
//	{ kind: 'frame', path: [label...], inverted: false }	below that frame
//	{ kind: 'function', label: 5 }				with that function in their call chain
//	{ kind: 'field', type, offset, size, name }		that access these bytes of a type
//	{ kind: 'site', site: 7 }				at that instruction
//	{ kind: 'time', from, to }				in these slices
//	{ kind: 'time_before', from, to }			of the baseline's samples, those in these slices

const namesOfCode = new Set(['symbol', 'sym', 'type', 'typeoff', 'parent', 'symbol_from', 'symbol_to']);

class State extends EventTarget {
	constructor(model) {
		super();
		this.model = model;
		this.parts = [];
		this.look = new Map(); // "flame.colour" -> "type"
		this.briefs = new Map(); // name -> its short form
		this.defaults = new Map();
	}

	// --- the selection

	static slot(part) {
		return part.kind === 'key' ? `key ${part.key}` : part.kind;
	}

	// Do two parts select the same?
	static same(a, b) {
		return Object.keys(a).every((name) => a[name] === b[name]);
	}

	find(kind, key) {
		return this.parts.find((p) => p.kind === kind && (kind !== 'key' || p.key === key));
	}

	value(key) {
		return this.find('key', key)?.value ?? NONE;
	}

	select(...parts) {
		for (const part of parts) {
			const at = this.parts.findIndex((p) => State.slot(p) === State.slot(part));
			if (at >= 0)
				this.parts.splice(at, 1);
			this.parts.push(part);
		}
		this.changed(true);
	}

	// Selects the value, or no longer where it is what is selected.
	toggle(key, value) {
		if (this.value(key) === value)
			this.drop(this.find('key', key));
		else
			this.select({ kind: 'key', key, value });
	}

	drop(...parts) {
		this.parts = this.parts.filter((p) => !parts.includes(p));
		this.changed(true);
	}

	clear() {
		if (!this.parts.length)
			return;
		this.parts = [];
		this.changed(true);
	}

	name(part) {
		const m = this.model;
		switch (part.kind) {
		case 'key': {
			const key = m.keys[m.keyIndex.get(part.key)];
			return `${key.title} ${this.valueName(key, part.value)}`;
		}
		case 'frame': {
			const names = part.path.map((label) => m.frames.info[label].name);
			return `${part.inverted ? 'ends in' : 'in'} ${this.brief(names[names.length - 1])}`;
		}
		case 'function':
			return `through ${this.brief(m.frames.info[part.label].name)}`;
		case 'field':
			return `${this.brief(part.type)} ${part.name}`;
		case 'site': {
			const s = m.sites[part.site];
			return `at ${this.brief(s.symbol)}${s.line ? ` line ${s.line}` : ` ${s.address ?? ''}`}`;
		}
		default:
			return `${part.kind === 'time' ? '' : 'before: '}${clock(m, part.from)} to ${clock(m, part.to)}`;
		}
	}

	// What shares are of: the samples of all parts but those that are left out.
	basis(without = () => false) {
		const parts = this.parts.filter((part) => !without(part)).map((part) => shown(this.name(part)));
		if (parts.length)
			return parts.join(', ');
		return this.model.events?.length > 1 ? `all samples of ${shown(this.get('event'))}` : 'all samples';
	}

	// --- how things are shown

	// The name of a function or type, in its short form unless full names are wanted.
	brief(name) {
		if (this.get('names') === 'full' || !/[<({]|::h[0-9a-f]{16}/.test(name))
			return name;
		if (!this.briefs.has(name))
			this.briefs.set(name, brief(name));
		return this.briefs.get(name);
	}

	// A key's value: only the names of code and types have short forms.
	valueName(key, value) {
		return namesOfCode.has(key.name) ? this.brief(key.values[value]) : key.values[value];
	}

	declare(name, value) {
		this.defaults.set(name, value);
	}

	get(name) {
		return this.look.get(name) ?? this.defaults.get(name);
	}

	set(name, value) {
		if (value === this.defaults.get(name))
			this.look.delete(name);
		else
			this.look.set(name, value);
		this.changed(false);
	}

	// --- the address

	changed(remember) {
		const hash = `#${this.write()}`;
		if (hash !== (location.hash || '#'))
			history[remember ? 'pushState' : 'replaceState'](null, '', hash);
		this.dispatchEvent(new Event('change'));
	}

	writePart(part) {
		const m = this.model;
		switch (part.kind) {
		case 'key':
			return [`in.${part.key}`, m.keys[m.keyIndex.get(part.key)].values[part.value]];
		case 'frame':
			return [part.inverted ? 'callers' : 'frame',
				part.path.map((label) => encodeURIComponent(m.frames.labels.list[label])).join(';')];
		case 'function':
			return ['function', m.frames.labels.list[part.label]];
		case 'field':
			return ['field', [part.type, part.offset, part.size, part.name].map(encodeURIComponent).join(';')];
		case 'site':
			return ['site', String(part.site)];
		default:
			return [part.kind, `${part.from};${part.to}`];
		}
	}

	write() {
		const query = new URLSearchParams();
		for (const part of this.parts)
			query.append(...this.writePart(part));
		for (const [name, value] of this.look)
			query.append(name, value);
		return query.toString();
	}

	// The part that a pair of the address says; null: it says nothing that is here.
	readPart(name, value) {
		const m = this.model, words = value.split(';');
		const whole = words.map((word) => decodeURIComponent(word));
		if (name.startsWith('in.')) {
			const key = m.keys[m.keyIndex.get(name.slice(3))];
			const id = key ? key.values.indexOf(value) : NONE;
			return id >= 0 ? { kind: 'key', key: key.name, value: id } : null;
		}
		if (name === 'frame' || name === 'callers') {
			const path = whole.map((word) => m.frames.labels.ids.get(word));
			return path.includes(undefined) ? null : { kind: 'frame', path, inverted: name === 'callers' };
		}
		if (name === 'function') {
			const label = m.frames.labels.ids.get(value);
			return label ? { kind: 'function', label } : null;
		}
		if (name === 'field' && whole.length === 4)
			return { kind: 'field', type: whole[0], offset: Number(whole[1]), size: Number(whole[2]),
				name: whole[3] };
		if (name === 'site')
			return m.sites[Number(value)] ? { kind: 'site', site: Number(value) } : null;
		if (name === 'time' || name === 'time_before') {
			const [from, to] = words.map(Number), n = (name === 'time' ? m : m.before)?.time.n ?? 0;
			return from >= 0 && from < to && to <= n ? { kind: name, from, to } : null;
		}
		return null;
	}

	read(hash) {
		this.parts = [];
		this.look.clear();
		for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
			if (this.defaults.has(name)) {
				this.look.set(name, value);
				continue;
			}
			let part = null;
			try {
				part = this.readPart(name, value);
			} catch {
				// A link that somebody cut: what is whole of it counts.
			}
			if (part)
				this.parts.push(part);
		}
		this.dispatchEvent(new Event('change'));
	}
}

// "1.234 s": a slice's start, from the first sample's on. Short recordings have shorter units.
function clock(model, slice) {
	const all = model.time.longest * model.time.slice;
	const [unit, ns] = all >= 1e8 ? ['s', 1e9] : all >= 1e5 ? ['ms', 1e6] : ['\u00b5s', 1e3];
	return `${(slice * model.time.slice / ns).toFixed(3)} ${unit}`;
}
