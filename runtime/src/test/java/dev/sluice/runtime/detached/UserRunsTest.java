package dev.sluice.runtime.detached;

import static dev.sluice.runtime.detached.DetachedRunnerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.TaskCommand;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.file.UserFolders;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.runtime.machine.CgroupRoot;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.machine.SystemAccounts;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.testing.SystemUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs as real users of this system, against whom the program and other users are protected. */
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class UserRunsTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunKey OTHER = DetachedRunnerFixture.key(2);

    private static SystemUser alice;
    private static SystemUser bob;

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture;

    @BeforeAll
    static void createUsers() throws Exception {
        alice = SystemUser.create();
        bob = SystemUser.create();
        alice.join("games");
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
        fixture = fixture(false);
        fixture.runner.recover(Map.of());
    }

    private DetachedRunnerFixture fixture(boolean allowRoot) {
        return fixture(Confinement.NONE.withAccounts(SystemAccounts.find(allowRoot)));
    }

    private DetachedRunnerFixture fixture(Confinement confinement) {
        return new DetachedRunnerFixture(
                folder, DetachedRunnerFixture.LONG_GRACE, null, ProcessTable.ofThisSystem(), confinement);
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static RunRequest request(String user) {
        return new RunRequest(user, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private void start(RunKey key, String user, LocalCommand command, @Nullable Path shared) {
        fixture.runner.start(key, command, fixture.logFile(key), shared, request(user));
    }

    private String run(RunKey key, String user, LocalCommand command) {
        start(key, user, command, null);
        return fixture.lastOf(key);
    }

    private String run(String script) {
        return run(RUN, alice.name(), LocalCommand.shell(script));
    }

    private List<String> log() {
        return fixture.log(RUN).lines().toList();
    }

    @Test
    void task_ofUser_hasItsIdsGroupsAndEnvironment() throws Exception {
        String end = run("id -un; id -gn; id -Gn; echo $HOME $USER $LOGNAME $SHELL; umask;"
                + " [ \"$PWD\" = \"$SLUICE_SCRATCH\" ] && stat -c '%U %G %a' .; echo x >>/dev/stderr; grep CapEff"
                + " /proc/self/status; exit 3");
        String name = alice.name();
        assertThat(log())
                .containsExactly(
                        name,
                        name,
                        name + " games",
                        "/home/" + name + " " + name + " " + name + " /bin/bash",
                        "0077",
                        name + " " + name + " 700",
                        "x",
                        "CapEff:\t0000000000000000");
        assertThat(end).isEqualTo("exit code 3");
    }

    @Test
    void commandOfTask_namesEnvironmentInputAndUmask_getsThem() throws Exception {
        Path own = alice.folder(folder);
        Files.writeString(own.resolve("in"), "text\n");
        UserFolders.give(own.resolve("in"), alice.uid(), alice.uid());
        LocalCommand command = new LocalCommand(
                List.of("sh", "-c", "cat; umask; pwd; echo \"$GREETING|$HOME\""),
                new TreeMap<>(Map.of("GREETING", "good '\" day", "HOME", "/")),
                own,
                Path.of("in"),
                0027);
        assertThat(run(RUN, alice.name(), command)).isEqualTo("exit code 0");
        assertThat(log()).containsExactly("text", "0027", own.toString(), "good '\" day|/");
        LocalCommand prints = LocalCommand.of("printenv", "dotted.name", "UID")
                .withEnvironment(Map.of("dotted.name", "a b", "UID", "7"));
        assertThat(run(OTHER, alice.name(), prints)).isEqualTo("exit code 0");
        assertThat(fixture.log(OTHER)).isEqualTo("a b\n7\n");
    }

    @Test
    void task_readsFilesOfProgram_isDenied() throws Exception {
        Files.writeString(folder.resolve("logs/other.log"), "secret");
        Path scratch = folder.resolve("runs-scratch");
        run("exec 2>/dev/null; ls %s %s %s; cat %s; cat %s; cat /proc/%d/environ; ls /proc/%d/fd; echo end"
                .formatted(
                        fixture.runs(),
                        folder.resolve("logs"),
                        scratch,
                        fixture.runs().resolve(RUN.folderName()).resolve("shell"),
                        folder.resolve("logs/other.log"),
                        ProcessHandle.current().pid(),
                        ProcessHandle.current().pid()));
        assertThat(log()).containsExactly("end");
    }

    @Test
    void task_signalsProgramItsLeaderOrOthers_isDenied() throws Exception {
        start(OTHER, bob.name(), LocalCommand.shell("echo $$; exec sleep 1000"), null);
        eventually(() -> !fixture.log(OTHER).isEmpty());
        long other = Long.parseLong(fixture.log(OTHER).strip());
        String end = run("exec 2>/dev/null; leader=$(cut -d' ' -f6 /proc/$$/stat);"
                + " for pid in %d %d $leader; do kill -KILL $pid || echo denied; done; exit 4"
                        .formatted(ProcessHandle.current().pid(), other));
        assertThat(log()).containsExactly("denied", "denied", "denied");
        assertThat(end).isEqualTo("exit code 4");
        assertThat(ProcessHandle.of(other)).isPresent();
        fixture.runner.stop(OTHER);
        assertThat(fixture.lastOf(OTHER)).isEqualTo("exit code 143 (SIGTERM)");
    }

    /** Such a process would otherwise keep the GPUs of the other's run. */
    @Test
    void process_withMarkOfOthersRun_doesNotCount() throws Exception {
        start(RUN, alice.name(), LocalCommand.shell("echo up; exec sleep 1000"), null);
        eventually(() -> !fixture.log(RUN).isEmpty());
        String mark = fixture.runs() + "/" + RUN.folderName();
        start(
                OTHER,
                bob.name(),
                LocalCommand.shell("SLUICE_RUN=%s setsid sh -c 'echo $$; exec sleep 1000'".formatted(mark)),
                null);
        eventually(() -> !fixture.log(OTHER).isEmpty());
        long strange = Long.parseLong(fixture.log(OTHER).strip());
        RunSessions sessions = new RunSessions(
                ProcessTable.ofThisSystem(),
                "boot",
                null,
                fixture.runs().toString(),
                new RunOwners(folder.resolve("runs-scratch")));
        assertThat(sessions.byFolder().get(RUN.folderName()))
                .extracting(RunSession::id)
                .isNotEmpty()
                .doesNotContain(strange);
        ProcessHandle.of(strange).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void task_withControlGroup_entersItBeforeItBecomesUser() throws Exception {
        fixture.close();
        CgroupRoot root = new CgroupRoot(PrivateFiles.createFolder(folder.resolve("groups")), "memory pids");
        fixture = fixture(new Confinement(Gpus.NONE, root.enforcement(), SystemAccounts.find(false)));
        fixture.runner.recover(Map.of());
        run("echo $$");
        try (Stream<Path> files = Files.walk(folder.resolve("groups"))) {
            Path entered = files.filter(file -> file.endsWith(RUN.folderName() + "/cgroup.procs"))
                    .findFirst()
                    .orElseThrow();
            assertThat(entered).hasContent(fixture.log(RUN));
        }
    }

    @Test
    void task_killsItsWholeSession_endIsRecorded() {
        assertThat(run("kill -KILL 0")).isEqualTo("exit code 137 (SIGKILL)");
    }

    @Test
    void task_readsScratchOfOther_isDenied() {
        start(OTHER, bob.name(), LocalCommand.shell("umask 0; echo secret >file; pwd; exec sleep 1000"), null);
        eventually(() -> fixture.log(OTHER).contains("/"));
        String scratch = fixture.log(OTHER).strip();
        run("cat %s/file; ls %s; rm -rf %s; mv %s .; cd %s && ls; exit 0"
                .formatted(scratch, scratch, scratch, scratch, scratch));
        assertThat(log()).isNotEmpty().noneMatch(line -> line.contains("secret") || line.equals("file"));
        assertThat(Path.of(scratch, "file")).hasContent("secret");
    }

    @Test
    void task_started_hasNoOpenFilesOfProgram() {
        run("readlink /proc/$$/fd/*");
        String log = fixture.logFile(RUN).toString();
        assertThat(log()).containsExactly("/dev/null", log, log);
    }

    /** The dynamic linker of every process that has these variables writes a file, owned by the process's user. */
    @Test
    void environmentOfTask_affectsLinkerOfProgramsBefore_onlyAsUser() throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxrwxrwx"));
        LocalCommand command = LocalCommand.of("/bin/true")
                .withEnvironment(Map.of(
                        "LD_DEBUG", "libs",
                        "LD_DEBUG_OUTPUT", files.resolve("by").toString(),
                        "PATH", files.toString(),
                        "ENV", files.resolve("env").toString()));
        assertThat(run(RUN, alice.name(), command)).isEqualTo("exit code 0");
        try (Stream<Path> written = Files.list(files)) {
            List<String> owners = written.map(UserRunsTest::owner).distinct().toList();
            assertThat(owners).containsExactly(alice.name());
        }
    }

    private static String owner(Path file) {
        try {
            return Files.getOwner(file).getName();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void valuesOfEnvironment_ofRunningTask_areInNoCommandLine() throws Exception {
        LocalCommand command = LocalCommand.shell("echo $$; sleep 1000; true")
                .withEnvironment(Map.of(
                        "TOKEN", "hunter2-in-environment",
                        "db.password", "hunter2",
                        "my-key", "hunter2",
                        "UID", "hunter2"));
        start(RUN, alice.name(), command, null);
        eventually(() -> !fixture.log(RUN).isEmpty());
        String session = Files.readString(Path.of("/proc", fixture.log(RUN).strip(), "stat"));
        long leader =
                Long.parseLong(session.substring(session.lastIndexOf(')') + 2).split(" ", -1)[3]);
        for (ProcessTable.Row row : ProcessTable.ofThisSystem().read()) {
            if (row.session() == leader) {
                assertThat(Files.readString(Path.of("/proc", Long.toString(row.pid()), "cmdline")))
                        .doesNotContain("hunter2");
            }
        }
        assertThat(Files.readString(Path.of("/proc", fixture.log(RUN).strip(), "environ")))
                .contains("TOKEN=hunter2-in-environment", "db.password=hunter2", "my-key=hunter2", "UID=hunter2")
                .doesNotContain("sluice_env_", "PERL_BADLANG");
    }

    @Test
    void program_missing_endsAsFromShellWithAnyVariables() {
        LocalCommand command = LocalCommand.of("/missing/program").withEnvironment(Map.of("a.b", "x", "LANG", "xx_YY"));
        assertThat(run(RUN, alice.name(), command)).isEqualTo("exit code 127");
        assertThat(fixture.log(RUN)).isEqualTo("/missing/program: No such file or directory\n");
    }

    @Test
    void variable_thatShellsDrop_needsPerl() {
        UserSwitch without = new UserSwitch("setpriv", null);
        assertThat(without.obstacle(LocalCommand.of("true").withEnvironment(Map.of("A", "x"))))
                .isNull();
        assertThat(without.obstacle(LocalCommand.of("true").withEnvironment(Map.of("A", "x", "a.b", "x"))))
                .startsWith("cannot set the variable a.b, which shells drop, without perl: install perl");
    }

    @Test
    void folderAndInput_notAccessibleToUser_failTask() throws Exception {
        Path hidden = PrivateFiles.createFolder(folder.resolve("hidden"));
        Path inside = Files.createDirectory(hidden.resolve("inside"));
        Files.writeString(hidden.resolve("in"), "secret");
        assertThat(run(RUN, alice.name(), LocalCommand.shell("ls").withDirectory(inside)))
                .isEqualTo("exit code 126");
        LocalCommand reads = new LocalCommand(
                List.of("cat"), new TreeMap<>(), null, hidden.resolve("in"), TaskCommand.UMASK_INHERITED);
        assertThat(run(OTHER, alice.name(), reads)).startsWith("exit code ").isNotEqualTo("exit code 0");
        assertThat(fixture.log(RUN)).contains("cd");
        assertThat(fixture.log(OTHER)).contains("Permission denied").doesNotContain("secret");
    }

    @Test
    void linksOfTask_whenScratchIsRemoved_areNotFollowed() throws Exception {
        Path kept = PrivateFiles.createFolder(folder.resolve("kept"));
        Files.writeString(kept.resolve("file"), "content");
        start(
                RUN,
                alice.name(),
                LocalCommand.shell("ln -s %s link; mkdir -p a/b; ln -s %s a/b/link; chmod 0 a; cd /;"
                                .formatted(kept, kept)
                        + " mv $SLUICE_SCRATCH ${SLUICE_SCRATCH}x; ln -sfn %s $SLUICE_SCRATCH; exit 0".formatted(kept)),
                null);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
        fixture.runner.forget(RUN);
        Path scratch = folder.resolve("runs-scratch").resolve(RUN.folderName());
        eventually(() -> !Files.exists(scratch));
        eventually(() -> fixture.runner.unfinishedCount() == 0);
        assertThat(kept.resolve("file")).hasContent("content");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rwx------");
    }

    @Test
    void sharedFolder_ofTasks_belongsToUserAndCannotBeReplaced() throws Exception {
        Path shared = folder.resolve("runs-scratch/applications/a");
        LocalCommand command = LocalCommand.shell(
                "cd %s && touch file && stat -c %%U . && rmdir . ../a; mv ../a ../b; ls ..; ln -s / ../c; exit 0"
                        .formatted(shared));
        start(RUN, alice.name(), command, shared);
        fixture.lastOf(RUN);
        assertThat(log().get(0)).isEqualTo(alice.name());
        assertThat(shared.resolve("file")).exists();
        assertThat(shared.resolveSibling("b")).doesNotExist();
        assertThat(shared.resolveSibling("c")).doesNotExist();
        start(OTHER, bob.name(), LocalCommand.shell("cd %s || ls %s".formatted(shared, shared)), null);
        assertThat(fixture.lastOf(OTHER)).isNotEqualTo("exit code 0");
    }

    @Test
    void logOfSomebodyElse_atPathOfLog_isSetAside() throws Exception {
        run("echo secret");
        fixture.runner.forget(RUN);
        RunKey again = new RunKey(RUN.run(), 7);
        run(again, bob.name(), LocalCommand.shell("cat /proc/self/fd/1; echo own"));
        assertThat(fixture.log(RUN)).isEqualTo("own\n");
    }

    /** Whoever has a file open keeps access to it, whatever its owner and mode are later. */
    @Test
    void logOfSomebodyElse_madeEmptyAndKeptOpen_isSetAside() throws Exception {
        run("echo x; : >/dev/stdout; exit 0");
        assertThat(fixture.logFile(RUN)).isEmptyFile();
        Object former = Files.getAttribute(fixture.logFile(RUN), "unix:ino");
        run(new RunKey(RUN.run(), 7), bob.name(), LocalCommand.shell("echo secret"));
        assertThat(fixture.log(RUN)).isEqualTo("secret\n");
        assertThat(Files.getAttribute(fixture.logFile(RUN), "unix:ino")).isNotEqualTo(former);
        assertThat(owner(fixture.logFile(RUN))).isEqualTo(bob.name());
    }

    @Test
    void sharedFolderOfSomebodyElse_atPathOfAnother_isSetAside() throws Exception {
        Path shared = folder.resolve("runs-scratch/applications/a");
        LocalCommand leaves = LocalCommand.shell(
                "cd %s && umask 0 && ln -s / link && touch file && chmod 777 . && exec".formatted(shared)
                        + " 3<. && exit 0");
        start(RUN, alice.name(), leaves, shared);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
        LocalCommand lists = LocalCommand.shell("cd %s && ls -A && stat -c '%%U %%a' .".formatted(shared));
        start(OTHER, bob.name(), lists, shared);
        assertThat(fixture.lastOf(OTHER)).isEqualTo("exit code 0");
        assertThat(fixture.log(OTHER)).isEqualTo(bob.name() + " 700\n");
        RunKey third = DetachedRunnerFixture.key(3);
        start(third, bob.name(), LocalCommand.shell("cd %s && touch own".formatted(shared)), shared);
        assertThat(fixture.lastOf(third)).isEqualTo("exit code 0");
        RunKey fourth = DetachedRunnerFixture.key(4);
        start(fourth, bob.name(), lists, shared);
        assertThat(fixture.lastOf(fourth)).isEqualTo("exit code 0");
        assertThat(fixture.log(fourth)).startsWith("own\n");
        assertThat(owner(shared.resolve("own"))).isEqualTo(bob.name());
    }

    @Test
    void users_unknownOrRoot_areRefusedWithReason() {
        assertThat(run(RUN, "nobody-of-this-name", LocalCommand.shell("true")))
                .startsWith("user nobody-of-this-name does not exist on this machine: ");
        assertThat(fixture.log(RUN)).startsWith("sluice: user nobody-of-this-name does not exist");
        assertThat(fixture.runFolder(RUN).claim()).isEqualTo(new RunClaim.Withdrawn());
        assertThat(run(OTHER, "root", LocalCommand.shell("true"))).startsWith("tasks do not run as root: ");
        assertThat(run(DetachedRunnerFixture.key(3), "0", LocalCommand.shell("true")))
                .startsWith("user 0 does not exist");
        assertThat(run(DetachedRunnerFixture.key(4), "", LocalCommand.shell("true")))
                .startsWith("user  does not exist");
    }

    @Test
    void root_ifAllowed_runsTasks() {
        fixture.close();
        fixture = fixture(true);
        fixture.runner.recover(Map.of());
        assertThat(run(RUN, "root", LocalCommand.shell("id -un"))).isEqualTo("exit code 0");
        assertThat(log()).containsExactly("root");
    }

    @Test
    void taskOfUser_programRestarts_isFoundAgain() {
        Path go = folder.resolve("go");
        start(
                RUN,
                alice.name(),
                LocalCommand.shell("echo up; until [ -e %s ]; do sleep 0.05; done; exit 5".formatted(go)),
                null);
        // a run that has not claimed its folder before the restart would never start
        eventually(() -> !fixture.log(RUN).isEmpty());
        fixture.restart(Map.of(RUN, request(alice.name())));
        fixture.awaitStarted(RUN);
        assertThat(go).doesNotExist();
        assertThat(create(go)).isEqualTo(go);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 5");
    }

    private static Path create(Path file) {
        try {
            return Files.createFile(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void workFolder_thatOthersCanReplaceOrNotReach_isRefused() throws Exception {
        fixture.close();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> fixture(false)).hasMessageContaining("other users than root can replace " + folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path inner = Files.createDirectory(folder.resolve("inner"));
        SystemUser.open(inner);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(() -> UserFolders.requireSafe(inner)).hasMessageContaining("cannot pass through " + folder);
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        assertThatThrownBy(() -> UserFolders.requireSafe(link.resolve("inner")))
                .hasMessageContaining("is behind a symbolic link; choose " + inner);
        UserFolders.give(inner, alice.uid(), alice.uid());
        assertThatThrownBy(() -> UserFolders.requireSafe(inner))
                .hasMessageContaining("other users than root can replace " + inner);
    }

    /** Tasks that run as root need nobody else to pass. */
    @Test
    void workFolder_thatOthersCannotReach_servesSharedAccount() throws Exception {
        fixture.close();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        fixture = fixture(Confinement.NONE.withAccounts(Accounts.SHARED));
        fixture.runner.recover(Map.of());
        assertThat(run(RUN, "root", LocalCommand.shell("id -un"))).isEqualTo("exit code 0");
        assertThat(log()).containsExactly("root");
        assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
}
