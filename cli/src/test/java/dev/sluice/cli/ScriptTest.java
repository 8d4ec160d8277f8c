package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.Program.ProgramResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code sluice} in a checkout, with a Maven that always fails. */
@ProgramTest
@Timeout(120)
final class ScriptTest {

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    /** Runs a command as a user without files. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env");

    @TempDir
    Path folder;

    private Path checkout = Path.of("");

    @BeforeEach
    void makeCheckout() throws Exception {
        run(List.of("chmod", "755", folder.toString()));
        checkout = Files.createDirectory(folder.resolve("checkout"));
        copy("sluice");
        copy("pom.xml");
        copy("cli/pom.xml");
        copy("examples/snapshot.yaml");
        Path maven = Files.createDirectory(folder.resolve("bin")).resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\necho '[ERROR] no build in this test'\nexit 1\n");
        run(List.of("chmod", "755", maven.toString()));
    }

    private void copy(String file) throws IOException {
        Path target = checkout.resolve(file);
        Files.createDirectories(target.getParent());
        Files.copy(Program.REPOSITORY.resolve(file), target);
    }

    /** Installs a jar that is newer than the sources. */
    private void build() throws IOException {
        Path archive = checkout.resolve("cli/target/sluice.jar");
        Files.createDirectories(archive.getParent());
        Files.copy(Path.of("target", "sluice.jar"), archive);
        Files.setLastModifiedTime(archive, after(Duration.ofMinutes(1)));
    }

    private void changeSources() throws IOException {
        Files.setLastModifiedTime(checkout.resolve("pom.xml"), after(Duration.ofMinutes(2)));
    }

    private FileTime after(Duration duration) throws IOException {
        return FileTime.from(Files.getLastModifiedTime(checkout.resolve("sluice"))
                .toInstant()
                .plus(duration));
    }

    private ProgramResult run(List<String> command) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return new ProgramResult(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private ProgramResult sluice(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("sluice").toString()));
        command.addAll(Arrays.asList(arguments));
        return run(command);
    }

    /** Runs the script as a user without write permission. */
    private ProgramResult sluiceOfAnother(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            assumeTrue(run(AS_NOBODY).exitCode() == 0, "this needs setpriv, to run the script as another user");
            command.addAll(AS_NOBODY);
        } else {
            run(List.of("chmod", "-R", "a-w", checkout.toString()));
        }
        command.add(checkout.resolve("sluice").toString());
        command.addAll(Arrays.asList(arguments));
        try {
            return run(command);
        } finally {
            run(List.of("chmod", "-R", "u+w", checkout.toString()));
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(checkout.resolve("cli"))) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private String snapshot() {
        return checkout.resolve("examples/snapshot.yaml").toString();
    }

    @Test
    void versionAndHelp_beforeAnyBuild_needNoBuild() throws Exception {
        for (String option : List.of("--version", "-V")) {
            ProgramResult version = sluice(option);
            assertThat(version.exitCode()).isZero();
            assertThat(version.out()).matches("sluice \\d+\\.\\d+\\.\\d+\\S* \\(not built\\)\n");
            assertThat(version.err()).isEmpty();
        }
        for (List<String> arguments : List.of(
                List.<String>of(), List.of("--help"), List.of("-h"), List.of("help"), List.of("run", "--help"))) {
            ProgramResult help = sluice(arguments.toArray(String[]::new));
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).startsWith("Usage: sluice COMMAND").contains("JDK 17");
            assertThat(help.err()).isEmpty();
        }
        assertThat(checkout.resolve("cli/target")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void versionAndHelp_ofOutdatedProgram_buildNothing() throws Exception {
        build();
        changeSources();
        List<String> before = files();

        assertThat(sluice("--version").out()).startsWith("sluice ").contains("(Java ");
        assertThat(sluice("plan", "--help").out()).startsWith("Usage: sluice plan");
        assertThat(files()).isEqualTo(before);
        ProgramResult plan = sluice("plan", snapshot());
        assertThat(plan.exitCode()).as("other commands build it").isEqualTo(1);
        assertThat(plan.err()).contains("building (").contains("no build in this test");
    }

    @Test
    @Tag("slow")
    void checkout_ofAnotherUser_runsOnceBuilt() throws Exception {
        build();
        List<String> before = files();

        ProgramResult plan = sluiceOfAnother("plan", snapshot());

        assertThat(plan.exitCode()).as(plan.err()).isZero();
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).isEqualTo(Program.execute("plan", snapshot()).out());
        assertThat(files()).isEqualTo(before);
    }

    @Test
    @Tag("slow")
    void checkout_ofAnotherUser_runsWithAndWithoutClassArchive() throws Exception {
        build();
        assertThat(sluice("plan", snapshot()).exitCode()).isZero();
        try (Stream<Path> files = Files.list(checkout.resolve("cli/target/launcher"))) {
            Path classes = files.filter(file -> file.toString().endsWith(".jsa"))
                    .findFirst()
                    .orElseThrow();
            assertThat(sluiceOfAnother("plan", snapshot()).exitCode()).isZero();
            Files.delete(classes);
        }
        ProgramResult without = sluiceOfAnother("plan", snapshot());
        assertThat(without.exitCode()).as(without.err()).isZero();
        assertThat(without.err()).isEmpty();
    }

    @Test
    void checkout_ofAnotherUserOutdated_runsAndWarns() throws Exception {
        build();
        changeSources();

        ProgramResult plan = sluiceOfAnother("plan", snapshot());

        assertThat(plan.exitCode()).as(plan.err()).isZero();
        assertThat(plan.err())
                .isEqualTo("sluice: warning: outdated program, and " + checkout.toRealPath()
                        + "/cli/target is not writable\n");
    }

    @Test
    void checkout_ofAnotherUserNotBuilt_fails() throws Exception {
        ProgramResult plan = sluiceOfAnother("plan", snapshot());

        assertThat(plan.exitCode()).isEqualTo(1);
        assertThat(plan.err())
                .startsWith("sluice: not built, and ")
                .contains("cli/target is not writable: build it as the owner of ");
        assertThat(sluiceOfAnother("--version").out()).contains("(not built)");
    }
}
