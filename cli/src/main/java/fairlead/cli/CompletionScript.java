package fairlead.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Completion scripts for shells. They only ask the command that is being typed, {@code ./fairlead}
 * as well as {@code fairlead}, so what it completes is decided in one place. Where it says nothing,
 * the shell completes the names of files.
 */
final class CompletionScript {
    private static final String BASH =
            """
            _fairlead_ask() {
                local IFS=$'\\n'
                COMPREPLY=($("$@" 2>/dev/null))
                [ "${#COMPREPLY[@]}" -gt 0 ] || compopt -o default 2>/dev/null
            }
            _fairlead() {
                local command=${COMP_WORDS[0]}
                case $command in '~/'*) command=$HOME/${command#??} ;; esac
                _fairlead_ask "$command" __complete "${COMP_WORDS[@]:1:COMP_CWORD}"
            }
            _fairlead_verb() {
                local command=fairlead
                case ${COMP_WORDS[0]} in */*) command=${COMP_WORDS[0]%/*}/fairlead ;; esac
                _fairlead_ask "$command" __complete "${COMP_WORDS[0]##*/}" "${COMP_WORDS[@]:1:COMP_CWORD}"
            }
            complete -F _fairlead fairlead
            complete -F _fairlead_verb @VERBS@
            """;

    private static final String ZSH =
            """
            (( $+functions[compdef] )) || { autoload -U +X compinit && compinit -u }
            _fairlead_ask() {
                local -a found
                found=("${(@f)$("$@" 2>/dev/null)}")
                if [[ -n $found ]]; then compadd -a found; else _files; fi
            }
            _fairlead() {
                _fairlead_ask "${words[1]/#\\~\\//$HOME/}" __complete "${(@)words[2,CURRENT]}"
            }
            _fairlead_verb() {
                local command=fairlead
                [[ $words[1] != */* ]] || command=${words[1]%/*}/fairlead
                _fairlead_ask $command __complete "${words[1]##*/}" "${(@)words[2,CURRENT]}"
            }
            compdef _fairlead fairlead
            compdef _fairlead_verb @VERBS@
            """;

    private static final String FISH =
            """
            function __fairlead_ask
                set -l found ($argv 2>/dev/null)
                if test (count $found) -gt 0
                    printf '%s\\n' $found
                else
                    __fish_complete_path (commandline -ct)
                end
            end
            function __fairlead
                set -l typed (commandline -opc)
                set -l command (string replace -r '^~/' "$HOME/" -- $typed[1])
                __fairlead_ask $command __complete $typed[2..-1] (commandline -ct)
            end
            function __fairlead_verb
                set -l typed (commandline -opc)
                set -l command (string replace -r '[^/]*$' fairlead -- $typed[1])
                __fairlead_ask $command __complete (basename $typed[1]) $typed[2..-1] (commandline -ct)
            end
            complete -c fairlead -f -k -a '(__fairlead)'
            for name in @VERBS@
                complete -c $name -f -k -a '(__fairlead_verb)'
            end
            """;

    private CompletionScript() {}

    static String bash() {
        return withVerbs(BASH);
    }

    static String zsh() {
        return withVerbs(ZSH);
    }

    static String fish() {
        return withVerbs(FISH);
    }

    /** The verbs that are also commands of their own. */
    private static String withVerbs(String script) {
        List<String> verbs = new ArrayList<>();
        Verbs.commands().forEach(verb -> verbs.add(verb.usage().name()));
        return script.replace("@VERBS@", String.join(" ", verbs));
    }
}
