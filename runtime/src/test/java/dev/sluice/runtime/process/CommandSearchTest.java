package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.executor.RunExit;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Why a command cannot start in a directory. The tests may run as root, so exceptions are passed in rather than
 * provoked.
 */
class CommandSearchTest {

    private static final Path DIRECTORY = Path.of("/home/ada/work");

    @Test
    void directory_inaccessible_reportsReason() {
        assertThat(CommandSearch.problemWith(DIRECTORY, new AccessDeniedException("/home/ada/work")))
                .isEqualTo("permission denied: /home/ada/work");
        assertThat(CommandSearch.problemWith(DIRECTORY, new NoSuchFileException("/home/ada/work")))
                .isEqualTo("no such directory: /home/ada/work");
        assertThat(CommandSearch.problemWith(
                        DIRECTORY, new FileSystemException("/home/ada/work", null, "Not a directory")))
                .isEqualTo("not a directory: /home/ada/work");
        assertThat(CommandSearch.problemWith(DIRECTORY, new IOException("Input/output error")))
                .isEqualTo("cannot read directory: Input/output error");
    }

    @Test
    void directory_missingOrFile_isDistinguished(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(obstacle(folder)).isNull();
        assertThat(obstacle(folder.resolve("none"))).isEqualTo("no such directory: " + folder.resolve("none"));
        assertThat(obstacle(file)).isEqualTo("not a directory: " + file);
        assertThat(obstacle(file.resolve("below"))).isEqualTo("not a directory: " + file.resolve("below"));
    }

    private static @Nullable String obstacle(Path directory) {
        RunExit exit = CommandSearch.obstacle(new LocalCommand(List.of("/bin/true"), new TreeMap<>(), directory));
        return exit == null ? null : exit.message();
    }
}
