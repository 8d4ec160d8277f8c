package dev.sluice.cli;

import dev.sluice.cli.source.ProblemPrinter;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.ParseResult;
import picocli.CommandLine.Model.CommandSpec;

/** Ends a command whose input is wrong, after the user was told what is wrong with it. */
final class BadInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadInputException() {
        super("bad input");
    }

    /** What was read from this file, with warnings shown; or this exception, with all problems shown. */
    static <T> T valueOf(ParseResult<T> reading, SourceFile file, CommandSpec spec, ColorOptions output) {
        new ProblemPrinter(spec.commandLine().getErr(), output.errorStyle()).print(file, reading);
        if (!reading.isOk()) {
            throw new BadInputException();
        }
        return reading.value();
    }
}
