package dev.sluice.cli;

import static dev.sluice.cli.Program.example;
import static dev.sluice.cli.Program.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What {@code sluice plan} says about reservations: for whom, on which nodes, from when. */
final class PlanReservationTest {

    /** A gang of four waits for two runs with known ends; a run without one keeps half of n-2. */
    private static final String GANG = """
            at: 2026-01-01T12:00:00Z
            partitions:
              - name: default
                queues:
                  - name: root
                    properties: {reservation.delay: 1m}
                    queues: [{name: q}]
            nodes:
              - {name: n, count: 3, capacity: {vcore: 4}}
            applications:
              - id: runs
                queue: root.q
                submitted: 2026-01-01T11:00:00Z
                tasks:
                  - {id: a, state: running, node: n-0, started: 2026-01-01T11:30:00Z, timeout: 1h, resources: {vcore: 4}}
                  - {id: b, state: running, node: n-1, started: 2026-01-01T11:30:00Z, timeout: 2h, resources: {vcore: 4}}
                  - {id: c, state: running, node: n-2, started: 2026-01-01T11:30:00Z, resources: {vcore: 2}}
              - id: gang
                queue: root.q
                submitted: 2026-01-01T11:50:00Z
                gang: {tasks: {w: 4}}
                tasks: [{id: w, count: 4, resources: {vcore: 2}, timeout: 1h}]
              - {id: late, queue: root.q, submitted: 2026-01-01T11:55:00Z, tasks: [{id: t, resources: {vcore: 1}}]}
            """;

    @TempDir
    Path directory;

    private static String text(String file) {
        ProgramResult answer = execute("plan", file);
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return answer.out();
    }

    private static JsonNode json(String file) {
        return new ObjectMapper().readTree(execute("plan", "-o", "json", file).out());
    }

    @Test
    void text_ofTask_showsNodeAndStart() {
        assertThat(text(example("backfill.yaml")))
                .contains("""

                        Reserve: 1 task
                          TASK  APPLICATION  QUEUE          NODES  FROM
                          t     model        root.research  n-1    2026-01-01T13:00:00Z

                        """)
                .contains("  model        has-reservation  reserved on node n-1 from 2026-01-01T13:00:00Z\n")
                .contains("  scan         reserved-for     node n-1 is reserved for task t of application model from"
                        + " 2026-01-01T13:00:00Z; only tasks that end before, by their timeout or expected duration,"
                        + " may use it\n");
    }

    @Test
    void json_ofTask_hasNodeAndStart() {
        JsonNode plan = json(example("backfill.yaml"));

        assertThat(plan.get("reserve"))
                .hasToString("[{\"partition\":\"default\",\"application\":\"model\",\"task\":\"t\",\"tasks\":1,"
                        + "\"queue\":\"root.research\",\"nodes\":[\"n-1\"],\"start\":\"2026-01-01T13:00:00Z\","
                        + "\"delays\":0}]");
        assertThat(plan.get("waiting")
                        .valueStream()
                        .map(wait -> wait.get("reason").asString()))
                .containsExactly("has-reservation", "reserved-for", "reserved-for");
    }

    @Test
    void gang_onSeveralNodes_showsAllOfThem() throws Exception {
        String file = Files.writeString(directory.resolve("gang.yaml"), GANG).toString();

        assertThat(text(file))
                .contains("""

                        Reserve: 4 tasks
                          TASK       APPLICATION  QUEUE   NODES          FROM
                          gang of 4  gang         root.q  n-2, n-0, n-1  2026-01-01T13:30:00Z

                        """)
                .contains(
                        "  4  gang         has-reservation  reserved on nodes n-2, n-0, n-1 from 2026-01-01T13:30:00Z\n");
        assertThat(json(file).get("reserve"))
                .hasToString("[{\"partition\":\"default\",\"application\":\"gang\",\"task\":\"w-0\",\"tasks\":4,"
                        + "\"queue\":\"root.q\",\"nodes\":[\"n-2\",\"n-0\",\"n-1\"],"
                        + "\"start\":\"2026-01-01T13:30:00Z\",\"delays\":0}]");
    }
}
