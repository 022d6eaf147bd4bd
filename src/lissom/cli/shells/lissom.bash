# completion of lissom's commands in bash: source <(lissom completion bash)
_lissom() {
    local line="${COMP_LINE:0:COMP_POINT}" current="${COMP_WORDS[COMP_CWORD]}" files= value rest
    local typed="${line##*[[:space:]]}" known=() found=()
    while IFS=$'\t' read -r value rest; do
        if [[ $value == :files ]]; then files=1; elif [[ -n $value ]]; then known+=("$value"); fi
    done < <("$1" completion --line "$line" 2>/dev/null)
    # bash replaces only what follows the last of its word breaks, a colon or an equals sign
    if [[ $typed == *[:=]* && $COMP_WORDBREAKS == *:* ]]; then
        known=("${known[@]#"${typed%"${typed##*[:=]}"}"}")
    fi
    if [[ -n $files ]]; then
        [[ $current == [:=] ]] && current=
        mapfile -t found < <(compgen -f -- "$current")
        if (( ${#known[@]} == 0 )); then
            compopt -o filenames
        elif (( ${#found[@]} )); then
            mapfile -t found < <(printf '%q\n' "${found[@]}")
        fi
    fi
    COMPREPLY=("${known[@]}" "${found[@]}")
}
complete -F _lissom lissom
