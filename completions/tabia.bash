# Completion of `tabia` for bash.  Commands, options and games are asked of the program itself,
# so this file knows none of them.

_tabia_commands() { tabia --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'; }

_tabia_options() { tabia "$1" --help 2>/dev/null | sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p'; }

# The values of an option that names its choices: `--notation kif|prolog`.
_tabia_choices() {
  tabia "$1" --help 2>/dev/null |
    sed -nE "s/^ +(-., )?$2 ([a-z0-9-]+(\|[a-z0-9-]+)+)( .*)?\$/\2/p" | tr '|' '\n'
}

_tabia_games() { tabia games 2>/dev/null | cut -d ' ' -f 1; }

_tabia() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local words choices=
  if ((COMP_CWORD == 1)); then
    words="$(_tabia_commands) help --help --version"
  else
    if [[ $before == --* ]]; then choices=$(_tabia_choices "$command" "$before"); fi
    if [[ -n $choices ]]; then words=$choices
    elif [[ $word == -* ]]; then words=$(_tabia_options "$command")
    else words=$(_tabia_games); fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _tabia tabia
