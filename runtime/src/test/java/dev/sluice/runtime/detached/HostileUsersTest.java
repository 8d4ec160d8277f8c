package dev.sluice.runtime.detached;

import static dev.sluice.runtime.detached.DetachedRunnerFixture.awaitGone;
import static dev.sluice.runtime.detached.DetachedRunnerFixture.eventually;
import static dev.sluice.runtime.detached.DetachedRunnerFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.machine.SystemAccounts;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.ProcessUser;
import dev.sluice.runtime.testing.SystemUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes outside of runs that bear their marks: those of other users, of root, and in sessions of root. */
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class HostileUsersTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunKey OTHER = DetachedRunnerFixture.key(2);
    private static final LocalCommand SLEEP = LocalCommand.shell("echo $$; exec sleep 1000");

    private static SystemUser alice;
    private static SystemUser bob;

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture;
    private final List<Process> processes = new ArrayList<>();

    @BeforeAll
    static void createUsers() throws Exception {
        alice = SystemUser.create();
        bob = SystemUser.create();
    }

    @AfterAll
    static void removeUsers() throws Exception {
        if (alice != null) {
            alice.close();
        }
        if (bob != null) {
            bob.close();
        }
    }

    @BeforeEach
    void start() throws IOException {
        SystemUser.open(folder);
        PrivateFiles.createFolder(folder.resolve("logs"));
        fixture = new DetachedRunnerFixture(
                folder,
                DetachedRunnerFixture.LONG_GRACE,
                null,
                ProcessTable.ofThisSystem(),
                Confinement.NONE.withAccounts(SystemAccounts.find(false)));
        fixture.runner.recover(Map.of());
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
        processes.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        processes.forEach(Process::destroyForcibly);
    }

    private void startRun(LocalCommand command) {
        start(RUN, command);
    }

    private void start(RunKey key, LocalCommand command) {
        RunRequest request = new RunRequest(alice.name(), 0, Long.MAX_VALUE, Long.MAX_VALUE);
        fixture.runner.start(key, command, fixture.logFile(key), null, request);
        eventually(() -> !fixture.log(key).isEmpty());
    }

    /** Returns the process whose id a run has printed, which the leader of its session waits for. */
    private ProcessHandle command(RunKey key) {
        return ProcessHandle.of(Long.parseLong(fixture.log(key).strip())).orElseThrow();
    }

    private void killLeader(RunKey key) {
        command(key).parent().ifPresent(ProcessHandle::destroyForcibly);
    }

    private String mark(String name) {
        return fixture.runs() + "/" + name;
    }

    /** Starts a process in a session of its own, with the mark of a run. */
    private Process startMarked(String name, String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("setsid", "env", "SLUICE_RUN=" + mark(name)));
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all).start();
        processes.add(process);
        eventually(() -> Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                .startsWith(command[command.length - 2]));
        return process;
    }

    private static List<String> as(SystemUser user, String... command) throws IOException {
        List<String> all = new ArrayList<>(
                List.of("setpriv", "--reuid=" + user.uid(), "--regid=" + user.uid(), "--clear-groups", "--"));
        all.addAll(List.of(command));
        return all;
    }

    private Process startMarked(SystemUser user, String name, String... command) throws IOException {
        return startMarked(name, as(user, command).toArray(String[]::new));
    }

    /** Creates a program that anybody can execute, and which then has the rights of root. */
    private String sleepAsRoot() throws IOException {
        Path program = Files.copy(Path.of("/bin/sleep").toRealPath(), folder.resolve("sleep-as-root"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setAttribute(program, "unix:mode", 04755);
        return program.toString();
    }

    /** Starts a session of root in which Alice has a process with a mark, as a terminal after {@code su}. */
    private Terminal startTerminal(RunKey key) throws IOException {
        return startTerminal(sleepAsAlice(key) + " & echo $!");
    }

    private String sleepAsAlice(RunKey key) throws IOException {
        return String.join(" ", as(alice, "env", "SLUICE_RUN=" + mark(key.folderName()), "sleep", "1000"));
    }

    private Terminal startTerminal(String commands) throws IOException {
        String script = commands + "; wait; exec sleep 1000";
        Process root = new ProcessBuilder("setsid", "sh", "-c", script).start();
        processes.add(root);
        long own = Long.parseLong(root.inputReader().readLine());
        eventually(() -> root.children().allMatch(child -> isSleep(child.pid())));
        return new Terminal(root.pid(), own);
    }

    private static boolean isSleep(long pid) {
        return DetachedRunnerFixture.read(Path.of("/proc", Long.toString(pid), "cmdline"))
                .startsWith("sleep");
    }

    /**
     * A session of root.
     *
     * @param root its leader
     * @param own the process of Alice, in the same process group
     */
    private record Terminal(long root, long own) {}

    private static char state(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }

    /** Root would remove the folder that the mark names. */
    @ParameterizedTest
    @ValueSource(strings = {"%s", "../victim", ".."})
    void recovery_markWithPath_removesNothing(String name) throws Exception {
        Path victim = PrivateFiles.createFolder(folder.resolve("victim"));
        Files.writeString(victim.resolve("file"), "content");
        Process root = startMarked(name.formatted(victim), "sleep", "1000");
        Process other = startMarked(bob, name.formatted(victim), sleepAsRoot(), "1000");
        fixture.restart();
        root.destroyForcibly().waitFor();
        other.destroyForcibly().waitFor();
        assertThat(fixture.runner.stopAll()).isTrue();
        assertThat(victim.resolve("file")).hasContent("content");
        assertThat(fixture.runs()).isDirectory();
    }

    @Test
    void scratch_ofPath_isNotRemoved() throws Exception {
        try (FolderRemover remover = new FolderRemover((path, reason) -> {})) {
            ScratchFolders scratch = new ScratchFolders(folder.resolve("scratch"), remover, false);
            Path victim = Files.createDirectory(folder.resolve("victim"));
            for (String name : List.of(victim.toString(), "../victim", "1./../../victim", "..", "", "victim")) {
                assertThatThrownBy(() -> scratch.remove(name)).hasMessage("not the name of a run's folder: " + name);
            }
            assertThat(victim).isDirectory();
        }
    }

    /** It would otherwise keep the GPUs of the run, and its control group. */
    @Test
    void program_thatBecomesRoot_isNoProcessOfOthersRun() throws Exception {
        startRun(SLEEP);
        Process root = startMarked(RUN.folderName(), "sleep", "1000");
        Process other = startMarked(bob, RUN.folderName(), sleepAsRoot(), "1000");
        ProcessHandle command = command(RUN);
        killLeader(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: ");
        assertThat(runs(command.pid())).isFalse();
        assertThat(root.isAlive()).isTrue();
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void runLost_withProcessInSessionOfRoot_endsThisProcessAlone() throws Exception {
        startRun(SLEEP);
        Terminal terminal = startTerminal(RUN);
        ProcessHandle command = command(RUN);
        killLeader(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: ");
        assertThat(runs(command.pid())).isFalse();
        assertThat(runs(terminal.own)).isFalse();
        assertThat(runs(terminal.root)).isTrue();
    }

    /** Neither waits for the processes of the other. */
    @Test
    void twoRunsLost_withProcessesInOneSession_areReported() throws Exception {
        startRun(SLEEP);
        start(OTHER, SLEEP);
        Terminal terminal =
                startTerminal("trap '' TERM; " + sleepAsAlice(RUN) + " & " + sleepAsAlice(OTHER) + " & echo $!");
        killLeader(RUN);
        killLeader(OTHER);
        eventually(() -> isFenced(RUN) && isFenced(OTHER));
        ProcessHandle.of(terminal.root).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: ");
        assertThat(fixture.lastOf(OTHER)).startsWith("lost: ");
        assertThat(runs(terminal.root)).isTrue();
    }

    /** Returns whether the processes of a lost run are being terminated. */
    private boolean isFenced(RunKey key) {
        return Files.isSymbolicLink(fixture.runFolder(key).path().resolve("exit"));
    }

    @Test
    void runStopped_withProcessInSessionOfRoot_endsThisProcessAlone() throws Exception {
        startRun(SLEEP);
        Terminal terminal = startTerminal(RUN);
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
        awaitGone(List.of(terminal.own));
        assertThat(runs(terminal.root)).isTrue();
    }

    @Test
    void runSuspended_withProcessInSessionOfRoot_haltsThisProcessAlone() throws Exception {
        startRun(SLEEP);
        Terminal terminal = startTerminal(RUN);
        fixture.runner.signals().suspend(RUN);
        eventually(() -> state(terminal.own) == 'T');
        assertThat(state(terminal.root)).isNotEqualTo('T');
        fixture.runner.signals().resume(RUN);
        eventually(() -> state(terminal.own) == 'S');
    }

    @Test
    void run_forgottenWhileAnotherSessionIsAlive_leavesNothing() {
        startRun(LocalCommand.shell("setsid sh -c 'echo $$; exec sleep 1000' & until [ -s /dev/stdout ]; do :; done"));
        long remaining = Long.parseLong(fixture.log(RUN).strip());
        fixture.lastOf(RUN);
        fixture.runner.forget(RUN);
        awaitGone(List.of(remaining));
    }

    @Test
    void run_ofSharedAccount_hasNoProcessesOfOthers() throws Exception {
        Process own = startMarked(RUN.folderName(), "sleep", "1000");
        Process other = startMarked(bob, RUN.folderName(), "sleep", "1000");
        Process setuid = startMarked(bob, RUN.folderName(), sleepAsRoot(), "1000");
        assertThat(ProcessUser.of(setuid.pid()))
                .isEqualTo(ProcessUser.of(other.pid()))
                .isEqualTo(bob.uid());
        String mark = fixture.runs().toString();
        RunSessions sessions = new RunSessions(ProcessTable.ofThisSystem(), "boot", fixture.runs(), mark, null);
        assertThat(sessions.byFolder()).isEqualTo(Map.of(RUN.folderName(), Set.of(RunSession.whole(own.pid()))));
    }

    @Test
    void process_ofRunWithoutFolders_isEndedOnRecovery() throws Exception {
        Process remaining = startMarked(alice, "7.of-former-run", "sleep", "1000");
        Process root = startMarked("8.of-former-run", "sleep", "1000");
        fixture.restart();
        assertThat(remaining.waitFor()).isEqualTo(128 + 15);
        assertThat(root.isAlive()).isTrue();
    }
}
