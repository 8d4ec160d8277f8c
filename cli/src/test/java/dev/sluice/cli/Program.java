package dev.sluice.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** Runs the program in tests: in this JVM, or packaged in its own process. */
final class Program {

    /** The root folder of the repository. */
    static final Path REPOSITORY = repository();

    private Program() {}

    record ProgramResult(int exitCode, String out, String err) {}

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        return Files.isDirectory(folder.resolve("examples"))
                ? folder
                : folder.resolve("..").normalize();
    }

    /** Path of an example. */
    static String example(String name) {
        return REPOSITORY.resolve("examples").resolve(name).toString();
    }

    /** Runs a command in this JVM. */
    static ProgramResult execute(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Sluice.commandLine(arguments);
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(arguments);
        return new ProgramResult(exitCode, out.toString(), err.toString());
    }

    /** Starts the packaged program in a directory; its output goes to the files {@code out} and {@code err} there. */
    static Process start(Path directory, String... arguments) throws Exception {
        return PackagedProgram.process(arguments)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    /** Runs the packaged program. */
    static ProgramResult run(Path directory, String... arguments) throws Exception {
        int exitCode = start(directory, arguments).waitFor();
        return answer(directory, exitCode);
    }

    /** Returns the output so far. */
    static ProgramResult answer(Path directory, int exitCode) throws Exception {
        return new ProgramResult(
                exitCode, Files.readString(directory.resolve("out")), Files.readString(directory.resolve("err")));
    }
}
