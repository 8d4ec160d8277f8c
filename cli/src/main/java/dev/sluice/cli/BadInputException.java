package dev.sluice.cli;

import dev.sluice.cli.source.ProblemPrinter;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.ParseResult;
import picocli.CommandLine.Model.CommandSpec;

/** Ends a command because of invalid input that was already reported to the user. */
final class BadInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadInputException() {
        super("bad input");
    }

    /** Returns the parsed value and prints its warnings; prints all errors and throws if there is no value. */
    static <T> T valueOf(ParseResult<T> reading, SourceFile file, CommandSpec spec, ColorOptions output) {
        new ProblemPrinter(spec.commandLine().getErr(), output.errorStyle()).print(file, reading);
        if (!reading.isOk()) {
            throw new BadInputException();
        }
        return reading.value();
    }
}
