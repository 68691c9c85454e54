# Completion of `tabia` for fish.  Commands, options and games are asked of the program itself.

function __tabia_commands
    tabia --help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1\t\2/p'
end

function __tabia_options
    set -l words (commandline -opc)
    tabia $words[2] --help 2>/dev/null | sed -nE 's/^ +(-., )?(--[a-z-]+).*  +(.*)/\2\t\3/p'
end

function __tabia_games
    tabia games 2>/dev/null | sed -E 's/^([^ ]+) +(.*)/\1\t\2/'
end

complete -c tabia -n __fish_use_subcommand -f -a '(__tabia_commands)'
complete -c tabia -n __fish_use_subcommand -l version -d 'tell the version'
complete -c tabia -n __fish_use_subcommand -s h -l help -d 'list the commands'
complete -c tabia -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' \
    -f -a '(__tabia_options)'
complete -c tabia -n 'not __fish_use_subcommand' -a '(__tabia_games)'
