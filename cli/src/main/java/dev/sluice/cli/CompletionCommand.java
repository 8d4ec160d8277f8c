package dev.sluice.cli;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the script by which a shell completes the commands and options of this program. */
@Command(
        name = "completion",
        description = "Write the script that lets a shell complete sluice's commands and options.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(sluice completion bash)                 in this shell, or in ~/.bashrc for all",
            "  sluice completion bash > /etc/bash_completion.d/sluice",
            "  source <(sluice completion zsh)                  in ~/.zshrc, after compinit"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Shells.class, description = "bash or zsh.")
    private String shell = "";

    /** The shells there is a script for. */
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
            throw new UserException("there is no completion for '" + shell + "': write bash or zsh");
        }
        // one script serves both: in zsh it switches the completion of bash on
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("sluice", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
