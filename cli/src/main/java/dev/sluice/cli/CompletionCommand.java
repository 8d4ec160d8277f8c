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
            "  source <(sluice completion bash)   in this shell; in ~/.bashrc for every shell",
            "  sluice completion bash > /etc/bash_completion.d/sluice",
            "  source <(sluice completion zsh)    in ~/.zshrc, after compinit"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "Shell: bash or zsh.")
    private String shell = "";

    static final class Shells implements Iterable<String> {

        private static final List<String> NAMES = List.of("bash", "zsh");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    @Override
    public Integer call() {
        if (!Shells.NAMES.contains(shell)) {
            throw new UserException("expected bash or zsh, not '" + shell + "'");
        }
        // one script serves both shells: in zsh it enables bash completion
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("sluice", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
