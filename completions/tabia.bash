# Completion of `tabia` for bash.  Commands, options, games, machines and the rest are asked of the
# program itself, so this file knows none of them.

_tabia_commands() { tabia --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'; }

_tabia_options() { tabia "$1" --help 2>/dev/null | sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p'; }

# What follows an option in the help: `kif|prolog`, FILE, SECONDS; nothing behind a flag.
_tabia_argument() {
  tabia "$1" --help 2>/dev/null |
    sed -nE "s/^ +(-., )?(--[a-z-]+)? ?([^ ]+)?( .*)?\$/\1\2 \3/p" |
    awk -v option="$2" '{ split($0, w, /[ ,]+/); for (i in w) if (w[i] == option) { print $NF; exit } }'
}

# The words that the program knows for a place: an option, or '' for an operand.
_tabia_words() { tabia --complete "$1" "$2" 2>/dev/null | cut -f 1; }

# The values of an option; none: it is a flag, or a file or a number follows.
_tabia_values() {
  local argument
  argument=$(_tabia_argument "$1" "$2")
  if [[ $argument == *'|'* ]]; then tr '|' '\n' <<<"$argument"; else _tabia_words "$1" "$2"; fi
}

_tabia() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local words=
  if ((COMP_CWORD == 1)); then words="$(_tabia_commands) help --help --version"
  elif [[ $before == -* && $(_tabia_argument "$command" "$before") == [A-Za-z]* ]]; then
    words=$(_tabia_values "$command" "$before") # nothing: files, by default
  elif [[ $word == -* ]]; then words=$(_tabia_options "$command")
  else
    words=$(_tabia_words "$command" "")
    if [[ $command == @(show|export|bench) ]] && ((COMP_CWORD > 2)); then words=$(_tabia_words games ""); fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _tabia tabia
