package dev.sluice.runtime.detached;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that run to their end or fail to start, without a restart of the program. */
@Timeout(120)
final class DetachedRunnerTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunKey OTHER = DetachedRunnerFixture.key(2);

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture;

    @BeforeEach
    void start() {
        fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void run_toItsEnd_reportsStartAndEnd() {
        assertThat(fixture.runShell(RUN, "echo one; echo two >&2; exit 42")).isEqualTo("exit code 42");
        assertThat(fixture.calls(RUN)).containsExactly("started", "exit code 42");
        assertThat(fixture.log(RUN)).isEqualTo("one\ntwo\n");
    }

    @Test
    void signal_endsTask_isReportedButNotLogged() {
        assertThat(fixture.runShell(RUN, "kill -KILL $$")).isEqualTo("exit code 137 (SIGKILL)");
        assertThat(fixture.runShell(OTHER, "kill -TERM 0; sleep 1000")).isEqualTo("exit code 143 (SIGTERM)");
        assertThat(fixture.log(RUN) + fixture.log(OTHER)).isEmpty();
    }

    @Test
    void environmentAndDirectory_ofCommand_applyToProcess() throws Exception {
        LocalCommand command = LocalCommand.shell("echo \"$GREETING|$sluice_start|$sluice_code\"; pwd")
                .withEnvironment(Map.of("GREETING", "good day"))
                .withDirectory(folder);
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("good day||\n" + folder.toRealPath() + "\n");
    }

    @Test
    void environmentVariable_invalidInShells_isPassedOn() {
        LocalCommand command = LocalCommand.of("printenv", "dotted.name").withEnvironment(Map.of("dotted.name", "a b"));
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("a b\n");
    }

    @Test
    void inputAndUmask_ofCommand_applyToProcess() throws Exception {
        Files.writeString(folder.resolve("in put"), "text\n");
        LocalCommand command = withInput("cat; umask", "in put", 0027);
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("text\n0027\n");
        assertThat(fixture.run(OTHER, withInput("true", "none", TaskCommand.UMASK_INHERITED)))
                .isEqualTo("no such file for standard input: " + folder.resolve("none"));
    }

    private LocalCommand withInput(String script, String input, int umask) {
        return new LocalCommand(List.of("sh", "-c", script), new TreeMap<>(), folder, Path.of(input), umask);
    }

    @Test
    void program_inPathOfItsEnvironment_isFound() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        Path program = programs.resolve("exit");
        Files.writeString(program, "#!/bin/sh\necho found\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        LocalCommand command = LocalCommand.of("exit").withEnvironment(Map.of("PATH", programs.toString()));
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("found\n");
    }

    @Test
    void arguments_withBlanksAndQuotes_areUnchanged() {
        fixture.run(RUN, LocalCommand.of("printf", "%s|", "a b", "", "it's", "$HOME", "-x"));
        assertThat(fixture.log(RUN)).isEqualTo("a b||it's|$HOME|-x|");
    }

    @Test
    void input_ofTask_isEmpty() {
        assertThat(fixture.run(RUN, LocalCommand.of("cat"))).isEqualTo("exit code 0");
    }

    @Test
    void command_notFound_fails127() {
        assertThat(fixture.run(RUN, LocalCommand.of("no-such-command-anywhere")))
                .isEqualTo("command not found: no-such-command-anywhere");
        assertThat(fixture.log(RUN)).isEqualTo("sluice: command not found: no-such-command-anywhere\n");
        assertThat(fixture.calls(RUN)).hasSize(1);
        assertThat(fixture.runFolder(RUN).exit())
                .isEqualTo(new RunExit(127, false, "command not found: no-such-command-anywhere"));
    }

    @Test
    void command_shellBuiltin_isNotFound() {
        assertThat(fixture.run(RUN, LocalCommand.of("exit", "3"))).isEqualTo("command not found: exit");
    }

    @Test
    void command_missingInterpreter_fails127WithMessage() throws Exception {
        Path script = folder.resolve("mine");
        Files.writeString(script, "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(fixture.run(RUN, LocalCommand.of(script.toString()))).isEqualTo("exit code 127");
        assertThat(fixture.log(RUN)).contains("mine").contains("not found");
    }

    @Test
    void command_tooLong_fails126() {
        assertThat(fixture.run(RUN, LocalCommand.of("true", "x".repeat(4_000_000))))
                .startsWith("cannot start: ")
                .hasSizeLessThan(200);
        assertThat(fixture.runFolder(RUN).claim()).isEqualTo(new RunClaim.Withdrawn());
    }

    @Test
    void directory_missing_fails126() {
        Path nowhere = folder.resolve("nowhere");
        assertThat(fixture.run(RUN, LocalCommand.of("true").withDirectory(nowhere)))
                .isEqualTo("no such directory: " + nowhere);
    }

    @Test
    void log_notWritable_isReportedAsNotStarted() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        fixture.runner.start(RUN, LocalCommand.of("true"), file.resolve("t.log"), null, RunRequest.NONE);
        assertThat(fixture.lastOf(RUN)).startsWith("not started: ").contains(file.toString());
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("lost: it had not started");
    }

    @Test
    void runFolder_notWritable_isReportedAsNotStarted() throws Exception {
        // Root has write permission everywhere, but cannot create files below a regular file.
        DetachedRunnerFixture.eventually(() -> fixture.runner.unfinishedCount() == 0);
        Files.move(fixture.runs(), folder.resolve("away"));
        Files.createFile(fixture.runs());
        assertThat(fixture.runner.probe()).startsWith("cannot start: ");
        assertThat(fixture.run(RUN, LocalCommand.of("true"))).startsWith("not started: ");
    }

    @Test
    void probe_healthyMachine_returnsNull() {
        assertThat(fixture.runner.probe()).isNull();
        DetachedRunnerFixture.eventually(() -> filesIn(fixture.runs()).equals(List.of(".lock")));
    }

    @Test
    void run_withoutDirectory_hasScratchFolderUntilForgotten() throws Exception {
        LocalCommand command = LocalCommand.shell(
                "umask 0; pwd; echo \"$SLUICE_SCRATCH\"; ls -ld . | cut -c1-10; mkdir -p a/b; chmod 000 a");
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        List<String> log = fixture.log(RUN).lines().toList();
        Path scratch = Path.of(log.get(0));
        assertThat(log).containsExactly(scratch.toString(), scratch.toString(), "drwx------");
        assertThat(scratch).isDirectory().isNotEqualTo(fixture.runFolder(RUN).path());
        fixture.runner.forget(RUN);
        DetachedRunnerFixture.eventually(
                () -> filesIn(requireNonNull(scratch.getParent())).isEmpty());
    }

    /** A damaged scratch folder affects neither other runs nor the next runner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "chmod 000 ..",
                "chmod 000 ../..",
                "rm -rf ../../runs-scratch",
                "cd ../..; mv runs-scratch x; ln -s x runs-scratch",
                "cd ../..; mv runs-scratch x; : >runs-scratch",
                "cd ../..; mv runs-scratch x; mkfifo runs-scratch",
            })
    void scratchFolders_damagedByTask_areRestoredForNextRun(String script) {
        fixture.run(RUN, LocalCommand.shell(script));
        assertThat(fixture.run(OTHER, LocalCommand.shell("pwd"))).isEqualTo("exit code 0");
        assertThat(fixture.log(OTHER)).startsWith(folder + "/runs-scratch/");
        fixture.runner.forget(RUN);
        fixture.runner.forget(OTHER);
        fixture.run(DetachedRunnerFixture.key(3), LocalCommand.shell(script));
        fixture.restart();
        assertThat(fixture.run(DetachedRunnerFixture.key(4), LocalCommand.shell("pwd")))
                .isEqualTo("exit code 0");
    }

    @Test
    void processes_markedByThisOrFormerVersion_areFound() throws Exception {
        List<Process> marked = new ArrayList<>();
        for (String mark : List.of(folder + "/1.a", "0123/2.b", folder + "x/3.c")) {
            ProcessBuilder builder = new ProcessBuilder("sleep", "1000");
            builder.environment().put("SLUICE_RUN", mark);
            marked.add(builder.start());
        }
        RunSessions sessions = new RunSessions(ProcessTable.ofThisSystem(), "boot", folder, "0123", null);
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "marks are not readable");
        DetachedRunnerFixture.eventually(() -> sessions.byFolder().size() == 2);
        assertThat(sessions.byFolder()).containsOnlyKeys("1.a", "2.b");
        marked.forEach(Process::destroyForcibly);
    }

    @Test
    void scratchFolders_ofUnexpectedRuns_areRemovedOnRecovery() throws Exception {
        fixture.runShell(RUN, ": >file");
        fixture.runShell(OTHER, ": >file");
        Path scratch = folder.resolve("runs-scratch");
        Path foreign = Files.createFile(scratch.resolve("thesis"));
        fixture.restart(RUN);
        DetachedRunnerFixture.eventually(
                () -> filesIn(scratch).equals(List.of(fixture.runFolder(RUN).name(), "thesis")));
        assertThat(foreign).exists();
    }

    @Test
    void environment_ofProgram_isNotInherited() {
        fixture.runShell(RUN, "env");
        List<String> names = fixture.log(RUN)
                .lines()
                .map(line -> line.substring(0, line.indexOf('=')))
                .filter(name -> !name.startsWith("LC_"))
                .toList();
        assertThat(System.getenv().keySet()).as("variables of this process").hasSizeGreaterThan(names.size());
        // The shell adds the last three itself.
        assertThat(names)
                .isSubsetOf(
                        "PATH", "HOME", "USER", "LANG", "SLUICE_RUN", "SLUICE_SCRATCH", "PWD", "OLDPWD", "SHLVL", "_");
        assertThat(names).contains("PATH", "SLUICE_RUN", "SLUICE_SCRATCH");
    }

    /** Opening a pipe without a reader would block. */
    @ParameterizedTest
    @ValueSource(strings = {"mkfifo", "ln -s elsewhere", "mkdir", "mkdir -p x/y; mv x"})
    void log_replacedByTask_isRestoredForNextRun(String replacing) throws Exception {
        Path logs = requireNonNull(fixture.logFile(RUN).getParent());
        fixture.runShell(
                RUN,
                "cd " + logs + "; log=" + fixture.logFile(RUN).getFileName() + "; rm $log; " + replacing + " $log");
        RunKey next = new RunKey(new RunRef(new TaskRef("default", "etl", "t", 1), 2), 3);
        fixture.runner.start(next, LocalCommand.shell("echo again"), fixture.logFile(RUN), null, RunRequest.NONE);
        assertThat(fixture.lastOf(next)).isEqualTo("exit code 0");
        assertThat(fixture.logFile(RUN)).isRegularFile().hasContent("again");
        assertThat(logs.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void run_forgotten_leavesNoFiles() {
        fixture.runShell(RUN, "exit 0");
        assertThat(fixture.runFolder(RUN).exists()).isTrue();
        fixture.runner.forget(RUN);
        DetachedRunnerFixture.eventually(() -> filesIn(fixture.runs()).equals(List.of(".lock")));
    }

    private static List<String> filesIn(Path directory) throws Exception {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void forget_runningRun_isRefused() {
        fixture.startShell(RUN, "echo $$ >>pids; sleep 1000");
        fixture.pids("pids", 1);
        assertThatThrownBy(() -> fixture.runner.forget(RUN)).hasMessageContaining("has not been reported yet");
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
    }

    @Test
    void start_knownRun_isReportedNotExecuted() {
        fixture.runShell(RUN, "echo once; exit 3");
        fixture.restart();
        // The unexpected run was deleted; the folder found now is a new one.
        assertThat(fixture.runFolder(RUN).exists()).isFalse();
        assertThat(fixture.runFolder(OTHER).path().toFile().mkdir()).isTrue();
        assertThat(fixture.runShell(OTHER, "echo twice")).isEqualTo("lost: it had not started");
        assertThat(fixture.log(OTHER)).isEmpty();
        assertThatThrownBy(() -> fixture.startShell(OTHER, "echo twice")).hasMessageContaining("already started");
    }

    @Test
    void runner_beforeRecoverOrAfterClose_isRefused() {
        assertThatThrownBy(() -> fixture.runner.recover(Map.of())).isInstanceOf(IllegalStateException.class);
        fixture.runner.close();
        assertThatThrownBy(() -> fixture.startShell(RUN, "exit 0")).isInstanceOf(IllegalStateException.class);
        try (DetachedRunnerFixture early = new DetachedRunnerFixture(folder, Duration.ZERO)) {
            assertThatThrownBy(() -> early.startShell(RUN, "exit 0")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void directory_ofAnotherRunner_isRefused() {
        assertThatThrownBy(() -> new DetachedRunnerFixture(folder, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another program uses it");
    }

    @Test
    void stop_beforeStart_reportsStoppedBeforeItStarted() {
        fixture.runner.stop(RUN);
        fixture.runner.stop(RUN);
        assertThat(fixture.runShell(RUN, "echo never")).isEqualTo("stopped before it started");
        assertThat(fixture.calls(RUN)).hasSize(1);
        assertThat(fixture.log(RUN)).isEmpty();
        fixture.runner.stop(OTHER);
        fixture.runner.forget(OTHER);
        assertThat(fixture.runner.unfinishedCount()).isZero();
    }
}
