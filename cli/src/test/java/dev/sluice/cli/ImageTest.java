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
 * The container image: the files that {@code kubernetes/image/build} puts into it, that its program runs as another user
 * who can write none of them, and, where podman and the base image are installed, that the image can be built and runs
 * as the chart runs it.
 */
final class ImageTest {

    private static final Path IMAGE = Program.REPOSITORY.resolve("kubernetes/image");

    private static final String BASE = "docker.io/library/debian:12-slim";

    private static final String TAG = "localhost/sluice-image-test:latest";

    /** Runs a server in the image with the command of the image but for Kubernetes, and a job on it. */
    private static final String SERVE = """
            echo "$(id -u):$(id -g)"
            touch /usr/lib/sluice/x 2>/dev/null || echo read-only
            sluice serve --data /var/lib/sluice/data --socket /run/sluice/sluice.sock &
            server=$!
            until sluice health >/dev/null 2>&1; do kill -0 $server || exit 1; done
            sluice health
            sluice submit --quiet --name hello -- true
            sluice wait hello-1
            kill $server
            wait $server
            echo "ended with $?"
            """;

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

    /** Runs the script that builds the image, with the program that was built, and returns what it printed. */
    private String build(String argument) throws Exception {
        String jdk = System.getProperty("java.home");
        assumeTrue(Files.isExecutable(Path.of(jdk, "bin/jlink")), "jlink is not installed");
        Map<String, String> environment = Map.of(
                "SLUICE_JAR",
                Path.of("target/sluice.jar").toAbsolutePath().toString(),
                "SLUICE_OUTPUT",
                directory.toString(),
                "CONTAINER_TOOL",
                "podman",
                "JAVA_HOME",
                jdk);
        return run(directory, environment, List.of(IMAGE.resolve("build").toString(), argument));
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) { // not installed
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
        Path context = Path.of(build("--context-only").strip());
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

    @Test
    @ProgramTest
    @Tag("slow")
    void image_built_servesWithReadOnlyRootAndWithoutRights() throws Exception {
        assumeTrue(succeeds("podman", "version"), "podman is not installed");
        assumeTrue(succeeds("podman", "image", "exists", BASE), "podman has no image " + BASE);
        build(TAG);
        try {
            String printed = run(
                    directory,
                    Map.of(),
                    List.of(
                            "podman",
                            "run",
                            "--rm",
                            "--pull=never",
                            "--network=none",
                            "--read-only",
                            "--cap-drop=all",
                            "--security-opt=no-new-privileges",
                            "--volume=/run/sluice",
                            "--volume=/var/lib/sluice",
                            "--entrypoint=/bin/sh",
                            TAG,
                            "-c",
                            SERVE));
            assertThat(printed.lines().toList())
                    .contains(
                            "10001:10001", "read-only", "unix:/run/sluice/sluice.sock is up", "hello-1", "ended with 0")
                    .anyMatch(line -> line.matches("hello-1 +Completed .*"));
        } finally {
            run(directory, Map.of(), List.of("podman", "rmi", "--force", TAG));
        }
    }
}
