package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.file.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive and the Debian package that {@code packaging/build} writes. */
@ProgramTest
@Tag("slow")
final class PackageTest {

    @TempDir
    private Path directory;

    /** Runs a command and returns what it prints. */
    private String run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), printed).isZero();
        return printed;
    }

    /** Returns the only file with this ending. */
    private static Path only(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(ending)).toList();
            assertThat(found).as(ending).hasSize(1);
            return found.get(0);
        }
    }

    @Test
    void packages_unpacked_runWithoutJdk() throws Exception {
        Path out = Files.createDirectory(directory.resolve("out"));
        Path kept = Files.writeString(out.resolve("kept"), "another file");
        String jdk = System.getProperty("java.home");
        assumeTrue(Files.isExecutable(Path.of(jdk, "bin/jlink")), "jlink is not installed");
        run(
                Map.of(
                        "SLUICE_JAR",
                                Path.of("target/sluice.jar").toAbsolutePath().toString(),
                        "SLUICE_OUTPUT", out.toString(),
                        "JAVA_HOME", jdk),
                "sh",
                "-c",
                "umask 077 && exec " + Program.REPOSITORY.resolve("packaging/build"));
        assertThat(kept).hasContent("another file");
        assertThat(run(Map.of(), "tar", "-tvzf", only(out, ".tar.gz").toString())
                        .lines())
                .allMatch(line -> line.matches("(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|lrwxrwxrwx) 0/0 .*"));
        List<Path> programs = new ArrayList<>();
        Path archive = Files.createDirectory(directory.resolve("archive"));
        run(Map.of(), "tar", "-xzf", only(out, ".tar.gz").toString(), "-C", archive.toString(), "--strip-components=1");
        programs.add(archive.resolve("sluice"));
        assertThat(archive.resolve("sluice.cdx.json")).content().contains("\"bomFormat\" : \"CycloneDX\"");
        if (Files.isExecutable(Path.of("/usr/bin/dpkg-deb"))) {
            Path root = directory.resolve("root");
            run(Map.of(), "dpkg-deb", "-x", only(out, ".deb").toString(), root.toString());
            for (String file : List.of(
                    "usr/lib/systemd/system/sluice.service",
                    "etc/sluice/queues.yaml",
                    "usr/share/man/man1/sluice-serve.1.gz",
                    "usr/share/doc/sluice/sluice.cdx.json",
                    "usr/share/bash-completion/completions/sluice",
                    "usr/share/zsh/vendor-completions/_sluice",
                    "usr/share/fish/vendor_completions.d/sluice.fish")) {
                assertThat(root.resolve(file)).isNotEmptyFile();
            }
            programs.add(root.resolve("usr/bin/sluice"));
        }

        // a JDK in PATH must not be used
        Path wrong = Files.createDirectory(directory.resolve("wrong"));
        Files.writeString(wrong.resolve("java"), "#!/bin/sh\nexit 99\n");
        assertThat(wrong.resolve("java").toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", wrong + ":/usr/bin:/bin");
        for (Path program : programs) {
            String data = directory.resolve("data-" + programs.indexOf(program)).toString();
            assertThat(run(environment, program.toString(), "--version")).startsWith("sluice ");
            List<String> serve = new ArrayList<>(
                    List.of(program.toString(), "serve", "--check", "--insecure", "--port", "0", "--data", data));
            if (UserFolders.isRoot()) {
                serve.add("--allow-root");
            }
            assertThat(run(environment, serve.toArray(String[]::new))).contains("listening on");
            assertThat(run(environment, program.toString(), "admin", "check", data))
                    .contains("no problems found");
        }
    }
}
