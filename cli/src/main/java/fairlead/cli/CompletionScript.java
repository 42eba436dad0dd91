package fairlead.cli;

import fairlead.cli.line.Option;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;

import java.util.ArrayList;
import java.util.List;

/** Completion scripts for shells, made from the same tables that parse the command line. */
public final class CompletionScript {
    /** Asks for ids only where a server runs already: the tab key starts none. */
    private static final String BODY =
            """
            _fairlead_jobs() {
                [ -n "$FAIRLEAD_SERVER" ] || [ -e "${FAIRLEAD_HOME:-$HOME/.fairlead}/server.json" ] || return
                fairlead list 2>/dev/null | while read -r id _; do [ "$id" = ID ] || echo "$id"; done
            }
            _fairlead() {
                local word=${COMP_WORDS[COMP_CWORD]} verb= i options= words=
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        -c|--cluster|-n|--gpus|--num_gpu|--max) ((i++)) ;;
                        -f|--from_cluster|-rt|--resubmit_to|-ca|--compile_args) ((i++)) ;;
                        -p|--param|-ic|--inject_collection) ((i++)) ;;
                        -*) ;;
                        *) verb=${COMP_WORDS[i]}; break ;;
                    esac
                done
                case $verb in
                    '') options='@GLOBALS@' words='@VERBS@' ;;
            @CASES@    esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                elif [ -n "$words" ]; then
                    COMPREPLY=($(compgen -W "$words" -- "$word"))
                else
                    compopt -o default 2>/dev/null
                    COMPREPLY=()
                fi
            }
            _fairlead_verb() {
                COMP_WORDS=(fairlead "${COMP_WORDS[0]##*/}" "${COMP_WORDS[@]:1}")
                ((COMP_CWORD++))
                _fairlead
            }
            """;

    private CompletionScript() {}

    public static String bash() {
        var verbs = new ArrayList<String>();
        for (Verb verb : Verbs.commands()) verbs.add(verb.usage().name());
        return script()
                + "complete -F _fairlead fairlead\n"
                + "complete -F _fairlead_verb "
                + String.join(" ", verbs)
                + "\n";
    }

    /** zsh runs bash's script, which keeps the two the same. */
    public static String zsh() {
        return "autoload -U +X compinit && compinit -u\n"
                + "autoload -U +X bashcompinit && bashcompinit\n"
                + bash();
    }

    private static String script() {
        var cases = new StringBuilder();
        for (Verb verb : Verbs.all()) {
            Usage usage = verb.usage();
            cases.append("        ").append(String.join("|", usage.names())).append(") options='");
            var options = new ArrayList<>(usage.options());
            options.add(Option.HELP);
            cases.append(names(options)).append("'").append(words(usage)).append(" ;;\n");
        }
        return BODY.replace("@GLOBALS@", names(Main.GLOBALS))
                .replace("@VERBS@", String.join(" ", Verbs.names()))
                .replace("@CASES@", cases);
    }

    private static String words(Usage usage) {
        if (usage.operands().contains("JOB")) return " words=$(_fairlead_jobs)";
        String first = usage.operands().split(" ")[0];
        return first.contains("|") ? " words='" + first.replace('|', ' ') + "'" : "";
    }

    private static String names(List<Option> options) {
        var names = new ArrayList<String>();
        for (Option option : options) {
            if (option.letter() != null) names.add(option.letter());
            names.add(option.name());
        }
        return String.join(" ", names);
    }
}
