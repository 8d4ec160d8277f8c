package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.ObjectMapper;

/**
 * A server with load classes and eight workers of an agent that reports nothing, so allocations do not change. Tests
 * that change the state for good use their own server.
 */
@ProgramTest
@Tag("slow")
final class OperatingServerTest {

    private static final String QUEUES = """
            partitions:
              - name: default
                queues:
                  - name: root
                    properties:
                      queue.share.policy: load
                    queues:
                      - {name: land, properties: {load.percent: "60"}}
                      - {name: diff, properties: {load.percent: "25"}}
                      - {name: sandbox, properties: {load.percent: "15"}}
            """;

    private static final String JOBS = """
            applications:
              - {id: build, queue: root.land, tasks: [{id: t, count: 3}]}
              - {id: try, queue: root.sandbox, tasks: [{id: t, count: 10}]}
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = start(folder.resolve("server"), file(folder, JOBS));
    }

    private static TestServer start(Path data, String jobs) throws Exception {
        TestServer started = TestServer.withQueues(data, QUEUES);
        started.post("/partitions/default/nodes", "{\"name\": \"farm\", \"capacity\": {\"slots\": \"8\"}}");
        ProgramResult answer = started.execute("submit", jobs);
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return started;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private TestServer another() throws Exception {
        return start(directory.resolve("server"), file(JOBS));
    }

    private String file(String text) throws Exception {
        return file(directory, text);
    }

    private static String file(Path directory, String text) throws Exception {
        Path file = directory.resolve("file.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    @Test
    void queues_ofLoadClasses_equalPlan() {
        // shares come from the latest cycle, which may run after all tasks are allocated
        await().untilAsserted(() -> assertThat(server.execute("queues").out()).isEqualTo("""
                QUEUE      POLICY         USED                     SHARE  APPS  RUNNING  PENDING  ALLOCATED  MAX
                root       load           ██████████  100.0 %    100.0 %     2        8        5  slots 8    -
                  land     fewestrunning  ████░░░░░░   37.5 %  load 60 %     1        3        -  slots 3    -
                  diff     fewestrunning  ░░░░░░░░░░    0.0 %  load 25 %     -        -        -  -          -
                  sandbox  fewestrunning  ██████░░░░   62.5 %  load 15 %     1        5        5  slots 5    -

                Load classes of root: 8 workers, 0 idle at the start of the last cycle
                  CLASS    LOAD %  ENTITLEMENT  RUNNING  LOANED  WAITING
                  land         60            5        3       -        -
                  diff         25            2        -       -        -
                  sandbox      15            1        5       4        5
                """));
        assertThat(server.execute("queues").exitCode()).isZero();
        assertThat(JSON.readTree(server.execute("queues", "-o", "json").out())
                        .get(0)
                        .get("path")
                        .asString())
                .isEqualTo("root");
        assertThat(server.execute("queues", "-o", "yaml").out()).startsWith("- path: root\n  name: root\n");
    }

    @Test
    void nodes_areShown_takenOutAndReinstated() {
        assertThat(server.execute("nodes").out()).isEqualTo("""
                NODE  STATE  TASKS  USED                 ALLOCATED  CAPACITY  RUN BY  LABELS
                farm  ready      8  ██████████  100.0 %  slots 8    slots 8   agent
                """);
        ProgramResult offline = server.execute("offline", "farm", "nobody");
        assertThat(offline.exitCode()).isEqualTo(1);
        assertThat(offline.out()).containsPattern("(?m)^farm +offline ");
        assertThat(offline.err()).isEqualTo("sluice: node nobody not found in partition default\n");
        assertThat(server.execute("nodes", "--state", "ready").out()).isEqualTo("no nodes\n");
        assertThat(server.execute("reinstate", "farm", "-o", "json").out()).contains("\"state\": \"ready\"");
    }

    @Test
    void tasks_byState_areListed() {
        assertThat(server.execute("tasks", "try", "--state", "pending").out())
                .containsPattern("(?m)^t-9 +pending +- +- +- +- +-$");
        assertThat(server.execute("tasks", "build").out()).containsPattern("(?m)^t-0 +starting +1 +farm ");
        assertThat(server.execute("tasks", "build", "--state", "failed").out()).isEqualTo("no tasks\n");
        assertThat(server.execute("tasks", "build", "--limit", "2").out()).contains("… and more (raise --limit)");
        assertThat(JSON.readTree(server.execute("tasks", "try", "-o", "json").out())
                        .get("items"))
                .hasSize(10);
    }

    @Test
    void why_ofWaitingTasks_showsReason() {
        assertThat(server.execute("why", "try").out()).isEqualTo("""
                try (Running): 5 tasks wait: insufficient slots on the only node
                  COUNT  TASKS  REASON        WHY
                      5  t      no-node-fits  insufficient slots on the only node
                """);
        assertThat(server.execute("why", "try", "t-9").out()).startsWith("try t-9 (pending): ");
        assertThat(server.execute("why", "build", "t-0", "-o", "json").out()).contains("\"state\": \"starting\"");
    }

    @Test
    void throttle_set_isShown() {
        assertThat(server.execute("throttle").out()).isEqualTo("partition default: no limit; 8 allocated now\n");
        assertThat(server.execute("throttle", "5").out())
                .isEqualTo("partition default: at most 5 tasks at once; 8 allocated now\n");
        assertThat(server.execute("throttle", "none").out()).contains("no limit");
        assertThat(server.execute("throttle", "-3").exitCode()).isEqualTo(2);
        assertThat(server.execute("throttle", "many").exitCode()).isEqualTo(2);
    }

    @Test
    void classes_areSetWhileEverythingRuns() throws Exception {
        try (TestServer own = another()) {
            ProgramResult answer = own.execute("classes", "set", "root", "land=50", "sandbox=25", "--threshold", "20");

            assertThat(answer.exitCode()).as(answer.err()).isZero();
            assertThat(answer.out())
                    .startsWith("Load classes of root: 8 workers, ")
                    .endsWith("""
                              CLASS    LOAD %
                              land         50
                              diff         25
                              sandbox      25
                              Rebalances when the spread exceeds 20 percentage points for 4m.
                            """);
            assertThat(own.execute("classes", "get").out()).contains("land         50");
            assertThat(own.execute("classes", "get", "root", "-o", "json").out())
                    .contains("\"sandbox\": 25");
            assertThat(own.execute("classes", "get", "root.land").exitCode()).isEqualTo(1);
            assertThat(own.execute("classes", "set", "root").exitCode()).isEqualTo(2);
            assertThat(own.execute("classes", "set", "root", "nobody=3").exitCode())
                    .isEqualTo(2);
            assertThat(own.execute("config", "history").out()).contains("classes of root");
        }
    }

    @Test
    void classPercents_notAHundred_warn() {
        assertThat(server.execute("classes", "set", "root", "land=50").err())
                .contains("warning: the load percentages below root add up to ");
        assertThat(server.execute("classes", "set", "root", "land=60", "diff=25", "sandbox=15")
                        .err())
                .isEmpty();
    }

    @Test
    void classPercent_notAWholeNumber_isRefused() {
        ProgramResult answer = server.execute("classes", "set", "root", "land=33.3");
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("land=33.3: a load percentage must be a whole number from 0 to 100");
    }

    @Test
    void eachLoadSetting_alone_isSet() {
        assertThat(server.execute("classes", "set", "root", "land=60", "diff=25", "sandbox=15", "--threshold", "20")
                        .exitCode())
                .isZero();
        assertThat(server.execute("classes", "set", "root", "--minimum-duration", "90s")
                        .out())
                .endsWith("the spread exceeds 20 percentage points for 1m30s.\n");
        assertThat(server.execute("classes", "set", "root", "--threshold", "30").out())
                .endsWith("the spread exceeds 30 percentage points for 1m30s.\n");
        assertThat(server.execute("classes", "set", "root", "--minimum-duration", "4m")
                        .out())
                .contains("land         60");
    }

    @Test
    void requestors_areSetShownAndCleared() {
        ProgramResult set = server.execute("classes", "requestors", "set", "root.land=^land", "root.sandbox=sand");
        assertThat(set.exitCode()).as(set.err()).isZero();
        assertThat(set.out()).isEqualTo("""
                CLASS         USERS (REGULAR EXPRESSION)
                root.land     ^land
                root.sandbox  sand
                """);
        assertThat(server.execute("classes", "requestors", "get").out()).isEqualTo(set.out());
        assertThat(server.execute("classes", "requestors", "get", "-o", "json").out())
                .contains("\"root.sandbox\": \"sand\"");
        assertThat(server.execute("config", "show").out()).contains("(?:sand)");
        assertThat(server.execute("classes", "requestors", "set", "root.land=(").exitCode())
                .isEqualTo(2);
        assertThat(server.execute("classes", "requestors", "set").exitCode()).isEqualTo(2);
        assertThat(server.execute("classes", "requestors", "clear").out()).isEqualTo("the requestor map is empty\n");
        assertThat(server.execute("config", "show").out()).doesNotContain("placementrules");
    }

    @Test
    void config_isComparedAppliedAndRolledBack() throws Exception {
        try (TestServer own = another()) {
            String other = file(QUEUES.replace("\"15\"", "\"5\"").replace("\"60\"", "\"70\""));

            assertThat(own.execute("config", "show").out()).contains("load.percent: 60");
            ProgramResult checked = own.execute("config", "validate", other);
            assertThat(checked.exitCode()).isZero();
            assertThat(checked.out())
                    .isEqualTo(other + ": valid, changes:\n"
                            + "  partition default: queue root.land changes\n"
                            + "  partition default: queue root.sandbox changes\n");
            ProgramResult diff = own.execute("config", "diff", "--exit-code", other);
            assertThat(diff.exitCode()).isEqualTo(1);
            assertThat(diff.out()).startsWith("--- present\n+++ new\n@@ ").contains("load.percent: 70");
            ProgramResult stale = own.execute("config", "apply", "-y", "--basis", "99", other);
            assertThat(stale.exitCode()).isNotZero();
            assertThat(stale.err()).contains("this configuration is based on revision 99");
            ProgramResult applied = own.execute("config", "apply", "-y", other, "--note", "more for land");
            assertThat(applied.exitCode()).as(applied.err()).isZero();
            assertThat(applied.out()).contains("queue root.land changes").endsWith("revision 2 is now in effect\n");
            assertThat(own.execute("config", "apply", "-y", other).out())
                    .isEqualTo("no changes: revision 2 is already in effect\n");
            assertThat(own.execute("config", "history").out())
                    .containsPattern(
                            "(?m)^ +2 +[-0-9]+ [:0-9]+ +" + System.getProperty("user.name") + " +more for land$");
            assertThat(own.execute("config", "rollback", "-y", "1").out()).endsWith("revision 3 is now in effect\n");
            assertThat(own.execute("config", "show", "-o", "json").out()).contains("back to revision 1");
            assertThat(own.execute("config", "show", "2").out()).contains("load.percent: 70");
            assertThat(own.execute("config", "rollback", "-y", "99").exitCode()).isEqualTo(1);
        }
    }

    @Test
    void config_invalid_isReportedWithPosition() throws Exception {
        String wrong = file(QUEUES.replace("load.percent: \"60\"", "load.percentage: \"60\""));

        for (String action : new String[] {"validate", "diff", "apply"}) {
            ProgramResult answer = server.execute("config", action, wrong);

            assertThat(answer.exitCode()).as(action).isEqualTo(2);
            assertThat(answer.err()).as(action).contains(wrong + ":8:").contains(" error: ");
        }
        assertThat(Program.execute("config").exitCode()).isEqualTo(2);
    }

    @Test
    void top_once_showsEverything() {
        ProgramResult answer = server.execute("top", "--once");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out())
                .startsWith(server.address() + "  up  ")
                .contains(
                        "partition default: 2 applications, 8 tasks running, 5 pending; 1 of 1 nodes ready; slots 8 of slots 8\n")
                .containsPattern("(?m)^build +")
                .containsPattern("(?m)^farm +ready ")
                .contains("LATEST EVENTS")
                .contains("task.placed");
    }

    @Test
    void health_ofHealthyServer_isUp() {
        ProgramResult answer = server.execute("health");

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out()).startsWith(server.address() + " is up\n  journal      ok\n");
        assertThat(server.execute("health", "-o", "yaml").out()).startsWith("status: up\n");
    }

    @Test
    void server_missing_exits3() {
        ProgramResult answer = Program.execute("list", "--server", "http://127.0.0.1:9");

        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err())
                .isEqualTo("sluice: no server at http://127.0.0.1:9: start one with sluice serve, or use --server\n");
        assertThat(Program.execute("health", "--server", "ftp://x").exitCode()).isEqualTo(2);
    }

    @Test
    void list_ofUnknownQueue_fails() {
        ProgramResult answer = server.execute("list", "--queue", "root.nope");

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.err()).isEqualTo("sluice: queue root.nope not found in partition default\n");
        assertThat(answer.out()).isEmpty();
        assertThat(server.execute("list", "--queue", "root.diff").out())
                .isEqualTo("no active applications (sluice list --ended and sluice history show ended ones)\n");
        assertThat(server.execute("list", "--queue", "root.diff", "--ended").out())
                .isEqualTo("no applications\n");
    }

    @Test
    void list_ofManyPages_isWhole() throws Exception {
        try (TestServer own = another()) {
            StringBuilder many = new StringBuilder("applications:\n");
            for (int i = 0; i < 1200; i++) {
                many.append("  - {id: many-").append(i).append(", queue: root.diff, tasks: [{id: t}]}\n");
            }
            assertThat(own.execute("submit", "-q", file(many.toString())).out().lines())
                    .hasSize(1200);

            assertThat(JSON.readTree(own.execute("list", "--queue", "root.diff", "-o", "json")
                                    .out())
                            .get("items"))
                    .hasSize(1200);
            assertThat(own.execute("list", "--limit", "3").out().lines())
                    .hasSize(5)
                    .endsWith("… and more (raise --limit)");
        }
    }
}
