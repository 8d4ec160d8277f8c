package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.state.NodeHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobFileReaderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String CURE =
            "add command: with a line for the shell, or a list of a program and its arguments";

    private static ParseResult<JobFile> read(String text) {
        return JobFileReader.read("jobs/night build.yaml", text, NOW);
    }

    private static void check(String text, String... expected) {
        assertThat(JobFileReader.read("j", text, NOW).report()).isEqualTo(String.join("\n", expected));
    }

    @Test
    void retries_inEachForm_areRead() {
        assertThat(retries("3")).isEqualTo(Retries.of(3));
        assertThat(retries("{times: 2}")).isEqualTo(Retries.of(2));
        assertThat(retries("{times: 3, delay: 30s, backoff: 2, exitcodes: [75, 2]}"))
                .isEqualTo(new Retries(3, Duration.ofSeconds(30), 2, List.of(2, 75)));
        check("{tasks: [{id: t, command: x, delays: []}]}", "j:1:38: no task of a job has failed: remove delays");
    }

    private static Retries retries(String value) {
        return read("{tasks: [{id: t, command: x, retries: " + value + "}]}")
                .value()
                .applications()
                .get(0)
                .tasks()
                .get(0)
                .spec()
                .attempts()
                .retries();
    }

    @Test
    void notBefore_inEachForm_isReadOrRefused() {
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        Instant local = LocalDateTime.parse("2026-12-01T02:00")
                .atZone(ZoneId.systemDefault())
                .toInstant();
        String task = ", tasks: [{id: t, command: x}]}";

        assertThat(notBefore("{notbefore: 2026-12-01T02:00:00Z" + task, now))
                .isEqualTo(Instant.parse("2026-12-01T02:00:00Z"));
        assertThat(notBefore("{notbefore: '2026-12-01T02:00+01:00'" + task, now))
                .isEqualTo(Instant.parse("2026-12-01T01:00:00Z"));
        assertThat(notBefore("{notbefore: 2026-12-01T02:00" + task, now)).isEqualTo(local);
        assertThat(notBefore("{notbefore: +2h" + task, now)).isEqualTo(now.plusSeconds(7200));
        assertThat(JobFileReader.read("a.yaml", "{notbefore: noon" + task, now).problems())
                .hasToString(
                        "[a.yaml:1:13: \"noon\" is not a time such as 2026-12-01T02:00, 2026-12-01T02:00:00Z or +2h]");
        assertThat(JobFileReader.read("a.yaml", "{notbefore: +99999999d" + task, now)
                        .isOk())
                .isFalse();
    }

    private static @Nullable Instant notBefore(String file, Instant now) {
        return JobFileReader.read("a.yaml", file, now)
                .value()
                .applications()
                .get(0)
                .start()
                .notBefore();
    }

    @Test
    void afterOfApplication_wrong_isRefusedWithPosition() {
        String task = ", tasks: [{id: t, command: x, duration: 1s}]}";

        assertThat(JobFileReader.read("a.yaml", "{after: {night: failed}" + task, Instant.EPOCH)
                        .value()
                        .applications()
                        .get(0)
                        .start()
                        .after())
                .containsExactly(Map.entry("night", ApplicationCondition.FAILED));
        assertThat(JobFileReader.read("a.yaml", "{after: night" + task, Instant.EPOCH)
                        .problems()
                        .toString())
                .contains("a.yaml:1:9: after must be a map from application ids or names");
        assertThat(JobFileReader.read("a.yaml", "{after: {night: over}" + task, Instant.EPOCH)
                        .isOk())
                .isFalse();
        assertThat(JobFileReader.readWorkload("a.yaml", "{after: {night: ended}" + task)
                        .isOk())
                .isFalse();
    }

    @Test
    void application_withoutId_isNumberedByNameOrFile() {
        String task = "tasks: [{id: t, command: x}]";

        assertThat(JobFileReader.read("d/night.yaml", "{" + task + "}", Instant.EPOCH)
                        .value()
                        .applications())
                .allMatch(each -> each.numbered() && each.name().equals("night"));
        assertThat(JobFileReader.read("a.yaml", "{name: day, " + task + "}", Instant.EPOCH)
                        .value()
                        .applications())
                .allMatch(each -> each.numbered() && each.name().equals("day"));
        assertThat(JobFileReader.read(
                                "a.yaml",
                                "applications: [{name: day, " + task + "}, {name: day, " + task + "}, {id: d, " + task
                                        + "}]",
                                Instant.EPOCH)
                        .value()
                        .applications())
                .extracting(each -> each.name() + " " + each.numbered())
                .containsExactly("day true", "day true", "d false");
    }

    @Test
    void hold_inRunOrSimulation_isAProblem() {
        String file = "hold: true\ntasks: [{id: t, command: x, duration: 1s}]\n";

        assertThat(JobFileReader.read("a.yaml", file, Instant.EPOCH).problems())
                .hasToString("[a.yaml:1:7: nothing can release a held application here: remove hold]");
        assertThat(JobFileReader.readWorkload("a.yaml", file).isOk()).isFalse();
    }

    @Test
    void jobs_ofApplications_areRead() {
        JobFile jobs = read("""
                applications:
                  - id: build
                    queue: root.default
                    onfailure: stop
                    tasks:
                      - {id: compile, command: [make, "-j", 4], env: {CC: gcc, N: 3}, directory: src}
                      - {id: test, count: 3, command: "make test | tee log", after: {compile: succeeded}, resources: {vcore: 1}}
                """).value();
        assertThat(jobs.at()).isEqualTo(NOW);
        ApplicationEntry build = jobs.applications().get(0);
        assertThat(build.submitted()).isEqualTo(NOW);
        TaskCommand compile = build.tasks().get(0).spec().command();
        assertThat(compile).isNotNull();
        assertThat(compile.words()).containsExactly("make", "-j", "4");
        assertThat(compile.shell()).isFalse();
        assertThat(compile.environment()).containsEntry("N", "3");
        assertThat(compile.directory()).isEqualTo("src");
        TaskCommand test = build.tasks().get(1).spec().command();
        assertThat(test).isNotNull();
        assertThat(test.words()).containsExactly("make test | tee log");
        assertThat(test.shell()).isTrue();
    }

    private static TaskCommand command(String keys, SubmissionOrigin origin) {
        TaskCommand command = JobFileReader.read("j", "tasks: [{id: a, " + keys + "}]", NOW, null, origin)
                .value()
                .applications()
                .get(0)
                .tasks()
                .get(0)
                .spec()
                .command();
        return Objects.requireNonNull(command);
    }

    @Test
    void command_withPlaceAndShell_isRead() {
        TaskCommand command = command("command: x, stdin: in, umask: 027", SubmissionOrigin.UNKNOWN);

        assertThat(command.stdin()).isEqualTo("in");
        assertThat(command.umask()).isEqualTo(027);
        assertThat(command("command: x", SubmissionOrigin.UNKNOWN).umask()).isEqualTo(TaskCommand.UMASK_INHERITED);
        assertThat(command("command: x y, shell: bash", SubmissionOrigin.UNKNOWN))
                .isEqualTo(new TaskCommand(List.of("bash", "-c", "x y"), false, new TreeMap<>(), null));
        assertThat(command("command: x y, shell: [bash, -e, -c]", SubmissionOrigin.UNKNOWN)
                        .words())
                .containsExactly("bash", "-e", "-c", "x y");
    }

    @Test
    void command_ofKnownOrigin_runsThereWithItsVariables() {
        SubmissionOrigin origin = new SubmissionOrigin("/home/ada", new TreeMap<>(Map.of("A", "1", "B", "2")));

        assertThat(command("command: x", origin).directory()).isEqualTo("/home/ada");
        assertThat(command("command: x", origin).environment()).hasToString("{A=1, B=2}");
        assertThat(command("command: x, directory: ../bob", origin).directory()).isEqualTo("/home/bob");
        assertThat(command("command: x, directory: /tmp", origin).directory()).isEqualTo("/tmp");
        assertThat(command("command: x, env: {B: 3, C: 4}", origin).environment())
                .hasToString("{A=1, B=3, C=4}");
    }

    private static SubmissionOrigin withSecrets(Map<String, String> secrets) {
        return new SubmissionOrigin(
                null,
                new TreeMap<>(Map.of("A", "1")),
                new TreeMap<>(secrets),
                (name, value) -> name + ":" + value.length());
    }

    @Test
    void secrets_ofTaskAndOrigin_areEncrypted() {
        SubmissionOrigin origin = withSecrets(Map.of("A", "hunter2", "B", "hunter2"));

        assertThat(command("command: x", origin).secrets()).hasToString("{A=A:7, B=B:7}");
        assertThat(command("command: x, secrets: {B: 3, C: 44, A: ''}", origin).secrets())
                .hasToString("{A=A:7, B=B:1, C=C:2}");
        assertThat(command("command: x, secrets: {B: 3, C: }", SubmissionOrigin.UNKNOWN)
                        .secrets())
                .hasToString("{B=, C=}");
        assertThat(origin.toString()).doesNotContain("hunter2");
    }

    @Test
    void secrets_invalid_areReportedWithoutValue() {
        check(
                "tasks: [{id: a, command: x, secrets: {a-b: hunter2}}]",
                "j:1:39: \"a-b\" is not a valid name of a secret: write letters, digits and _, and no digit first");
        check(
                "tasks: [{id: a, command: x, env: {A: 1}, secrets: {A: hunter2}}]",
                "j:1:34: A is in env and in secrets: remove one");
        check("tasks: [{id: a, command: x, secrets: {A: [hunter2]}}]", "j:1:42: expected text, found a list");
        check("tasks: [{id: a, command: x, secrets: hunter2}]", "j:1:38: expected a map of variables, found text");
        check(
                "tasks: [{id: a, command: x, secrets: {A: \"hunter2\\0\"}}]",
                "j:1:42: a secret must not contain the" + " character U+0000");
        assertThat(JobFileReader.read(
                                "j", "tasks: [{id: a, command: x, secrets: {A: }}]", NOW, null, withSecrets(Map.of()))
                        .report())
                .isEqualTo("j:1:41: secret A has no value: write one, or pass it with --secret A");
        SubmissionOrigin unusable = SubmissionOrigin.UNKNOWN.withEncryption((name, value) -> {
            throw new IllegalStateException("no key");
        });
        assertThat(JobFileReader.read("j", "tasks: [{id: a, command: x, secrets: {A: 1}}]", NOW, null, unusable)
                        .report())
                .isEqualTo("j:1:42: no key");
    }

    @Test
    void keysOfCommand_invalid_areReported() {
        check(
                "tasks: [{id: a, command: x, umask: 8}]",
                "j:1:36: \"8\" is not a umask of three octal digits, such as 027");
        check(
                "tasks: [{id: a, command: x, umask: 1777}]",
                "j:1:36: \"1777\" is not a umask of three octal digits, such as 027");
        check(
                "tasks: [{id: a, command: x, shell: []}]",
                "j:1:36: this shell is empty: write a program such as bash, or [bash, -e, -c]");
        check(
                "tasks: [{id: a, command: [x], shell: bash}]",
                "j:1:38: shell has no effect on a command that is a list: remove shell, or write a line");
    }

    @Test
    void jobs_ofTasksOnly_areApplicationNamedAfterFile() {
        JobFile jobs = read("tasks:\n- {id: a, command: echo a}\n").value();
        assertThat(jobs.applications()).singleElement().satisfies(application -> {
            assertThat(application.id()).isEqualTo("night build");
            assertThat(application.sealed()).isTrue();
            assertThat(application.tasks()).hasSize(1);
        });
        assertThat(read("id: mine\nuser: me\ntasks: [{id: a, command: echo}]\n")
                        .value()
                        .applications()
                        .get(0))
                .satisfies(application -> {
                    assertThat(application.id()).isEqualTo("mine");
                    assertThat(application.user()).isEqualTo("me");
                });
    }

    @Test
    void command_invalid_isReported() {
        check("tasks: [{id: a}]", "j:1:9: a task of a job needs a command: " + CURE);
        check("tasks: [{id: a, command: }]", "j:1:25: a task of a job needs a command: " + CURE);
        check("tasks: [{id: a, command: ''}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: '  '}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: ['', x]}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: [null]}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: \"a\\0b\"}]", "j:1:26: a command must not contain the character U+0000");
        check("tasks: [{id: a, command: []}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: {x: y}}]", "j:1:26: this command is empty: " + CURE);
        check("tasks: [{id: a, command: [x, [y]]}]", "j:1:30: expected text, found a list");
        check("tasks: [{id: a, command: x, env: {A=B: c}}]", "j:1:35: \"A=B\" is not a valid name of a variable");
        check("tasks: [{command: x}]", "j:1:9: a task needs an id");
    }

    @Test
    void application_atTheTop_hasNameTagAndBasis() {
        ApplicationEntry application = read("name: nightly\ntag: v1\nbasis: main\ntasks: [{id: a, command: echo}]\n")
                .value()
                .applications()
                .get(0);

        assertThat(application.spec().name()).isEqualTo("nightly");
        assertThat(application.spec().tag()).isEqualTo("v1");
        assertThat(application.spec().basis()).isEqualTo("main");
    }

    @Test
    void nameTagOrBasis_invalid_isReported() {
        String characters = " must have 1 to 256 characters and no control characters, not \"\"";
        check("name: ''\ntasks: [{id: a, command: x}]", "j:1:7: a name" + characters);
        check("tag: ''\ntasks: [{id: a, command: x}]", "j:1:6: a tag" + characters);
        check("tag: v1\nbasis: ''\ntasks: [{id: a, command: x}]", "j:2:8: a basis" + characters);
        check("basis: main\ntasks: [{id: a, command: x}]", "j:1:8: a basis needs a tag: add tag:");
        check("basis: main\ntag:\ntasks: [{id: a, command: x}]", "j:1:8: a basis needs a tag: add tag:");
    }

    @Test
    void state_ofJob_isRejected() {
        check("tasks: [{id: a, command: x, state: running}]", "j:1:36: all tasks of a job are pending: remove state");
        check(
                "applications: [{id: a, state: Running, tasks: [{id: a, command: x}]}]",
                "j:1:31: a job is a new application: remove state");
        assertThat(read("tasks: [{id: a, command: x, state: pending}]").isOk()).isTrue();
    }

    @Test
    void file_withNothingToRun_isRejected() {
        check("seed: 1", "j:1:1: nothing to run: add tasks: with a list of tasks with commands");
        check("applications: []", "j:1:15: nothing to run: this list is empty");
        check(
                "tasks: [{id: a, command: x}]\napplications: []",
                "j:1:8: tasks and applications cannot be combined: move the tasks into an application");
        check(
                "user: me\napplications: [{id: a, tasks: [{id: a, command: x}]}]",
                "j:1:7: user belongs to an application: move it there");
        check("applications: [{tasks: [{id: a, command: x}]}]", "j:1:16: an application needs an id or a name");
    }

    @Test
    void nodes_ofJobFile_areKept() {
        ParseResult<JobFile> reading = JobFileReader.read(
                "j", "nodes: [{name: n, capacity: {slots: 2}}]\ntasks: [{id: a, command: x, requirednode: n}]", NOW);
        assertThat(reading.value().nodes()).extracting(NodeEntry::name).containsExactly("n");
        assertThat(reading.warnings()).isEmpty();
    }

    @Test
    void queues_ofJobFile_setPastUsage() {
        ParseResult<JobFile> reading = JobFileReader.read(
                "j",
                "seed: 7\nqueues: [{path: root.default, usagepriority: 3.5, overthresholdsince: 2020-01-01T00:00:00Z,"
                        + " overmaximumsince: 2020-01-01T00:00:00Z, quotas: {max: {vcore: 1}}}]\n"
                        + "tasks: [{id: a, command: x}]",
                NOW);
        assertThat(reading.value().seed()).isEqualTo(7);
        assertThat(reading.value().queues())
                .containsExactly(new QueueEntry("default", "root.default", 3.5, null, null, null));
        assertThat(reading.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "j:2:46: usagepriority has no effect: the parent queue does not have share policy usage",
                        "j:2:71: overthresholdsince has no effect here: it is for snapshots",
                        "j:2:111: overmaximumsince has no effect here: it is for snapshots",
                        "j:2:141: quotas has no effect here: it is for snapshots");
        check(
                "queues: [{path: root.defalt, usagepriority: -1}]\ntasks: [{id: a, command: x}]",
                "j:1:17: unknown queue \"root.defalt\": did you mean \"root.default\"?",
                "j:1:45: a usage priority must be 0 or more, not -1.0");
    }

    @Test
    void node_ofJobFile_hasStateWithoutSince() {
        ParseResult<JobFile> reading = JobFileReader.read(
                "j",
                "nodes: [{name: n, capacity: {}, state: flaky, since: 2020-01-01T00:00:00Z}]\n"
                        + "tasks: [{id: a, command: x}]",
                NOW);
        assertThat(reading.value().nodes().get(0).health()).isEqualTo(NodeHealth.FLAKY);
        assertThat(reading.value().nodes().get(0).since()).isNull();
        assertThat(reading.warnings())
                .extracting(Problem::toString)
                .containsExactly("j:1:54: since has no effect here: it is for snapshots");
    }

    @Test
    void requiredNode_notInFile_isRejected() {
        check(
                "nodes: [{name: big, capacity: {slots: 2}}]\ntasks: [{id: a, command: x, requirednode: bgi}]",
                "j:2:43: unknown node \"bgi\" in partition default: did you mean \"big\"?");
        assertThat(read("tasks: [{id: a, command: x, requirednode: anything}]").isOk())
                .isTrue();
    }

    @Test
    void tasks_alone_causeNoWarning() {
        assertThat(read("tasks: [{id: a, command: x}]").warnings()).isEmpty();
    }

    @Test
    void partitions_given_replaceThoseOfFile() {
        PartitionConfiguration other =
                PartitionConfiguration.of("default", QueueConfiguration.parent("root", QueueConfiguration.leaf("x")));
        String text = "partitions: nonsense\nqueue: root.x\ntasks: [{id: a, command: x}]";
        assertThat(JobFileReader.read("j", text, NOW, List.of(other), SubmissionOrigin.UNKNOWN)
                        .value()
                        .partitions())
                .containsExactly(other);
    }

    @Test
    void partitions_ofJobFile_checkQueues() {
        check(
                "partitions: [{queues: [{name: a}]}]\napplications: [{id: x, queue: root.b, tasks: [{id: t, command: x}]}]",
                "j:2:31: unknown queue \"root.b\": did you mean \"root.a\"?");
    }
}
