package dev.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The program as it is shipped: the script {@code sluice} and the archive that the build has made, in a folder without sources, where the
 * script builds nothing. So tests run it with the class path and the options that users have.
 */
public final class PackagedProgram {

    private static final Path HOME = Path.of("target", "program").toAbsolutePath();

    /** Runs a command that hears all signals: whoever runs the tests in the background has some ignored, and a JVM leaves them so. */
    private static final String WITH_SIGNALS =
            "all='env --default-signal=HUP,INT,TERM'; $all true 2>/dev/null || all=; exec $all \"$@\"";

    private PackagedProgram() {}

    /** The script, with the archive where it looks for it. */
    private static final class Script {

        static final Path PATH = install();

        private static Path install() {
            Path built = Path.of("target", "sluice.jar");
            if (!Files.isRegularFile(built)) {
                throw new IllegalStateException(
                        built.toAbsolutePath() + " is missing: run these tests with mvn verify");
            }
            try {
                Files.createDirectories(HOME.resolve("cli/target"));
                install(built, HOME.resolve("cli/target/sluice.jar"));
                return install(Program.REPOSITORY.resolve("sluice"), HOME.resolve("sluice"));
            } catch (IOException e) {
                throw new IllegalStateException("the program cannot be put into " + HOME, e);
            }
        }

        /** Copies in one step: other tests may run at the same time and do the same. */
        private static Path install(Path source, Path target) throws IOException {
            boolean isThere = Files.exists(target)
                    && Files.size(target) == Files.size(source)
                    && Files.getLastModifiedTime(target).equals(Files.getLastModifiedTime(source));
            if (!isThere) {
                Path fresh = Files.createTempFile(HOME, "fresh", "");
                Files.copy(source, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            }
            return target;
        }
    }

    /** A process of the program, which is not started yet. */
    public static ProcessBuilder process(String... arguments) {
        return process(List.of(), arguments);
    }

    /** The same with options for the JVM, which come after those of the script. */
    public static ProcessBuilder process(List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WITH_SIGNALS, "sh", Script.PATH.toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process.environment().put("SLUICE_JAVA_OPTS", String.join(" ", options));
        return process;
    }
}
