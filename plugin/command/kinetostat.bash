# bash completion for kinetostat(1)
_kinetostat() {
    local options="--report --json --junit --html --html-fps --html-size --all --quiet --trace --trace-raw --record-only --view --fail-above --percentile --value --floor
        --fail-status --every --from --until --world --joints --types --overhead --names --param --target --advise-every --buffer --jobs --shard --save --runs --baseline --tolerance --max-force --max-torque --mean --propose-limits --suppress --gen-suppressions --limit --help
        --version"
    local sizes="--value --joints --world --from --until --time-constant --bearing --sn --point --envelope --repeat --page --json --csv --spectra --limit --quiet --help"
    local cases="--body --value --mean --joints --component --world --from --until --every --json --csv --series --calculix --abaqus --transient --mesh --unit --origin --elset --node --only --step --limit --quiet --help"
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i first=1
    COMPREPLY=()
    [[ ${COMP_WORDS[1]} != @(judge|merge|diff|size|loadcases) ]] || first=2
    [[ ${COMP_WORDS[1]} != size ]] || options=$sizes
    [[ ${COMP_WORDS[1]} != loadcases ]] || options=$cases
    # the program and its own arguments
    for ((i = first; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --all | --quiet | --repeat | --record-only | --view | --help | --version) ;;
        --) [ "$first" = 2 ] || { _command_offset $((i + 1)) 2>/dev/null; return; } ;;
        --*) i=$((i + 1)) ;;
        *) [ "$first" = 2 ] || { _command_offset "$i" 2>/dev/null; return; } ;;
        esac
    done
    case $previous in
    --report | --json | --junit | --html | --trace | --trace-raw | --names | --save | --runs | --baseline | --suppress | --gen-suppressions | --csv | --spectra | --page | --series | --calculix | --abaqus | --transient | --mesh | --step) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    --value) mapfile -t COMPREPLY < <(compgen -W "converged physical mean engine" -- "$current") ;;
    --types) mapfile -t COMPREPLY < <(compgen -W "ball hinge slider universal hinge2 fixed amotor lmotor plane2d PR PU piston
        dball dhinge transmission contact" -- "$current") ;;
    *)
        case $current in
        -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
        *)
            if [ "$first" = 2 ]; then
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
            else
                mapfile -t COMPREPLY < <(compgen -W "judge merge diff size loadcases" -- "$current"; compgen -c -- "$current"; compgen -d -- "$current")
            fi
            ;;
        esac
        ;;
    esac
}
complete -o filenames -F _kinetostat kinetostat
