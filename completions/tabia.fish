# Completion of `tabia` for fish.  Commands, options, games, machines and the rest are asked of the
# program itself.

function __tabia_commands
    tabia --help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1\t\2/p'
end

function __tabia_options
    set -l words (commandline -opc)
    tabia $words[2] --help 2>/dev/null | sed -nE 's/^ +(-., )?(--[a-z-]+).*  +(.*)/\2\t\3/p'
end

# The words that the program knows for the place of the cursor.
function __tabia_words
    set -l words (commandline -opc)
    set -l before $words[-1]
    if string match -q -- '-*' $before
        tabia $words[2] --help 2>/dev/null |
            sed -nE "s/^ +(-., )?$before ([a-z0-9-]+(\|[a-z0-9-]+)+)( .*)?\$/\2/p" | tr '|' '\n'
        tabia --complete $words[2] $before 2>/dev/null
    else if contains -- $words[2] show export bench; and test (count $words) -gt 2
        tabia --complete games '' 2>/dev/null
    else
        tabia --complete $words[2] '' 2>/dev/null
    end
end

complete -c tabia -n __fish_use_subcommand -f -a '(__tabia_commands)'
complete -c tabia -n __fish_use_subcommand -l version -d 'tell the version'
complete -c tabia -n __fish_use_subcommand -s h -l help -d 'list the commands'
complete -c tabia -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' \
    -f -a '(__tabia_options)'
complete -c tabia -n 'not __fish_use_subcommand' -a '(__tabia_words)'
