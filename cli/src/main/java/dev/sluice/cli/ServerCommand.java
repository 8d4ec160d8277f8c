package dev.sluice.cli;

import dev.sluice.cli.answer.AnswerText;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.source.ProblemPrinter;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.server.route.ProblemDetails;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Base class of commands that query a server. */
@Command(mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class)
abstract class ServerCommand implements Callable<Integer> {

    static final String EXIT_CODES =
            "Exit codes: 0 success, 1 failed or not found, 2 bad input, 3 no server or unavailable, 130 interrupted.";

    static final String EXAMPLES = "%nExamples:%n";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private AnswerOptions output = new AnswerOptions();

    final CommandSpec spec() {
        return spec;
    }

    final ServerOptions server() {
        return server;
    }

    final ServerClient client() {
        return server.client();
    }

    final AnswerOptions output() {
        return output;
    }

    final Style style() {
        return output.style();
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints a response in the selected format; {@code table} prints it as a table. */
    final void show(JsonNode answer, Runnable table) {
        switch (output.format()) {
            case TABLE -> table.run();
            case JSON -> AnswerText.json(answer, out());
            case YAML -> AnswerText.yaml(answer, out());
        }
        out().flush();
    }

    /** Prints a message that is not part of the result to standard error. */
    final void say(String message) {
        out().flush();
        err().println("sluice: " + TextWidth.printableLines(message));
        err().flush();
    }

    /** Returns the text of a file; prints the error and throws {@link BadInputException} if it cannot be read. */
    final String text(SourceFile file) {
        return BadInputException.valueOf(file.text(), file, spec, output);
    }

    /** Sends a file; prints the errors that the server reports with the lines of the file that they refer to. */
    final <T> T sending(SourceFile file, Supplier<T> request) {
        try {
            return request.get();
        } catch (ClientException e) {
            if (e.locations().isEmpty()) {
                throw e;
            }
            print(file, e.locations(), List.of());
            throw new BadInputException();
        }
    }

    /** Prints errors and warnings with the lines of the file that they refer to. */
    final void print(SourceFile file, List<ProblemDetails.Location> errors, List<ProblemDetails.Location> warnings) {
        out().flush();
        new ProblemPrinter(err(), output.errorStyle())
                .print(
                        file,
                        new ParseResult<>(
                                errors.isEmpty() ? file : null, problems(file, errors), 0, problems(file, warnings)));
    }

    private static List<Problem> problems(SourceFile file, List<ProblemDetails.Location> locations) {
        return locations.stream()
                .map(place -> new Problem(file.name(), place.line(), place.column(), place.path(), place.message()))
                .toList();
    }
}
