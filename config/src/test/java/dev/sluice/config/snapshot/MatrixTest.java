package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.matrix.ExpansionLimit;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks with a matrix. */
class MatrixTest {

    private static final String TOO_LARGE =
            "jobs.yaml:1:25: the tasks of all matrices of this file are too large:" + " write fewer or shorter ones";

    private static ParseResult<JobFile> read(String text) {
        return JobFileReader.read("jobs.yaml", text, Instant.EPOCH);
    }

    private static List<TaskSpec> tasks(String text) {
        ParseResult<JobFile> reading = read(text);
        assertThat(reading.problems()).isEmpty();
        return reading.value().applications().get(0).tasks().stream()
                .map(TaskEntry::spec)
                .toList();
    }

    private static TaskCommand command(TaskSpec task) {
        return Objects.requireNonNull(task.command());
    }

    /** Returns each task as its id and the words of its command. */
    private static String shown(String text) {
        return tasks(text).stream()
                .map(task -> task.name() + ": " + String.join(" ", command(task).words()))
                .collect(Collectors.joining("\n"));
    }

    private static List<String> problems(String text) {
        return read(text).problems().stream().map(Problem::toString).toList();
    }

    private static List<String> warnings(String text) {
        return read(text).warnings().stream().map(Problem::toString).toList();
    }

    @Test
    void matrix_makesTaskForEachCombination() {
        assertThat(shown("""
                        tasks:
                        - id: train
                          matrix: {lr: [0.1, "x y"], seed: {from: 1, to: 3}}
                          exclude: [{lr: 0.10, seed: 3}]
                          command: [./train, "--lr={lr}", {seed}, "{lr}"]
                        """)).isEqualTo("""
                        train-0: ./train --lr=0.1 1 0.1
                        train-1: ./train --lr=0.1 2 0.1
                        train-2: ./train --lr=x y 1 x y
                        train-3: ./train --lr=x y 2 x y
                        train-4: ./train --lr=x y 3 x y""");
    }

    @Test
    void zip_variesParametersTogether() {
        assertThat(shown("""
                        tasks:
                        - id: t-{n}-{seed}
                          matrix: {n: [1, 2], seed: [a, b], square: [1, 4]}
                          zip: [n, square]
                          command: echo {n} {seed} {square}
                        """)).isEqualTo("""
                        t-1-a: echo 1 a 1
                        t-1-b: echo 1 b 1
                        t-2-a: echo 2 a 4
                        t-2-b: echo 2 b 4""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{from: 1, to: 3} | 1 2 3",
                "{from: 3, to: 1, step: -1} | 3 2 1",
                "{from: 0, to: 1, step: 0.25} | 0.00 0.25 0.50 0.75 1.00",
                "{from: 1, to: 2.5} | 1 2",
                "{from: 5, to: 5} | 5",
                "[1e3, true, 007] | 1e3 true 007",
            })
    void values_ofListsAndRanges_areText(String values, String expected) {
        assertThat(tasks("tasks: [{id: t, matrix: {v: " + values + "}, command: [x, '{v}']}]"))
                .extracting(task -> command(task).words().get(1))
                .containsExactly(expected.split(" "));
    }

    @Test
    void parameter_isReplacedInTextsOfTask() {
        TaskSpec task = tasks("""
                tasks:
                - {id: prepare, matrix: {p: [1]}, command: 'true {p}'}
                - id: use-{p}
                  matrix: {p: [1]}
                  count: 2
                  command: "echo ${p} {a,b} {q} ${x:-{p}}"
                  env: {"P_{p}": "p={p}"}
                  directory: /data/{p}
                  durationkey: use-{p}
                  nodeSelector: {zone: "{p}"}
                  after: {"prepare-0": succeeded}
                """).get(1);

        assertThat(task.name()).isEqualTo("use-1");
        assertThat(task.count()).isEqualTo(2);
        assertThat(command(task).words()).containsExactly("echo ${p} {a,b} {q} ${x:-1}");
        assertThat(command(task).environment()).hasToString("{P_1=p=1}");
        assertThat(command(task).directory()).isEqualTo("/data/1");
        assertThat(task.durationKey()).isEqualTo("use-1");
        assertThat(task.constraints().nodeSelector()).hasToString("{zone=1}");
    }

    /** The shell gets a reference to a variable instead of the value, in quotes that suit those around it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x {v} | x \"${SLUICE_PARAMETER_v}\"",
                "x \"a {v} b\" | x \"a ${SLUICE_PARAMETER_v} b\"",
                "x 'a {v} b' | x 'a '\"${SLUICE_PARAMETER_v}\"' b'",
                "x \\\"{v}\\\" | x \\\"\"${SLUICE_PARAMETER_v}\"\\\"",
                "x \\{v} | x \\{v}",
                "x \"$(y '{v}' \"{v}\")\" {v} | x \"$(y ''\"${SLUICE_PARAMETER_v}\"'' \"${SLUICE_PARAMETER_v}\")\" \"${SLUICE_PARAMETER_v}\"",
                "x a#' {v}' # '{v} | x a#' '\"${SLUICE_PARAMETER_v}\"'' # '{v}",
            })
    void value_withSpecialCharacters_isPassedInVariable(String script, String expected) {
        for (String value : List.of("$(touch pwned)", "`id`", "a'b", "\"; id; \"", "a b", "*", "", "a\nb", "~", "é")) {
            String text = "{\"tasks\": [{\"id\": \"t-0\", \"matrix\": {\"v\": [" + json(value) + "]}, \"command\": "
                    + json(script) + ", \"env\": {\"A\": \"1\"}}]}";
            TaskCommand command = command(tasks(text).get(0));

            assertThat(command.words()).containsExactly(expected);
            assertThat(command.shell()).isTrue();
            if (!expected.equals(script)) {
                assertThat(command.environment())
                        .containsEntry("SLUICE_PARAMETER_v", value)
                        .containsEntry("A", "1");
            }
        }
    }

    private static String json(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    @Test
    void value_plain_isInsertedInScript() {
        TaskCommand command =
                command(tasks("tasks: [{id: t, matrix: {v: ['/a_b.c-1:2@x%+,3']}, command: \"echo {v} '{v}'\"}]")
                        .get(0));

        assertThat(command.words()).containsExactly("echo /a_b.c-1:2@x%+,3 '/a_b.c-1:2@x%+,3'");
        assertThat(command.environment()).isEmpty();
    }

    @Test
    void value_withSpecialCharacters_isRefusedByOtherShells() {
        String text = "tasks: [{id: t, matrix: {v: [1, 'a b']}, command: 'print({v})', env: {V: '{v}'}, shell: %s}]";

        assertThat(problems(text.formatted("/usr/bin/python3")))
                .containsExactly("jobs.yaml:1:25: a value cannot be inserted safely into a command of this shell: use"
                        + " letters, digits and ._-/:@%+, alone, or pass the value by env");
        assertThat(problems(text.formatted("[/bin/bash, -c]"))).isEmpty();
        assertThat(problems(text.formatted("python3").replace("'a b'", "2"))).isEmpty();
    }

    /** The same text, by an anchor, is a script and a value that no shell reads. */
    @Test
    void script_sharedByAnchor_isStillSafe() {
        TaskCommand command = command(tasks("""
                tasks:
                - id: t
                  matrix: {v: ["$(id)"]}
                  command: &c "echo {v}"
                  env: {TEXT: *c}
                """).get(0));

        assertThat(command.words()).containsExactly("echo \"${SLUICE_PARAMETER_v}\"");
        assertThat(command.environment()).containsEntry("TEXT", "echo $(id)");
    }

    @Test
    void dependency_onMatrix_isOnEachOfItsTasks() {
        List<TaskSpec> tasks = tasks("""
                tasks:
                - {id: "train-{s}", matrix: {s: [1, 2]}, command: "x {s}"}
                - {id: "test-{s}", matrix: {s: [1, 2]}, command: "x {s}", after: {"train-{s}": succeeded}}
                - {id: merge, command: x, after: {"test-{s}": started}}
                """);

        assertThat(tasks)
                .extracting(task -> task.name() + " " + task.after().keySet())
                .containsExactly(
                        "train-1 []", "train-2 []", "test-1 [train-1]", "test-2 [train-2]", "merge [test-1, test-2]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "matrix: {} | 1:27: this matrix has no parameters: write {seed: [1, 2]}, or remove it",
                "matrix: [a] | 1:27: expected a map of parameters, found a list",
                "matrix: {a-b: [1]} | 1:28: \"a-b\" is not a valid name of a parameter: use up to 64 letters, digits and _",
                "matrix: {v: []} | 1:31: parameter v has no values: write a list or {from: 1, to: 10}",
                "matrix: {v: 1} | 1:31: expected a list of values, or a range such as {from: 1, to: 10}, found a number",
                "matrix: {v: [1, 1.0]} | 1:35: duplicate value \"1.0\": remove it",
                "matrix: {v: [[1]]} | 1:32: expected text or a number, found a list",
                "matrix: {v: {from: 1}} | 1:31: a range needs from and to: add to",
                "matrix: {v: {from: 1, to: 2, step: 0}} | 1:31: step must not be 0",
                "matrix: {v: {from: 2, to: 1}} | 1:31: this range is empty: step leads away from to",
                "matrix: {v: {from: 1e9999999, to: 2}} | 1:38: \"1e9999999\" is not a decimal number of up to 18 digits",
                "matrix: {v: {from: 1, to: 999999999999}} | 1:31: this range has too many values: the maximum is 524288",
                "matrix: {v: [1]}, zip: [v, w] | 1:46: unknown parameter \"w\": expected v",
                "matrix: {v: [1], w: [1, 2]}, zip: [v, w] | 1:53: parameters that vary together must have the same number of values: v has 1, w has 2",
                "matrix: {v: [1, 2]}, exclude: [{v: 3}] | 1:54: parameter v has no value \"3\": expected one of 1 and 2",
                "matrix: {v: [1]}, exclude: [{v: 1}] | 1:27: exclude leaves no combination of this matrix: remove an entry",
                "matrix: {v: [1]}, exclude: [{}] | 1:47: nothing to exclude: write {seed: 3}, or remove this",
                "zip: [v] | 1:19: zip needs a matrix: add matrix, or remove zip",
                "matrix: {v: {from: 1, to: 1000}, w: {from: 1, to: 1000}} | 1:27: this matrix makes too many tasks: the maximum is 524288",
            })
    void matrix_invalid_isReportedWithItsPlace(String keys, String expected) {
        assertThat(problems("tasks: [{id: 't', " + keys + ", command: 'x {v} {w}'}]"))
                .contains("jobs.yaml:" + expected);
    }

    @Test
    void problem_ofTask_isReportedOnce() {
        assertThat(problems("tasks: [{id: t, matrix: {v: [1, 2, 3]}, command: 'x {v}', retries: -1}]"))
                .containsExactly("jobs.yaml:1:68: -1 is negative: must be 0 or more");
    }

    @Test
    void id_withoutAllParameters_isReported() {
        assertThat(problems("tasks: [{id: 't-{v}', matrix: {v: [1, 2], w: [1, 2]}, command: 'x {w}'}]"))
                .containsExactly("jobs.yaml:1:14: the id must differ between the tasks of a matrix: add {w}, or write"
                        + " no parameter in it");
    }

    @Test
    void setting_withoutEffect_isWarnedAbout() {
        assertThat(warnings("tasks: [{id: t, matrix: {v: [1, 2], w: [1, 2]}, command: 'x {v}', zip: [v, w],"
                        + " exclude: [{v: 1, w: 2}]}]"))
                .containsExactly(
                        "jobs.yaml:1:37: parameter w has no effect on the tasks: write {w} in the command, in env or in"
                                + " another text of the task",
                        "jobs.yaml:1:90: this entry excludes nothing: remove it");
    }

    @Test
    void tasks_tooLargeTogether_areRefused() {
        String large = "x".repeat(1 << 20);

        assertThat(problems("tasks: [{id: t, matrix: {v: {from: 1, to: 100}}, command: '{v} " + large + "'}]"))
                .containsExactly(TOO_LARGE);
    }

    @Test
    @Tag("slow")
    void values_ofManyTasks_areRefused() {
        String variables =
                IntStream.range(0, 1000).mapToObj(i -> "V" + i + ": x").collect(Collectors.joining(", ", "{", "}"));

        assertThat(problems("tasks: [{id: t, matrix: {i: {from: 1, to: 100000}}, command: 'x {i}', env: " + variables
                        + "}]"))
                .containsExactly(TOO_LARGE);
        assertThat(problems("tasks: [{id: t, matrix: {i: {from: 1, to: 100000}}, command: 'x {i}', after: "
                        + variables.replace("x", "started") + "}]"))
                .containsExactly(TOO_LARGE);
    }

    @Test
    void limit_exceededOnce_stopsAllMatrices() {
        String excluded = "{id: t, matrix: {a: [1, 2], b: {from: 1, to: 200000}}, exclude: [{a: 1}, {a: 2}],"
                + " command: 'x {a} {b}'}";

        assertThat(problems("tasks: [" + excluded + ", " + excluded.replace("t,", "u,") + ", "
                        + excluded.replace("t,", "v,") + "]"))
                .containsExactly(
                        "jobs.yaml:1:25: exclude leaves no combination of this matrix: remove an entry",
                        "jobs.yaml:1:130: the tasks of all matrices of this file are too large: write fewer or shorter"
                                + " ones");
    }

    @Test
    void ranges_countForLimit() {
        String range = "{id: t, matrix: {a: {from: 1, to: 500000}, b: [1, 2]}, command: 'x {a} {b}'}";

        assertThat(problems("tasks: [" + String.join(", ", Collections.nCopies(20, range)) + "]"))
                .hasSize(9)
                .last(InstanceOfAssertFactories.STRING)
                .endsWith("the tasks of all matrices of this file are too large: write fewer or shorter ones");
    }

    @Test
    void values_withoutParameter_areShared() {
        List<TaskSpec> tasks =
                tasks("tasks: [{id: t, matrix: {v: [1, 2]}, command: 'x {v}', env: {A: b}, nodeSelector: {c: d}},"
                        + " {id: u, matrix: {v: [1, 2]}, command: [x, y], env: {A: '{v}'}}]");

        assertThat(command(tasks.get(0)).environment())
                .isSameAs(command(tasks.get(1)).environment());
        assertThat(tasks.get(0).constraints()).isSameAs(tasks.get(1).constraints());
        assertThat(command(tasks.get(2)).words()).isSameAs(command(tasks.get(3)).words());
        assertThat(command(tasks.get(3)).environment()).containsExactly(Map.entry("A", "2"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1030})
    void dependencies_betweenMatrices_areLimited(int size) {
        String matrix = "matrix: {v: {from: 1, to: " + size + "}}";
        List<String> problems = problems("tasks:\n- {id: a, " + matrix + ", command: 'x {v}'}\n- {id: b, " + matrix
                + ", command: 'x {v}', after: {a: started}}");

        assertThat(ExpansionLimit.TASKS_MAX).isEqualTo(524_288);
        assertThat(problems).hasSize(size > 1000 ? 1 : 0);
    }
}
