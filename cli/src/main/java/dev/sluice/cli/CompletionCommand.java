package dev.sluice.cli;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script for shell completion. */
@Command(
        name = "completion",
        description = "Print a shell completion script",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(sluice completion bash)   # in this shell, or in ~/.bashrc",
            "  sluice completion bash > /etc/bash_completion.d/sluice",
            "  source <(sluice completion zsh)    # in ~/.zshrc, after compinit",
            "  sluice completion fish > ~/.config/fish/completions/sluice.fish"
        })
final class CompletionCommand implements Callable<Integer> {

    private static final String OPTIONS = "  options=(\"$@\")\n";

    private static final String LOOKED_UP = "  local IFS=$'\\n'\n  options=($(sluiceCandidates \"$@\"))\n  unset IFS\n";

    /** The start of the function that turns candidates into replies. */
    private static final String REPLY = "function compReplyArray() {\n  declare -a options\n" + OPTIONS;

    /**
     * Prints candidates, one per line; for a marker, those that the program looks up on the server of this command
     * line.
     */
    private static final String LOOKUP = """
            function sluiceCandidates() {
              if [[ "$1" != @MARKER@* ]]; then
                printf '%s\\n' "$@"
                return
              fi
              local arguments=() word previous=
              while IFS= read -r word; do
                case "$word" in
                  --server=*|--context=*|--partition=*|--timeout=*) arguments+=("$word") ;;
                esac
                case "$previous" in
                  --server|--context|--partition|--timeout) arguments+=("$previous" "$word") ;;
                esac
                previous="$word"
              done < <(printf '%s' "${COMP_LINE:0:COMP_POINT}" | tr -s ' ' '\\n')
              "${COMP_WORDS[0]}" complete "${1#@MARKER@}" "${arguments[@]}" 2>/dev/null </dev/null
            }

            """;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "Shell: bash, zsh or fish.")
    private String shell = "";

    static final class Shells implements Iterable<String> {

        private static final List<String> NAMES = List.of("bash", "zsh", "fish");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    @Override
    public Integer call() {
        if (!Shells.NAMES.contains(shell)) {
            throw new UserException("expected bash, zsh or fish, not '" + shell + "'");
        }
        // one script serves bash and zsh: in zsh it enables bash completion
        spec.commandLine()
                .getOut()
                .print(shell.equals("fish") ? FishCompletion.script(spec.root().commandLine()) : script());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    /** Returns picocli's script, extended by a lookup of candidates with a marker. */
    private String script() {
        String script = AutoComplete.bash("sluice", spec.root().commandLine());
        if (!script.contains(REPLY)) {
            throw new IllegalStateException("picocli's completion script has changed");
        }
        return script.replace(REPLY, LOOKUP.replace("@MARKER@", Candidates.MARKER) + REPLY.replace(OPTIONS, LOOKED_UP));
    }
}
