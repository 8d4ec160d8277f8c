package dev.sluice.cli;

import dev.sluice.cli.manual.CommandManual;
import dev.sluice.cli.manual.ManPage;
import dev.sluice.cli.source.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a man page for every command. */
@Command(
        name = "man-pages",
        description = "Write a man page for every command",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice man-pages ~/.local/share/man/man1     # then: man sluice-run",
            "",
            "Exit codes: 0 success, 2 bad input or the folder cannot be written."
        })
final class ManPagesCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Folder for the pages; created if missing.")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        List<CommandManual> manuals = CommandManual.all(spec.root().commandLine());
        String version = "sluice " + ProgramVersion.number();
        try {
            Files.createDirectories(directory);
            for (CommandManual manual : manuals) {
                Files.writeString(directory.resolve(ManPage.fileName(manual.name())), ManPage.render(manual, version));
            }
        } catch (IOException e) {
            throw new UserException("cannot write man pages: " + FileProblem.text(e));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("wrote " + manuals.size() + " man pages to " + directory);
        out.flush();
        return ExitCode.OK;
    }
}
