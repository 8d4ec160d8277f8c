package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of {@code sluice run}. */
@ProgramTest
@Tag("slow")
final class SecretRunTest {

    private static final String VALUE = "hunter2-of-a-run";

    @TempDir
    Path directory;

    private int run(String token, String... arguments) throws Exception {
        ProcessBuilder program = PackagedProgram.process(arguments)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        program.environment()
                .put("SLUICE_CONTEXT", directory.resolve("own/context.yaml").toString());
        if (token.isEmpty()) {
            program.environment().remove("TOKEN");
        } else {
            program.environment().put("TOKEN", token);
        }
        return program.start().waitFor();
    }

    private void assertInNoFile() throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> regular = files.filter(Files::isRegularFile).toList();
            for (Path file : regular) {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(VALUE);
            }
        }
    }

    /** The second run does not have the secret in its environment. */
    @Test
    void secret_ofResumedRun_isDecryptedFromItsJournal() throws Exception {
        String command = "[ \"$TOKEN\" = 'hunter2'-of-a-run ] && [ -e ok ]";
        assertThat(run(VALUE, "run", "--secret", "TOKEN", "--logs", "logs", "--", "sh", "-c", command))
                .isEqualTo(ExitCode.FAILED);
        assertInNoFile();
        Path key = directory.resolve("own/secrets.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        Files.createFile(directory.resolve("ok"));
        assertThat(run("", "run", "--resume-failed", "logs")).isEqualTo(ExitCode.OK);
        assertInNoFile();
    }
}
