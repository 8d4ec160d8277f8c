package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.PackagedProgram;
import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tasks that attack the server which runs them. One server runs them all, as a user without privileges where that is
 * possible. After each task it is healthy, nothing of the task is left but its log, and an ordinary application
 * succeeds; after all of them it can be restarted.
 */
@Tag("slow")
@ProgramTest
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileTasksTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final long LOG_MAX = 32 << 10;

    /** For the line that says that a log was cut. */
    private static final long LOG_NOTICE_MAX = 200;

    /** The user and the group {@code nobody}. */
    private static final int UNPRIVILEGED = 65534;

    /** Is in the environment of everything that a hostile task starts. */
    private static final String TOKEN =
            "HOSTILE_TASK=of-this-test-" + ProcessHandle.current().pid();

    private static final Path PROC = Path.of("/proc");

    /** Variables that a shell adds to its environment. */
    private static final Set<String> OF_THE_SHELL = Set.of("PWD", "OLDPWD", "SHLVL", "_");

    @TempDir
    static Path folder;

    private final List<String> wrapper = new ArrayList<>();
    private final Map<String, String> ended = new LinkedHashMap<>();
    private @Nullable ServerProcess process;
    private Path home = Path.of("");
    private Path data = Path.of("");
    private Path work = Path.of("");
    private Path outside = Path.of("");
    private int applications;

    /**
     * What a task does.
     *
     * @param name what it is
     * @param script its command; {@code @OUTSIDE@} is a folder that is none of its business
     * @param end the state in which its application ends; a task that fails is tried a second time
     * @param log a part of its log, or null if it must not be readable
     */
    private record Attack(
            String name,
            String script,
            String end,
            @Nullable String log) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** Replaces its log, and writes to the new one when it is tried again. */
    private static Attack replacingLog(String name, String command) {
        return new Attack(
                name + " in the place of its log, tried again",
                "if [ $SLUICE_ATTEMPT = 1 ]; then log=$(readlink /proc/$$/fd/1); rm \"$log\"; " + command
                        + " \"$log\"; exit 1; fi; echo again",
                "Completed",
                "again");
    }

    /** Replaces its log, which stays so. */
    private static Attack hidingLog(String name, String command) {
        return new Attack(
                name + " in the place of its log",
                "log=$(readlink /proc/$$/fd/1); rm \"$log\"; " + command + " \"$log\"",
                "Completed",
                null);
    }

    private static Stream<Attack> attacks() {
        String deep = "d".repeat(200);
        return Stream.of(
                new Attack(
                        "a path of more than 4,096 bytes",
                        "for up in \"$SLUICE_SCRATCH\" \"$SLUICE_RUN_DIRECTORY\"; do cd \"$up\"; i=0; while [ $i -lt 30 ]; do mkdir "
                                + deep + " && cd -P " + deep
                                + " || exit 1; : >file; i=$((i + 1)); done; done; echo deep",
                        "Completed",
                        "deep"),
                new Attack(
                        "20,000 files",
                        "mkdir a; i=0; while [ $i -lt 10000 ]; do : >a/$i; : >$SLUICE_RUN_DIRECTORY/$i; i=$((i + 1)); done; echo many",
                        "Completed",
                        "many"),
                new Attack(
                        "links to folders outside",
                        "ln -s @OUTSIDE@ link; mkdir a; ln -s @OUTSIDE@ a/link; ln -s @OUTSIDE@ \"$SLUICE_RUN_DIRECTORY/link\"; cd /;"
                                + " rm -rf \"$SLUICE_SCRATCH\"; ln -s @OUTSIDE@ \"$SLUICE_SCRATCH\"; echo linked",
                        "Completed",
                        "linked"),
                replacingLog("a named pipe", "mkfifo"),
                replacingLog("a link to a file outside", "ln -s @OUTSIDE@/file"),
                replacingLog("a folder", "mkdir -p x/y; mv x"),
                hidingLog("a named pipe", "mkfifo"),
                hidingLog("a link to a file outside", "ln -s @OUTSIDE@/file"),
                hidingLog("a folder", "mkdir"),
                new Attack(
                        "a log beyond its limit",
                        "i=0; while [ $i -lt 2000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123; i=$((i + 1)); done",
                        "Completed",
                        "log limit of " + LOG_MAX + " bytes reached"),
                new Attack(
                        "SIGKILL to its process group",
                        "[ $SLUICE_ATTEMPT != 1 ] || kill -9 0; echo again",
                        "Completed",
                        "again"),
                new Attack(
                        "SIGKILL to its parent",
                        "[ $SLUICE_ATTEMPT != 1 ] || { kill -9 $PPID; sleep 1000; }; echo again",
                        "Completed",
                        "again"),
                new Attack(
                        "SIGSTOP to its parent",
                        "(sleep 1; kill -CONT $PPID) & kill -STOP $PPID; echo on",
                        "Completed",
                        "on"),
                new Attack("closed outputs", "exec >&- 2>&- <&-; sleep 0.1; echo nowhere; exit 0", "Completed", ""),
                new Attack(
                        "all of its file descriptors open",
                        "ulimit -n 10; exec 3</dev/null 4</dev/null 5</dev/null 6</dev/null 7</dev/null 8</dev/null 9</dev/null;"
                                + " echo \"$(echo pipe)\"",
                        "Failed",
                        ""),
                new Attack(
                        "processes in the background",
                        "sleep 1000 & (trap '' TERM HUP; sleep 1000) & nohup sleep 1000 & echo left",
                        "Completed",
                        "left"),
                new Attack(
                        "processes in sessions of their own",
                        "setsid sleep 1000 & (trap '' TERM HUP; exec setsid sleep 1000) &"
                                + " (setsid setsid sh -c 'sleep 1000 & sleep 1000' &) & sleep 0.2; echo left",
                        "Completed",
                        "left"),
                new Attack(
                        "files in its scratch folder after its end",
                        "setsid sh -c 'trap \"\" TERM; while :; do mkdir -p \"$SLUICE_SCRATCH/late\"; sleep 0.01; done' &"
                                + " sleep 0.2; echo left",
                        "Completed",
                        "left"));
    }

    @BeforeAll
    void start() throws Exception {
        home = Files.createDirectory(folder.resolve("home"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("file"), "secret");
        if (isRoot()) {
            List<String> other =
                    List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=" + UNPRIVILEGED, "--clear-groups", "--");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            for (Path path : List.of(home, outside, outside.resolve("file"))) {
                Files.setAttribute(path, "unix:uid", UNPRIVILEGED);
            }
            if (isAble(other)) {
                wrapper.addAll(other);
            }
        }
        data = home.resolve("data");
        work = home.resolve("data-work");
        process = begin();
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(folder, "unix:uid").equals(0);
    }

    /** Whether the packaged program can be run so: another user may be unable to read it. */
    private static boolean isAble(List<String> wrapper) throws IOException, InterruptedException {
        ProcessBuilder version = PackagedProgram.process("--version");
        version.command().addAll(0, wrapper);
        try {
            return version.redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private ServerProcess begin() throws IOException {
        ServerProcess server = ServerProcess.begin(
                folder.resolve("errors"),
                wrapper,
                List.of(),
                "--data=" + data,
                "--slots",
                "4",
                "--grace",
                "1s",
                "--log-max",
                Long.toString(LOG_MAX));
        server.awaitReady();
        return server;
    }

    private ServerProcess server() {
        ServerProcess server = process;
        if (server == null) {
            throw new IllegalStateException("there is no server");
        }
        return server;
    }

    private RetryingTestClient client() {
        return new RetryingTestClient(server().port());
    }

    @AfterEach
    void checkServer() throws Exception {
        requireHealthy();
        await("no process of the task is left", () -> assertThat(hostile()).isEmpty());
        await("its folders are removed", () -> assertThat(foldersOfRuns()).isEmpty());
        await(
                "its log is within the limit",
                () -> assertThat(largestLog()).isLessThanOrEqualTo(LOG_MAX + LOG_NOTICE_MAX));
        assertThat(outside).isDirectoryContaining(file -> file.endsWith("file"));
        try (Stream<Path> files = Files.list(outside)) {
            assertThat(files).containsExactly(outside.resolve("file"));
        }
        assertThat(outside.resolve("file")).hasContent("secret");
        String ordinary = submit("echo fine; : >file; : >$SLUICE_RUN_DIRECTORY/file");
        awaitEnd(ordinary, "Completed");
        assertThat(log(ordinary).json().get("text").asString()).isEqualTo("fine\n");
        requireHealthy();
        assertThat(server().err()).doesNotContain("Exception");
    }

    /** What has ended has ended after a restart too, and the next server runs applications. */
    @AfterAll
    void restart() throws Exception {
        try (ServerProcess first = server()) {
            first.terminate();
            assertThat(first.exitCode()).as(first.err()).isZero();
        }
        try (ServerProcess second = begin()) {
            process = second;
            for (Map.Entry<String, String> application : ended.entrySet()) {
                assertThat(state(application.getKey()))
                        .as("application %s", application.getKey())
                        .isEqualTo(application.getValue());
            }
            checkServer();
        }
    }

    private void requireHealthy() {
        await("the server is healthy", () -> {
            RetryingTestClient.TestResponse health = client().get("/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.json().get("status").asString()).as(health.text()).isEqualTo("up");
        });
    }

    /** Something that is to hold. */
    private interface Check {
        void run() throws Exception;
    }

    private static void await(String what, Check check) {
        Awaitility.await(what)
                .atMost(60, TimeUnit.SECONDS)
                .pollInterval(20, TimeUnit.MILLISECONDS)
                .untilAsserted(check::run);
    }

    /** The processes that a hostile task has started and that live. */
    private static List<String> hostile() throws IOException {
        List<String> found = new ArrayList<>();
        assumeTrue(Files.isDirectory(PROC), "the environment of processes cannot be seen here");
        try (Stream<Path> entries = Files.list(PROC)) {
            for (Path entry : entries.toList()) {
                if (text(entry.resolve("environ")).contains(TOKEN)) {
                    found.add(entry.getFileName() + " "
                            + text(entry.resolve("cmdline")).replace('\0', ' '));
                }
            }
        }
        return found;
    }

    /** What is in a file of a process; nothing if the process has ended. */
    private static String text(Path file) {
        try {
            return Files.readString(file, ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    /** What is in the work folder that belongs to a run or an application. */
    private List<String> foldersOfRuns() throws IOException {
        try (Stream<Path> files = Files.walk(work, 3)) {
            return files.map(file -> work.relativize(file).toString())
                    .filter(name -> name.contains("/") && !name.endsWith("/applications"))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException | UncheckedIOException beingRemoved) {
            return List.of(beingRemoved.toString());
        }
    }

    private long largestLog() throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("logs"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .max()
                    .orElse(0);
        }
    }

    /** Submits an application of one task, which a shell runs; its id. */
    private String submit(String... command) throws IOException {
        return submit(Map.of(), command);
    }

    private String submit(Map<String, String> environment, String... command) throws IOException {
        String id = "a" + ++applications;
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("id", "t");
        task.put("resources", Map.of("vcore", "10m"));
        task.put("retries", 1);
        task.put("env", environment);
        task.put("command", command.length == 1 ? command[0] : List.of(command));
        RetryingTestClient.TestResponse answer =
                client().postJson(APPLICATIONS, Map.of("id", id, "sealed", true, "tasks", List.of(task)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return id;
    }

    private String submitHostile(String... command) throws IOException {
        String[] variable = TOKEN.split("=", 2);
        return submit(Map.of(variable[0], variable[1]), command);
    }

    private String state(String id) throws IOException {
        return client().get(APPLICATIONS + "/" + id).json().path("state").asString("");
    }

    private void awaitEnd(String id, String state) {
        await(id + " ends", () -> assertThat(state(id)).isIn("Completed", "Failed"));
        await(id, () -> assertThat(state(id)).as(tasks(id)).isEqualTo(state));
        ended.put(id, state);
    }

    private String tasks(String id) throws IOException {
        return client().get(APPLICATIONS + "/" + id + "/tasks").text();
    }

    private RetryingTestClient.TestResponse log(String id) throws IOException {
        return client().get(APPLICATIONS + "/" + id + "/tasks/t/log");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void attack_ofATask_leavesTheServerWell(Attack attack) throws Exception {
        String id = submitHostile(attack.script().replace("@OUTSIDE@", outside.toString()));

        awaitEnd(id, attack.end());

        if (attack.log() == null) {
            assertThat(log(id).status()).isEqualTo(404);
        } else {
            String expected = attack.log();
            await(
                    "its log is as expected",
                    () -> assertThat(log(id).json().get("text").asString())
                            .contains(expected)
                            .doesNotContain("secret"));
        }
    }

    /** Root is permitted everything, so this shows something only to others. */
    @Test
    void foldersWithoutPermissions_ofATask_leaveTheServerWell() throws Exception {
        assumeTrue(!isRoot() || !wrapper.isEmpty(), "the server runs as root, which needs no permissions");
        String id = submitHostile(
                "mkdir -p a/b; : >a/b/f; run=$SLUICE_RUN_DIRECTORY; mkdir \"$run/c\"; : >\"$run/c/f\";"
                        + " chmod 000 a/b a \"$run/c\" \"$run\" \"${run%/*}\" \"$PWD\" \"${PWD%/*}\" \"${PWD%/*/*}\"; echo closed");

        awaitEnd(id, "Completed");

        assertThat(log(id).json().get("text").asString()).isEqualTo("closed\n");
    }

    @Test
    void taskThatIgnoresSignals_cancelled_isGoneAfterTheGracePeriod() throws Exception {
        String id = submitHostile(
                "trap '' HUP INT QUIT TERM USR1 USR2; setsid sleep 1000 & echo deaf; while :; do sleep 1; done");
        await("it runs", () -> assertThat(log(id).text()).contains("deaf"));

        assertThat(client().postJson(APPLICATIONS + "/" + id + "/cancel", Map.of())
                        .status())
                .isEqualTo(200);

        awaitEnd(id, "Failed");
    }

    /** What a task sees of the environment of the server is what {@code docs/guides/team-server.md} says. */
    @Test
    void environment_ofATask_isAsDescribed() throws Exception {
        String id = submitHostile("env", "-0");
        awaitEnd(id, "Completed");

        Set<String> names = new TreeSet<>();
        for (String variable : log(id).json().get("text").asString().split("\0")) {
            String name = variable.substring(0, variable.indexOf('='));
            names.add(name.startsWith("LC_") ? "LC_*" : name);
            if (name.startsWith("SLUICE_")) {
                assertThat(variable).as("tells where the data folder is").doesNotContainPattern(data + "(/|$)");
            }
        }
        Set<String> described = described();
        assertThat(described).hasSizeGreaterThan(10);
        assertThat(names)
                .contains("SLUICE_SCRATCH", TOKEN.split("=")[0])
                .doesNotContain("JAVA_HOME", "SLUICE_JAVA_OPTS");
        names.remove(TOKEN.split("=")[0]);
        names.removeAll(OF_THE_SHELL);
        assertThat(described).containsAll(names);
    }

    private static Set<String> described() throws IOException {
        String guide = Files.readString(Path.of("..", "docs", "guides", "team-server.md"));
        Matcher sentence = Pattern.compile("\\*\\*Environment\\*\\*: (.*?) and their own `env`", Pattern.DOTALL)
                .matcher(guide);
        assertThat(sentence.find())
                .as("docs/guides/team-server.md says what a task sees")
                .isTrue();
        Set<String> names = new TreeSet<>();
        Matcher name = Pattern.compile("`([A-Z_]+\\*?)`").matcher(sentence.group(1));
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }

    /** No variable of the server leads a task to the data folder: it is none of them, nor above one of them. */
    @Test
    void dataFolder_lookedForByATask_isNotFound() throws Exception {
        String id = submitHostile("env | grep -o '/[^:]*' | while read -r path; do"
                + " while [ -n \"$path\" ]; do ls -d \"$path/sluice.db\" \"$path/identity\" 2>/dev/null; path=${path%/*}; done;"
                + " done; echo searched");

        awaitEnd(id, "Completed");

        assertThat(log(id).json().get("text").asString()).isEqualTo("searched\n");
    }

    @Test
    void outputThatIsNoText_ofATask_isReadWithoutAProblem() throws Exception {
        String id =
                submitHostile("printf '\\033[2J\\033]0;title\\007\\377\\000\\302'; head -c 20000 /dev/urandom; exit 3");

        awaitEnd(id, "Failed");

        assertThat(log(id).status()).isEqualTo(200);
        assertThat(run("logs", id, "t", "--tail", "1")).isNotEmpty();
    }

    /** The name of a command is in the reason why its task failed. */
    @Test
    void commandWithEscapeSequences_inAReason_doesNotReachTheTerminal() throws Exception {
        String id = submitHostile("\u001b[31m\u001b]0;title\u0007nowhere", "x");
        awaitEnd(id, "Failed");

        StringBuilder all = new StringBuilder();
        for (String command : List.of("why", "tasks", "get")) {
            String shown = run(command, id);
            assertPrintable(shown);
            all.append(shown);
        }
        assertThat(all).contains("]0;title\ufffdnowhere");
        assertPrintable(run("logs", id, "\u001b[31mt"));
    }

    private static void assertPrintable(String shown) {
        assertThat(shown).doesNotContainPattern("[\\p{Cc}\u202e&&[^\n]]");
    }

    /** What a command of the packaged program writes, errors included, as a terminal would get it. */
    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", "http://127.0.0.1:" + server().port()));
        Process command = PackagedProgram.process(
                        List.of("-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"), all.toArray(String[]::new))
                .redirectErrorStream(true)
                .start();
        String shown = new String(command.getInputStream().readAllBytes(), UTF_8);
        int unused = command.waitFor();
        return shown;
    }
}
