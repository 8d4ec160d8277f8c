package dev.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The packaged program: the script {@code sluice} and the built jar in a folder without sources, where the script
 * builds nothing. Tests thus use the class path and JVM options of users.
 */
public final class PackagedProgram {

    /** The root of the repository. */
    public static final Path REPOSITORY = Program.REPOSITORY;

    private static final Path HOME = Path.of("target", "program").toAbsolutePath();

    /** Resets signal handling: background jobs may ignore signals, and the JVM would inherit that. */
    private static final String WITH_SIGNALS =
            "all='env --default-signal=HUP,INT,TERM'; $all true 2>/dev/null || all=; exec $all \"$@\"";

    private PackagedProgram() {}

    /** The installed script and jar. */
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

        /** Copies atomically, since concurrent tests may install too. */
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

    /** Returns the path of the script. */
    public static Path path() {
        return Script.PATH;
    }

    /** Returns a builder for a process of the program. */
    public static ProcessBuilder process(String... arguments) {
        return process(List.of(), arguments);
    }

    /** Returns a builder with additional JVM options, which follow those of the script. */
    public static ProcessBuilder process(List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WITH_SIGNALS, "sh", Script.PATH.toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process.environment().put("SLUICE_JAVA_OPTS", String.join(" ", options));
        return process;
    }
}
