// SPDX-License-Identifier: GPL-2.0-or-later
// Short forms of C++ and Rust names, which may have thousands of characters:
//
//	std::map<int, std::string>::operator[](int const&)		std::map<…>::operator[]
//	void std::sort<int*>(int*, int*)				std::sort<…>
//	run(int)::{lambda(char)#1}::operator()(char) const		run::{lambda#1}::operator()
//	<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend::h1b2...	<Vec<…> as Extend<…>>::extend
//
// Only brackets that belong to a name go: a "<" behind a name or an operator, and a "(" behind one; with the latter, the
// type that a function returns, which C++ has in the names of templates. All other text stays as it is, and so does
// everything behind a bracket without an end.

const MAX_BRIEF = 4096; // characters that are looked at

const operators = /^operator(<=>|<<=|>>=|->\*|\(\)|\[\]|<<|>>|<=|>=|->|<|>)/;

// The index behind the bracket that closes the one at @at; NONE: there is none.
function behindBracket(text, at) {
	const ends = { '<': '>', '(': ')', '{': '}' }, open = [];
	for (let i = at; i < text.length; i++) {
		const operator = text[i] === 'o' && operators.exec(text.slice(i, i + 12));
		if (operator)
			i += operator[0].length - 1;
		else if (ends[text[i]])
			open.push(ends[text[i]]);
		else if (text[i] === open[open.length - 1] && text[i - 1] !== '-')
			open.pop();
		if (!open.length)
			return i + 1;
	}
	return NONE;
}

// "core::iter::Extend<…>": the part behind the last "::" that is in no bracket.
function lastPart(name) {
	let depth = 0;
	for (let i = name.length - 2; i >= 0; i--) {
		if (name[i + 1] === '>' && name[i] !== '-')
			depth++;
		else if (name[i + 1] === '<')
			depth--;
		if (name[i] === ':' && !depth)
			return name.slice(i + 1);
	}
	return name;
}

// Rust's "<Type as Trait>" and "<Type>", without the brackets.
function briefImpl(text) {
	return brief(text).split(' as ').map(lastPart).join(' as ');
}

// "void f<…>": f<…>. @called: parameters were behind it. Names of thunks and tables have several words.
function withoutReturned(out, called) {
	const mark = /^\[.\] /.exec(out)?.[0] ?? '', words = out.slice(mark.length);
	const operator = / ?\boperator\b.*$/.exec(words)?.[0].trimStart() ?? '', before = words.slice(0, words.length - operator.length);
	const blank = before.trimEnd().lastIndexOf(' ');
	if (!called || blank < 0 || !words.includes('<\u2026>') || /[[(]|\{[^}]* | (to|for) /.test(before))
		return out;
	return mark + before.slice(blank + 1) + operator;
}

function brief(name) {
	const text = name.slice(0, MAX_BRIEF).replace(/::h[0-9a-f]{16}$/, '');
	let out = '', called = false;
	for (let i = 0; i < text.length;) {
		const operator = text[i] === 'o' && !/\w$/.test(out) && operators.exec(text.slice(i, i + 12));
		const bracket = !operator && '<({'.includes(text[i]), end = bracket ? behindBracket(text, i) : i + 1;
		const named = bracket && (text[i] === '<' ? /\w$|operator\S+ ?$/ : /[\w\]>]$|operator\S+$/).test(out);
		if (end === NONE)
			return out + text.slice(i);
		if (!bracket)
			out += operator ? operator[0] : text[i];
		else if (text[i] === '{')
			out += text.slice(i, end).replace(/\(.*\)/, '');
		else if (text[i] === '<' && named)
			out += '<\u2026>';
		else if (text[i] === '<' && /(^|[\s&(,])$/.test(out) && text.startsWith('::', end))
			out += `<${briefImpl(text.slice(i + 1, end - 1))}>`;
		else if (text[i] === '<' || !named)
			out += text.slice(i, end);
		else
			called = true;
		i = operator ? i + operator[0].length : end;
	}
	return withoutReturned(out.replace(/ (const)?&?$/, ''), called);
}
