package dev.sluice.runtime.lasting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessExit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a command that runs to its end, or cannot run, while the program lives. */
@Timeout(120)
final class LastingRunnerTest {

    private static final RunKey RUN = LastingFixture.key(1);
    private static final RunKey OTHER = LastingFixture.key(2);

    @TempDir
    Path folder;

    private LastingFixture fixture;

    @BeforeEach
    void start() {
        fixture = LastingFixture.fresh(folder, LastingFixture.LONG_GRACE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void run_toItsEnd_isStartedAndEnded() {
        assertThat(fixture.runShell(RUN, "echo one; echo two >&2; exit 42")).isEqualTo("exit code 42");
        assertThat(fixture.heard(RUN)).containsExactly("started", "exit code 42");
        assertThat(fixture.log(RUN)).isEqualTo("one\ntwo\n");
    }

    @Test
    void signal_endsTask_isNamedAndNothingElseIsLogged() {
        assertThat(fixture.runShell(RUN, "kill -KILL $$")).isEqualTo("exit code 137 (SIGKILL)");
        assertThat(fixture.runShell(OTHER, "kill -TERM 0; sleep 1000")).isEqualTo("exit code 143 (SIGTERM)");
        assertThat(fixture.log(RUN) + fixture.log(OTHER)).isEmpty();
    }

    @Test
    void environmentAndDirectory_ofCommand_areThoseOfTheProcess() throws Exception {
        LocalCommand command = LocalCommand.shell("echo \"$GREETING|$sluice_start|$sluice_code\"; pwd")
                .withEnvironment(Map.of("GREETING", "good day"))
                .withDirectory(folder);
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("good day||\n" + folder.toRealPath() + "\n");
    }

    @Test
    void environmentVariable_thatShellsDrop_isThere() {
        LocalCommand command = LocalCommand.of("printenv", "dotted.name").withEnvironment(Map.of("dotted.name", "a b"));
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("a b\n");
    }

    @Test
    void program_inPathOfItsEnvironment_isFoundWhateverItIsCalled() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        Path program = programs.resolve("exit");
        Files.writeString(program, "#!/bin/sh\necho found\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        LocalCommand command = LocalCommand.of("exit").withEnvironment(Map.of("PATH", programs.toString()));
        assertThat(fixture.run(RUN, command)).isEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).isEqualTo("found\n");
    }

    @Test
    void arguments_withBlanksAndQuotes_arriveAsTheyAre() {
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
        assertThat(fixture.heard(RUN)).hasSize(1);
        assertThat(fixture.runFolder(RUN).exit())
                .isEqualTo(new ProcessExit(127, false, "command not found: no-such-command-anywhere"));
    }

    @Test
    void command_thatOnlyShellsKnow_isNotFound() {
        assertThat(fixture.run(RUN, LocalCommand.of("exit", "3"))).isEqualTo("command not found: exit");
    }

    @Test
    void command_withoutItsInterpreter_fails127AndSaysSo() throws Exception {
        Path script = folder.resolve("mine");
        Files.writeString(script, "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThat(fixture.run(RUN, LocalCommand.of(script.toString()))).isEqualTo("exit code 127");
        assertThat(fixture.log(RUN)).contains("mine").contains("not found");
    }

    @Test
    void command_tooLong_fails126() {
        assertThat(fixture.run(RUN, LocalCommand.of("true", "x".repeat(4_000_000))))
                .startsWith("cannot be started: ")
                .hasSizeLessThan(200);
        assertThat(fixture.runFolder(RUN).claim()).isEqualTo(new Claim.Withdrawn());
    }

    @Test
    void directoryMissingOrLogNotWritable_fails126() throws Exception {
        Path nowhere = folder.resolve("nowhere");
        assertThat(fixture.run(RUN, LocalCommand.of("true").withDirectory(nowhere)))
                .isEqualTo("no such directory: " + nowhere);
        Path file = Files.createFile(folder.resolve("file"));
        fixture.runner.start(OTHER, LocalCommand.of("true"), file.resolve("t.log"));
        assertThat(fixture.lastOf(OTHER)).startsWith("cannot be started: ").contains(file.toString());
        assertThat(fixture.runFolder(OTHER).exit()).isEqualTo(new ProcessExit(126, false, fixture.lastOf(OTHER)));
    }

    @Test
    void folderOfRun_cannotBeWritten_fails126() throws Exception {
        // Whoever may do everything can write anywhere, but not into what is no directory.
        LastingFixture.eventually(() -> fixture.runner.unfinishedCount() == 0);
        Files.move(fixture.runs(), folder.resolve("away"));
        Files.createFile(fixture.runs());
        assertThat(fixture.run(RUN, LocalCommand.of("true"))).startsWith("cannot be started: ");
    }

    @Test
    void run_forgotten_leavesNothingInTheFolder() {
        fixture.runShell(RUN, "exit 0");
        assertThat(fixture.runFolder(RUN).exists()).isTrue();
        fixture.runner.forget(RUN);
        LastingFixture.eventually(() -> filesIn(fixture.runs()).equals(List.of(".lock")));
    }

    private static List<String> filesIn(Path directory) throws Exception {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void forget_ofRunningRun_isRefused() {
        fixture.startShell(RUN, "echo $$ >>pids; sleep 1000");
        fixture.pids("pids", 1);
        assertThatThrownBy(() -> fixture.runner.forget(RUN)).hasMessageContaining("cannot be forgotten");
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
    }

    @Test
    void start_ofWhatTheDirectoryKnows_isReportedAndNotExecuted() {
        fixture.runShell(RUN, "echo once; exit 3");
        fixture.restart();
        // Nobody knew of it, so it was deleted; what is found now is another one's.
        assertThat(fixture.runFolder(RUN).exists()).isFalse();
        assertThat(fixture.runFolder(OTHER).path().toFile().mkdir()).isTrue();
        assertThat(fixture.runShell(OTHER, "echo twice")).isEqualTo("lost: it had not begun");
        assertThat(fixture.log(OTHER)).isEmpty();
        assertThatThrownBy(() -> fixture.startShell(OTHER, "echo twice")).hasMessageContaining("started once");
    }

    @Test
    void runner_beforeRecoverOrAfterClose_isRefused() {
        assertThatThrownBy(() -> fixture.runner.recover(List.of())).isInstanceOf(IllegalStateException.class);
        fixture.runner.close();
        assertThatThrownBy(() -> fixture.startShell(RUN, "exit 0")).isInstanceOf(IllegalStateException.class);
        try (LastingFixture early = new LastingFixture(folder, Duration.ZERO)) {
            assertThatThrownBy(() -> early.startShell(RUN, "exit 0")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void directory_ofAnotherRunner_isRefused() {
        assertThatThrownBy(() -> new LastingFixture(folder, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another program runs tasks in it");
    }

    @Test
    void listener_ofStoppedBeforeStarted_hearsThatItNeverBegan() {
        fixture.runner.stop(RUN);
        fixture.runner.stop(RUN);
        assertThat(fixture.runShell(RUN, "echo never")).isEqualTo("stopped before it began");
        assertThat(fixture.heard(RUN)).hasSize(1);
        assertThat(fixture.log(RUN)).isEmpty();
        fixture.runner.stop(OTHER);
        fixture.runner.forget(OTHER);
        assertThat(fixture.runner.unfinishedCount()).isZero();
    }
}
