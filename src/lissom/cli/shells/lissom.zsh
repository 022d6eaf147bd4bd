#compdef lissom
# completion of lissom's commands in zsh: source <(lissom completion zsh), after compinit
_lissom() {
    local value about files=0
    local -a known
    while IFS=$'\t' read -r value about; do
        if [[ $value == :files ]]; then
            files=1
        elif [[ -n $value ]]; then
            known+=("${value//:/\\:}:$about")
        fi
    done < <("${words[1]}" completion --line "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)
    (( $#known )) && _describe lissom known
    (( files )) && _files
    return 0
}
if [[ $funcstack[1] == _lissom ]]; then
    _lissom "$@"
else
    compdef _lissom lissom
fi
