package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Applications on a server that runs real processes; all tests share one server. */
@ProgramTest
final class WorkOnServerTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path data;

    private static TestServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectories(data.resolve(".sluice"));
        server = TestServer.withNode(data.resolve(".sluice/server"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private String file(String text) throws Exception {
        Path file = directory.resolve("jobs.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    private static JsonNode json(ProgramResult answer) {
        return JSON.readTree(answer.out());
    }

    @Test
    void command_inFolderOfServer_findsItsSocket() throws Exception {
        ProgramResult answer = Program.run(data, "health");

        assertThat(answer.out()).as(answer.err()).startsWith("unix:.sluice/server/sluice.sock is up");
    }

    @Test
    void server_overTcp_requiresTokenCreatedOverSocket() throws Exception {
        String tcp = "http://127.0.0.1:" + server.port();
        ProgramResult refused = Program.execute("list", "--server", tcp);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err())
                .contains("the request has no credentials: use the server's socket (--server unix:PATH), or an access");

        Path token = Files.writeString(
                directory.resolve("token"),
                server.execute("token", "create", "--user", "ada").out());
        ProgramResult submitted =
                Program.execute("submit", "-q", "--server", tcp, "--token-file", token.toString(), "--", "true");
        assertThat(submitted.exitCode()).as(submitted.err()).isZero();
        assertThat(server.execute("get", submitted.out().strip(), "-o", "json").out())
                .contains("\"user\": \"ada\"");
    }

    @Test
    void submit_ofJobFile_printsIdsAndWaitPrintsOutcome() throws Exception {
        ProgramResult submitted =
                server.execute("submit", file("{id: quick, tasks: [{id: t, count: 2, command: 'echo $SLUICE_TASK'}]}"));

        assertThat(submitted.exitCode()).as(submitted.err()).isZero();
        assertThat(submitted.out())
                .containsPattern("(?m)^APPLICATION +STATE +QUEUE$")
                .containsPattern("(?m)^quick +(Accepted|Running|Starting) +root.default$");

        ProgramResult waited = server.execute("wait", "quick", "--timeout", "60s");
        assertThat(waited.exitCode()).as(waited.err()).isZero();
        assertThat(waited.out()).isEqualTo("""
                APPLICATION  STATE      DONE  FAILED  REASON
                quick        Completed   2/2       -
                """);
        assertThat(server.execute("list", "--all").out()).containsPattern("(?m)^quick +Completed +root.default ");
        assertThat(server.execute("list").out()).doesNotContain("quick");
        assertThat(server.execute("list", "--ended", "--user", System.getProperty("user.name"), "-o", "yaml")
                        .out())
                .contains("id: quick");
    }

    @Test
    void history_exported_isSimulatedWithOtherQueues() throws Exception {
        ProgramResult submitted = server.execute("submit", "--wait", file("""
                id: etl
                name: nightly
                user: ada
                tasks:
                  - {id: prepare, command: sleep 0.2, resources: {vcore: 500m, memory: 1Mi}}
                  - {id: part, count: 3, after: {prepare: succeeded}, command: 'sleep 0.$((SLUICE_TASK_INDEX + 1))'}
                  - {id: sum, after: {part: succeeded}, retries: 1, command: 'test "$SLUICE_ATTEMPT" = 2'}
                """));
        assertThat(submitted.exitCode()).as(submitted.err()).isZero();
        String week = directory.resolve("week.yaml").toString();

        ProgramResult exported = server.execute("history", "--name", "nightly", "--from", "1d", "--workload", week);

        assertThat(exported.exitCode()).as(exported.err()).isZero();
        Path queues = Files.writeString(directory.resolve("queues.yaml"), """
                partitions:
                  - name: default
                    queues:
                      - name: root
                        queues:
                          - {name: default, resources: {max: {vcore: 1}}}
                """);
        ProgramResult simulated = Program.execute(
                "simulate", "--workload", week, "--config", queues.toString(), "--no-bounds", "-q", "-o", "json");
        assertThat(simulated.exitCode()).as(simulated.err()).isZero();
        JsonNode run = json(simulated).at("/runs/0");
        assertThat(run.at("/total/succeeded").asInt()).as(simulated.out()).isEqualTo(5);
        assertThat(Files.readString(Path.of(week)))
                .contains(
                        "id: etl",
                        "user: ada",
                        "name: nightly",
                        "submitted: ",
                        "queue: root.default",
                        "prepare: succeeded");

        ProgramResult usage = server.execute("usage", "--by", "user,application", "--from", "1d", "-o", "csv");
        assertThat(usage.out())
                .startsWith("user,application,core_hours,gib_hours,run_hours,tasks,runs,failed_runs,")
                .containsPattern("(?m)^ada,nightly,[0-9.E-]+,[0-9.E-]+,[0-9.E-]+,5,6,1,0,1,.*,[0-9.E-]+,[0-9.E-]+$");
        assertThat(server.execute("usage", "--by", "user", "--from", "1d").out())
                .containsPattern("(?m)^ada +0.00 +0.00 +0.00 +0.00 +[0-9.]+ % +5 +6 +1 ")
                .containsPattern("(?m)^total +0.00 ");
        assertThat(server.execute("history", "--user", "ada", "--state", "completed")
                        .out())
                .containsPattern("(?m)^etl +nightly +root.default +ada +Completed +");
        ProgramResult listed = server.execute("history", "--user", "ada", "-o", "json");
        assertThat(json(listed).at("/items/0/id").asString()).isEqualTo("etl");
    }

    @Test
    void history_sorted_isInThatOrder() throws Exception {
        for (String id : List.of("b", "c", "a")) {
            ProgramResult run = server.execute(
                    "submit",
                    "--wait",
                    file("{id: " + id + ", name: sorted, user: " + id + ", tasks: [{id: t, command: 'true'}]}"));
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(server.execute("history", "--name", "sorted").out()).containsPattern("(?s)\na .*\nc .*\nb ");
        assertThat(server.execute("history", "--name", "sorted", "--sort", "user")
                        .out())
                .containsPattern("(?s)\na .*\nb .*\nc ");
        assertThat(server.execute("history", "--name", "sorted", "--sort", "-user", "--limit", "2")
                        .out())
                .containsPattern("(?s)\nc .*\nb ");
        assertThat(server.execute("history", "--sort", "size").err())
                .contains("--sort: expected one of ended, -ended, submitted", "not 'size'");
        assertThat(server.execute("history", "--sort", "user", "--workload", "week.yaml")
                        .err())
                .contains("--sort has no effect with --workload");
    }

    @Test
    void submit_thatWaits_answersAsRunDoes() throws Exception {
        ProgramResult good = server.execute("submit", "--wait", file("{id: good, tasks: [{id: t, command: 'true'}]}"));
        ProgramResult bad = server.execute(
                "submit", "--wait", "-o", "json", file("{id: bad, tasks: [{id: t, command: 'exit 3'}]}"));

        assertThat(good.exitCode()).as(good.err()).isZero();
        assertThat(good.out()).contains("good         Completed   1/1       -\n");
        assertThat(good.err()).contains("good  Completed");
        assertThat(bad.exitCode()).isEqualTo(1);
        assertThat(json(bad).get(0).get("state").asString()).isEqualTo("Failed");
        assertThat(bad.err()).contains("sluice logs bad TASK");
    }

    @Test
    void submit_ofCommand_runsInCurrentFolderWithExports() throws Exception {
        String script = "pwd; echo $A; echo $HOME; echo {n} $0";
        String id = server.execute(
                        "submit", "-q", "-w", "--export", "A=b c", "--matrix", "n=7", "--", "sh", "-c", script, "d")
                .out()
                .strip();

        assertThat(id).isEqualTo("sh-1");
        assertThat(server.execute("logs", id, "sh-7").out())
                .isEqualTo(Path.of("").toAbsolutePath() + "\nb c\n" + System.getenv("HOME") + "\n7 d\n");

        String other = server.execute(
                        "submit",
                        "-q",
                        "-w",
                        "--scratch",
                        "--name",
                        "n",
                        "--",
                        "sh",
                        "-c",
                        "pwd | wc -l; [ . -ef $SLUICE_SCRATCH ]")
                .out()
                .strip();
        assertThat(server.execute("get", other).out()).contains("Completed");
    }

    @Test
    void submit_quietly_printsIdsAlone() throws Exception {
        ProgramResult answer = server.execute(
                "submit",
                "-q",
                file(
                        "applications: [{id: q-1, tasks: [{id: t, command: 'true'}]}, {id: q-2, tasks: [{id: t, command: 'true'}]}]"));

        assertThat(answer.out()).isEqualTo("q-1\nq-2\n");
    }

    @Test
    void submit_ofExistingApplication_isRefusedAlone() throws Exception {
        server.execute("submit", file("{id: twice, tasks: [{id: t, command: 'true'}]}"));

        ProgramResult again = server.execute(
                "submit",
                file(
                        "applications: [{id: twice, tasks: [{id: t, command: 'true'}]}, {id: fresh, tasks: [{id: t, command: 'true'}]}]"));

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.out()).contains("fresh").doesNotContain("twice");
        assertThat(again.err()).startsWith("sluice: twice was refused: ");
    }

    @Test
    void submit_ofInvalidFile_showsPosition() throws Exception {
        String file = file("tasks:\n  - {idd: t}\n");

        ProgramResult answer = server.execute("submit", file);

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err())
                .contains(file + ":2:6: error: ")
                .contains("2 |   - {idd: t}")
                .contains("    |      ^");
        assertThat(answer.out()).isEmpty();
        ProgramResult missing = server.execute("submit", "no-such.yaml");
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("no-such.yaml: error: file not found");
        ProgramResult elsewhere = server.execute("submit", file("tasks: [{id: t}]"), "--partition", "p");
        assertThat(elsewhere.exitCode()).isEqualTo(1);
        assertThat(elsewhere.err()).contains("partition p not found");
        ProgramResult empty = server.execute("submit", file("{}"));
        assertThat(empty.exitCode()).isEqualTo(2);
        assertThat(empty.err()).contains("nothing to submit: add tasks: with a list of tasks\n");
    }

    @Test
    void submit_ofIgnoredSettings_warnsWithPosition() throws Exception {
        String file = file("id: odd\nseed: 7\ntasks: [{id: t, command: 'true'}]\n");

        ProgramResult answer = server.execute("submit", "-q", file);

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out()).isEqualTo("odd\n");
        assertThat(answer.err())
                .contains(file + ":2:7: warning: seed has no effect here: the server has its own")
                .contains("2 | seed: 7");
        assertThat(server.execute("submit", "-q", file("{id: plain, tasks: [{id: t, command: 'true'}]}"))
                        .err())
                .isEmpty();
    }

    @Test
    void get_ofAnApplication_showsItInFull() throws Exception {
        server.execute(
                "submit",
                "--wait",
                "-q",
                file("{id: full, name: weekly, user: alice, tasks: [{id: t, count: 2, command: 'true'},"
                        + " {id: m, command: 'true', after: {t: succeeded}}]}"));

        ProgramResult answer = server.execute("get", "full");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out())
                .containsPattern("(?m)^Application  full$")
                .containsPattern("(?m)^Name         weekly$")
                .containsPattern("(?m)^State        Completed$")
                .containsPattern("(?m)^User         alice$")
                .containsPattern("(?m)^m +1 .* t=succeeded$");
        assertThat(json(server.execute("get", "full", "-o", "json")).get("user").asString())
                .isEqualTo("alice");
        assertThat(server.execute("get", "full", "-o", "yaml").out()).startsWith("id: full\n");
    }

    @Test
    void tasks_ended_showWhatTheyUsed() throws Exception {
        String work = "sh -c \"i=0; while [ \\$i -lt 200000 ]; do i=\\$((i+1)); done\"";
        server.execute("submit", "--wait", "-q", file("{id: busy, tasks: [{id: t, command: '" + work + "'}]}"));

        ProgramResult table = server.execute("tasks", "busy");

        assertThat(table.out()).containsPattern("EXIT CODE +CORES +MEMORY").containsPattern(" 0 +[0-9.]+ of 1 +");
        assertThat(json(server.execute("tasks", "busy", "-o", "json"))
                        .at("/items/0/cpuSeconds")
                        .asDouble())
                .isBetween(0.05, 60.0);
    }

    @Test
    void application_unknown_exits1() {
        for (String command : new String[] {"get", "tasks", "logs", "why", "cancel", "wait"}) {
            ProgramResult answer = server.execute(command, "nobody");

            assertThat(answer.exitCode()).as(command).isEqualTo(1);
            assertThat(answer.err())
                    .as(command)
                    .isEqualTo("sluice: application nobody not found in partition default\n");
        }
        assertThat(server.execute("list", "--partition", "none").err()).isEqualTo("sluice: partition none not found\n");
        assertThat(server.execute("list", "--state", "Runing").exitCode()).isEqualTo(2);
        assertThat(server.execute("list", "--state", "Running", "--all").exitCode())
                .isEqualTo(2);
    }

    @Test
    void logs_ofOneTaskAndAll_showOutput() throws Exception {
        server.execute(
                "submit",
                "--wait",
                "-q",
                file("{id: talk, tasks: [{id: t, count: 2, command: 'printf \"one\\ntwo\\nthree $SLUICE_TASK\"'}]}"));

        assertThat(server.execute("logs", "talk", "t-1").out()).isEqualTo("one\ntwo\nthree t-1\n");
        assertThat(server.execute("logs", "talk", "t-1", "--tail", "2").out()).isEqualTo("two\nthree t-1\n");
        assertThat(server.execute("logs", "talk", "t-1", "--tail", "0").out()).isEmpty();
        assertThat(server.execute("logs", "talk", "--tail", "1").out()).isEqualTo("t-0 │ three t-0\nt-1 │ three t-1\n");
        ProgramResult unknown = server.execute("logs", "talk", "t-7");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).isEqualTo("sluice: task t-7 not found in application talk\n");
        assertThat(server.execute("logs", "-f", "talk", "t-7").exitCode()).isEqualTo(1);
    }

    @Test
    void logs_followed_continueUntilTheEnd() throws Exception {
        server.execute(
                "submit",
                "-q",
                file("{id: slow, tasks: [{id: t, count: 2, command: 'echo begins; sleep 1; echo ends'}]}"));

        assertThat(server.execute("logs", "-f", "slow", "t-0").out()).isEqualTo("begins\nends\n");
        assertThat(server.execute("logs", "-f", "slow").out().lines())
                .containsExactlyInAnyOrder("t-0 │ begins", "t-0 │ ends", "t-1 │ begins", "t-1 │ ends");
    }

    @Test
    void cancel_stopsAnApplicationAndTellsWhy() throws Exception {
        server.execute("submit", "-q", file("{id: endless, tasks: [{id: t, count: 9, command: 'sleep 1000'}]}"));

        ProgramResult answer = server.execute("cancel", "endless", "--reason", "wrong input");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out()).containsPattern("(?m)^endless +Fail(ing|ed) .*wrong input");
        assertThat(server.execute("wait", "endless", "--timeout", "60s").exitCode())
                .isEqualTo(1);
        assertThat(server.execute("wait", "endless", "--for", "ended").exitCode())
                .isZero();
        assertThat(server.execute("cancel", "endless").exitCode()).isEqualTo(1);
    }

    @Test
    void cancel_byFilter_countsWhatItCancels() throws Exception {
        for (String id : new String[] {"sweep-1", "sweep-2", "other"}) {
            String tag = id.equals("other") ? "" : ", tag: sweep";
            server.execute("submit", "-q", file("{id: " + id + tag + ", tasks: [{id: t, command: 'sleep 1000'}]}"));
        }

        ProgramResult answer = server.execute("cancel", "--tag", "sweep", "--yes", "--reason", "wrong input");

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        assertThat(answer.out()).isEqualTo("cancelled 2 applications\n");
        assertThat(server.execute("get", "sweep-2").out()).contains("wrong input");
        assertThat(server.execute("cancel", "--tag", "sweep", "--yes").out()).isEqualTo("cancelled 0 applications\n");
        assertThat(server.execute("cancel", "--all", "-y", "-o", "json").out()).contains("\"cancelled\"");
        assertThat(server.execute("wait", "other", "--for", "ended").exitCode()).isZero();
        for (String[] wrong :
                new String[][] {{"cancel"}, {"cancel", "x", "--all"}, {"cancel", "--all", "--user", "u"}}) {
            ProgramResult refused = server.execute(wrong);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("expected application ids, filters (--queue, --user, --tag, --state) or --all");
        }
    }

    @Test
    void wait_longerThanAllowed_fails() throws Exception {
        server.execute("submit", "-q", file("{id: open, sealed: false, tasks: [{id: t, command: 'true'}]}"));

        ProgramResult answer = server.execute("wait", "open", "--timeout", "300ms");

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.err()).isEqualTo("sluice: timed out: open has not ended\n");
        assertThat(server.execute("wait", "open", "--for", "Sunday").exitCode()).isEqualTo(2);
    }

    @Test
    void events_ofAnApplication_tellWhoDidWhat() throws Exception {
        server.execute("submit", "--wait", "-q", file("{id: told, tasks: [{id: t, command: 'exit 4'}]}"));

        ProgramResult answer = server.execute("events", "--application", "told");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out())
                .containsPattern(
                        "application.submitted +told of .* in root.default  by " + System.getProperty("user.name"))
                .containsPattern("task.placed +told t\\[0] on \\S+\n")
                .containsPattern("task.ended +told t\\[0] on \\S+ failed exit code 4\n");
        JsonNode items = json(server.execute("events", "--application", "told", "--type", "task", "-o", "json"))
                .get("items");
        assertThat(items)
                .isNotEmpty()
                .allMatch(item -> item.get("type").asString().startsWith("task."));
        assertThat(json(server.execute("events", "--after", "0", "-o", "json"))
                        .get("items")
                        .get(0)
                        .get("sequence")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void submit_dryRun_showsWhatWouldHappenAndSubmitsNothing() throws Exception {
        String jobs = file("""
                applications:
                  - id: dry
                    tasks:
                      - {id: t, command: 'true'}
                      - {id: u, command: 'true', after: {t: succeeded}}
                      - {id: big, resources: {vcore: 99999}, command: 'true'}
                """);

        ProgramResult dry = server.execute("submit", "--dry-run", jobs);

        assertThat(dry.exitCode()).as(dry.err()).isZero();
        assertThat(dry.out()).as(dry.err()).containsPattern("""
                        APPLICATION +QUEUE +START +WAIT +NEVER +WHY
                        dry +root.default +1 +1 +- +depends on t, which has not succeeded yet
                        dry +root.default +- +1 +[^\\n]*too large""");
        assertThat(dry.err()).contains("warning: no node is large enough for the 99999 of vcore");
        JsonNode json = json(server.execute("submit", "--dry-run", "-o", "json", jobs));
        assertThat(json.at("/0/dryRun/starting").asInt()).isEqualTo(1);
        assertThat(server.execute("submit", "--dry-run", "--strict", jobs).exitCode())
                .isEqualTo(2);
        assertThat(server.execute("get", "dry").exitCode()).isEqualTo(1);
    }

    @Test
    void submit_ofUnknownResourceType_warnsOrIsRefusedIfStrict() throws Exception {
        String jobs = file("""
                id: %s
                tasks: [{id: t, resources: {cpu: 0.5, gpu: 1}, command: 'true'}]
                """);
        String place = ":2:44: %s: no node has the resource type \"gpu\" that this task requests";
        Files.writeString(Path.of(jobs), Files.readString(Path.of(jobs)).formatted("strict-gpu"));

        ProgramResult refused = server.execute("submit", "--strict", jobs);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(place.formatted("error"));
        assertThat(server.execute("get", "strict-gpu").exitCode()).isEqualTo(1);

        ProgramResult taken = server.execute("submit", jobs);
        assertThat(taken.exitCode()).isZero();
        assertThat(taken.err()).contains(place.formatted("warning"));
        assertThat(server.execute("cancel", "strict-gpu").exitCode()).isZero();

        String good = file("{id: strict-good, tasks: [{id: t, resources: {cpu: 0.5}, command: 'true'}]}");
        assertThat(server.execute("submit", "--strict", "--wait", good).exitCode())
                .isZero();
    }
}
