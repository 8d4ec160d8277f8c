package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.file.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The content of the container image, as far as it can be tested without a container: the files that
 * {@code kubernetes/image/build} puts into it, and that its program runs as another user who can write none of them.
 */
final class ImageTest {

    private static final Path IMAGE = Program.REPOSITORY.resolve("kubernetes/image");

    @TempDir
    private Path directory;

    private static String run(Path folder, Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, printed).isZero();
        return printed;
    }

    @Test
    void userOfImage_isThatOfTheChart() throws IOException {
        String image = Files.readString(IMAGE.resolve("Dockerfile"));
        String chart = Files.readString(IMAGE.resolveSibling("chart/templates/deployment.yaml"));
        assertThat(image).contains("USER 10001:10001\n");
        assertThat(chart).contains("runAsUser: 10001\n", "runAsGroup: 10001\n", "fsGroup: 10001\n");
    }

    @Test
    void option_unknown_isRefused() throws Exception {
        Process process = new ProcessBuilder(IMAGE.resolve("build").toString(), "--contextonly")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(printed).contains("unknown option --contextonly");
    }

    @Test
    @ProgramTest
    @Tag("slow")
    void program_ofImage_runsAsUserWhoCanWriteNothingOfIt() throws Exception {
        String jdk = System.getProperty("java.home");
        assumeTrue(Files.isExecutable(Path.of(jdk, "bin/jlink")), "jlink is not installed");
        Path context = Path.of(run(
                        directory,
                        Map.of(
                                "SLUICE_JAR",
                                        Path.of("target/sluice.jar")
                                                .toAbsolutePath()
                                                .toString(),
                                "SLUICE_OUTPUT", directory.toString(),
                                "JAVA_HOME", jdk),
                        List.of(IMAGE.resolve("build").toString(), "--context-only"))
                .strip());
        assertThat(context.resolve("Dockerfile")).isNotEmptyFile();
        Path root = context.resolve("root");
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(each -> !Files.isSymbolicLink(each)).toList()) {
                assertThat(Files.getPosixFilePermissions(file))
                        .as(file.toString())
                        .contains(PosixFilePermission.OTHERS_READ)
                        .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
            }
        }
        assertThat(root.resolve("usr/lib/sluice")).isDirectoryNotContaining("glob:**/{man,examples,systemd}");

        List<String> command = new ArrayList<>();
        if (UserFolders.isRoot()) {
            run(directory, Map.of(), List.of("chmod", "711", directory.toString()));
            command.addAll(
                    List.of("setpriv", "--reuid", "10001", "--regid", "10001", "--clear-groups", "--no-new-privs"));
        }
        command.addAll(List.of(root.resolve("usr/bin/sluice").toString(), "--version"));
        assertThat(run(Path.of("/"), Map.of(), command)).startsWith("sluice ");
    }
}
