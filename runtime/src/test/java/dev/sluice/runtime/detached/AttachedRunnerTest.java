package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.process.LocalCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that run to their end or fail to start. */
final class AttachedRunnerTest {

    @TempDir
    Path folder;

    private AttachedRunnerFixture fixture;

    @BeforeEach
    void start() {
        fixture = new AttachedRunnerFixture(folder, Duration.ofSeconds(5));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void output_ofBothStreams_isInOneFileInOrder() {
        RunExit exit = fixture.runShell("t", "echo one; echo two >&2; echo three");
        assertThat(exit.isSuccess()).isTrue();
        assertThat(fixture.log("t")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void log_ofLaterAttempt_isAppendedAfterSeparator() {
        fixture.runShell("t", "echo first");
        fixture.startShell("t", "echo second");
        fixture.awaitExits("t", 2);
        assertThat(fixture.log("t"))
                .matches("first\n--- restarted at [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z ---\nsecond\n");
    }

    @Test
    void input_ofTask_isEmpty() {
        assertThat(fixture.run("t", LocalCommand.of("cat")).code()).isZero();
    }

    @Test
    void inputAndUmask_ofCommand_applyToProcess() throws Exception {
        Files.writeString(folder.resolve("in put"), "a b");
        LocalCommand command = new LocalCommand(
                List.of("xargs", "-I{}", "sh", "-c", "umask; echo '{}'; printenv PWD"),
                new TreeMap<>(),
                folder,
                Path.of("in put"),
                0027);
        assertThat(fixture.run("t", command).message()).isEqualTo("exit code 0");
        assertThat(fixture.log("t")).isEqualTo("0027\na b\n" + folder.toRealPath() + "\n");
    }

    @Test
    void variable_invalidInShells_isPassedOnWithUmask() {
        LocalCommand command = new LocalCommand(
                List.of("printenv", "dotted.name"), new TreeMap<>(Map.of("dotted.name", "a b")), null, null, 0);
        assertThat(fixture.run("t", command).isSuccess()).isTrue();
        assertThat(fixture.log("t")).isEqualTo("a b\n");
    }

    @Test
    void exitCode_ofTask_isReported() {
        RunExit exit = fixture.runShell("t", "exit 42");
        assertThat(exit).isEqualTo(new RunExit(42, true, "exit code 42"));
    }

    @Test
    void signal_endsTask_isNamed() {
        assertThat(fixture.runShell("t", "kill -KILL $$").message()).isEqualTo("exit code 137 (SIGKILL)");
        assertThat(fixture.runShell("u", "kill -SEGV $$").message()).isEqualTo("exit code 139 (SIGSEGV)");
    }

    @Test
    void environmentAndDirectory_ofCommand_applyToProcess() throws Exception {
        LocalCommand command = LocalCommand.shell("echo \"$GREETING\"; pwd; test -n \"$PATH\"")
                .withEnvironment(Map.of("GREETING", "good day"))
                .withDirectory(folder);
        assertThat(fixture.run("t", command).code()).isZero();
        assertThat(fixture.log("t")).isEqualTo("good day\n" + folder.toRealPath() + "\n");
    }

    @Test
    void arguments_withBlanksAndQuotes_areUnchanged() {
        fixture.run("t", LocalCommand.of("printf", "%s|", "a b", "", "it's", "$HOME", "-x"));
        assertThat(fixture.log("t")).isEqualTo("a b||it's|$HOME|-x|");
    }

    @Test
    void process_ofTask_leadsItsOwnSession() {
        AttachedRunnerFixture.Started process = fixture.startShell("t", "exec sleep 1000");
        AttachedRunnerFixture.awaitSession(process.pid());
        assertThat(ProcessHandle.of(process.pid()).orElseThrow().parent().orElseThrow())
                .isEqualTo(ProcessHandle.current());
        assertThat(process.isAlive()).isTrue();
        process.stop();
        fixture.exitOf("t");
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void command_notInPath_fails127() {
        RunExit exit = fixture.run("t", LocalCommand.of("no-such-command-anywhere", "x"));
        assertThat(exit).isEqualTo(new RunExit(127, false, "command not found: no-such-command-anywhere"));
        assertThat(fixture.log("t")).isEqualTo("sluice: command not found: no-such-command-anywhere\n");
    }

    @Test
    void command_inPathOfItsEnvironment_isFound() throws Exception {
        script("bin/mine", "#!/bin/sh\necho found\n", true);
        LocalCommand command = LocalCommand.of("mine")
                .withEnvironment(Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH")));
        assertThat(fixture.run("t", command).code()).isZero();
        assertThat(fixture.log("t")).isEqualTo("found\n");
    }

    @Test
    void command_relativeToItsDirectory_isFound() throws Exception {
        script("mine", "#!/bin/sh\nexit 3\n", true);
        assertThat(fixture.run("t", LocalCommand.of("./mine").withDirectory(folder))
                        .code())
                .isEqualTo(3);
    }

    @Test
    void command_noSuchFile_fails127() {
        RunExit exit = fixture.run("t", LocalCommand.of("./missing").withDirectory(folder));
        assertThat(exit).isEqualTo(new RunExit(127, false, "no such file: ./missing"));
    }

    @Test
    void command_notExecutable_fails126() throws Exception {
        script("mine", "#!/bin/sh\n", false);
        RunExit exit = fixture.run("t", LocalCommand.of("./mine").withDirectory(folder));
        assertThat(exit).isEqualTo(new RunExit(126, false, "not executable: ./mine"));
    }

    @Test
    void command_isDirectory_fails126() {
        RunExit exit = fixture.run("t", LocalCommand.of(folder.toString()));
        assertThat(exit).isEqualTo(new RunExit(126, false, "is a directory: " + folder));
    }

    @Test
    void command_missingInterpreter_fails127WithMessage() throws Exception {
        script("mine", "#!/no/such/interpreter\n", true);
        RunExit exit = fixture.run("t", LocalCommand.of("./mine").withDirectory(folder));
        assertThat(exit.code()).isEqualTo(127);
        assertThat(fixture.log("t")).contains("./mine").contains("No such file");
    }

    @Test
    void command_tooLong_fails126() {
        RunExit exit = fixture.run("t", LocalCommand.of("true", "x".repeat(4_000_000)));
        assertThat(exit.code()).isEqualTo(126);
        assertThat(exit.message()).startsWith("cannot start: ").hasSizeLessThan(200);
    }

    @Test
    void directory_missing_fails126() {
        RunExit exit = fixture.run("t", LocalCommand.of("true").withDirectory(folder.resolve("nowhere")));
        assertThat(exit).isEqualTo(new RunExit(126, false, "no such directory: " + folder.resolve("nowhere")));
        assertThat(fixture.log("t")).contains("no such directory");
    }

    @Test
    void directory_isFile_fails126() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        RunExit exit = fixture.run("t", LocalCommand.of("true").withDirectory(file));
        assertThat(exit.message()).isEqualTo("not a directory: " + file);
    }

    @Test
    void log_cannotBeWritten_fails126() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        fixture.start("t", LocalCommand.of("true"), file.resolve("t.log"));
        RunExit exit = fixture.exitOf("t");
        assertThat(exit.started()).isFalse();
        assertThat(exit.code()).isEqualTo(126);
        assertThat(exit.message()).contains(file.toString());
    }

    @Test
    void environment_isInherited_unlikeThatOfDetachedRuns() {
        fixture.runShell("t", "env");
        assertThat(fixture.log("t").lines())
                .contains(System.getenv().entrySet().stream()
                        .filter(each -> !each.getKey().matches("_|PWD|OLDPWD|SHLVL|SLUICE_RUN")
                                && each.getValue().indexOf('\n') < 0)
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    @Test
    void run_leavesNoRecords() throws Exception {
        fixture.runShell("t", "exit 0");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("logs"));
        }
    }

    @Test
    void gracePeriod_negative_isRefused() {
        assertThatThrownBy(() -> new AttachedRunnerFixture(folder, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void script(String name, String text, boolean executable) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(executable)).isTrue();
    }
}
