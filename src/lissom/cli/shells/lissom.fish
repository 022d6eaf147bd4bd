# completion of lissom's commands in fish: lissom completion fish | source
function __lissom_complete
    set -l line (commandline -cp | string collect)
    for row in (lissom completion --line "$line" 2>/dev/null)
        if test "$row" = :files
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' "$row"
        end
    end
end
complete -c lissom -f -a '(__lissom_complete)'
