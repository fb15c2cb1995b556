# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of perf for bash. Commands and options are asked from perf itself, so that this
# file never falls behind.

# Words that an option takes, also the last one of a list by commas.
_perf_words() # option, what is typed
{
	local before=${2%"${2##*,}"} words

	words=$("${COMP_WORDS[0]}" "$cmd" --list-opts="${1#--}" 2>/dev/null)
	[[ $words ]] && COMPREPLY=($(compgen -P "$before" -W "$words" -- "${2##*,}"))
}

_perf()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cmd= i

	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} != -* ]]; then
			cmd=${COMP_WORDS[i]}
			break
		fi
	done
	COMPREPLY=()
	if [[ ! $cmd ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --list-cmds 2>/dev/null) --version --help" -- "$cur"))
	elif [[ $cmd == help ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --list-cmds 2>/dev/null)" -- "$cur"))
	elif [[ $prev == -- || $cmd == record && $prev == record && $cur != -* ]]; then
		COMPREPLY=($(compgen -c -- "$cur"))
	elif [[ $prev == --?* ]] && _perf_words "$prev" "$cur"; then
		:
	elif [[ $prev == = && ${COMP_WORDS[COMP_CWORD - 2]} == --?* ]] &&
		_perf_words "${COMP_WORDS[COMP_CWORD - 2]}" "$cur"; then
		:
	elif [[ $cur == = && $prev == --?* ]] && _perf_words "$prev" ""; then
		:
	elif [[ $cmd == detached && $prev == detached && $cur != -* ]]; then
		COMPREPLY=($(compgen -W "list read tail stop rm" -- "$cur"))
	elif [[ $cmd == detached && $cur != -* && $prev != -o ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" detached list 2>/dev/null | sed -n 's/^\([^# ][^ ]*\) .*/\1/p')" -- "$cur"))
	elif [[ $cmd == query && $prev == query && $cur != -* ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" query --list 2>/dev/null | grep '^[a-z]')" -- "$cur"))
	elif [[ $cmd == core-handler && $prev == core-handler && $cur != -* ]]; then
		COMPREPLY=($(compgen -W "install remove status" -- "$cur"))
	elif [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$cmd" --list-opts 2>/dev/null)" -- "$cur"))
	else
		COMPREPLY=($(compgen -f -- "$cur"))
	fi
}

complete -o filenames -o bashdefault -F _perf perf
