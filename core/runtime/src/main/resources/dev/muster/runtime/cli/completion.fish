# Completion of muster for fish, made from its table of options by "muster completion fish".

# Columns: command or option, its commands, its engine, its values, its help.
set -g __muster_table '@TABLE@'

function __muster
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l option $words[-1]
    set -l command launch
    set -l start ''
    set -l engine (string match -rg -- '^--engine=(.*)' $words)
    if set -l at (contains -i -- -- $words)
        # What the program takes.
        set -e words[1..$at]
        complete -C (string join ' ' -- (string escape -- $words) $word)
        return
    end
    if set -l at (contains -i -- --engine $words)
        set engine $words[(math $at + 1)]
    end
    if set -q words[2]; and not string match -q -- '-*' $words[2]
        set command $words[2]
    end
    if string match -qr -- '^--.*=' $word
        set option (string replace -r '=.*' '' -- $word)
        set start $option=
    else if test "$option" = -o; and string match -q -- '*=*' $word
        set option --(string replace -r '=.*' '' -- $word)
        set start (string sub -s 3 -- $option)=
    end
    for line in (string split \n -- $__muster_table)
        set -l row (string split \t -- $line)
        if test $row[2] = -
            if test (count $words) = 1; and not string match -q -- '-*' $word
                printf '%s\t%s\n' $row[1] $row[5]
            else if test (count $words) = 2 -a $row[1] = $command -a $row[4] != -
                string split ' ' -- $row[4]
            end
        else if contains -- $command (string split , -- $row[2]); and contains -- $row[3] - $engine
            if contains -- $row[1] $option; and test $row[4] != -
                __muster_values $row[4] $start $engine
                return
            end
            if string match -q -- '-*' $word
                printf '%s\t%s\n' $row[1] $row[5]
            end
        end
    end
end

function __muster_values -a values start engine
    switch $values
        case TEXT
        case FILE
            __fish_complete_path (commandline -ct)
        case DIR
            __fish_complete_directories (commandline -ct)
        case ASSIGNMENT
            for line in (string split \n -- $__muster_table)
                set -l row (string split \t -- $line)
                if test $row[3] = "$engine"
                    printf '%s=\t%s\n' (string sub -s 3 -- $row[1]) $row[5]
                end
            end
        case '*'
            printf "$start%s\n" (string split ' ' -- $values)
    end
end

complete -c muster -f -a '(__muster)'
