package dev.sluice.config.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationReaderTest {

    private static ParseResult<NotificationFile> read(String text) {
        return NotificationReader.read("n", text);
    }

    @Test
    void file_withEveryKey_isRead() {
        NotificationFile file = read("""
                targets:
                  - name: chat
                    webhook:
                      url: https://hooks.example.com/sluice
                      secret: {env: HOOK_SECRET}
                      authorization: {file: /run/token}
                    on: [application-failed, queue-threshold]
                    queues: [root.Web]
                    users: [ada]
                    applications: ["nightly-*"]
                    timeout: 30s
                    giveup: 2h
                    concurrency: 4
                  - {name: secret, webhook: {url: {env: HOOK_URL}}}
                  - {name: line, command: page --team web}
                  - {name: words, command: [page, --team, web]}
                thresholds:
                  - {queue: root.Web, pending: 1000, for: 10m}
                  - {queue: root, partition: gpu, used: 90}
                """).value();

        assertThat(file.targets().get(0))
                .isEqualTo(new NotificationTarget(
                        "chat",
                        new Webhook(
                                "https://hooks.example.com/sluice",
                                null,
                                new SecretSource(null, "HOOK_SECRET"),
                                new SecretSource("/run/token", null)),
                        List.of(),
                        java.util.Set.of(NotificationKind.APPLICATION_FAILED, NotificationKind.QUEUE_THRESHOLD),
                        new NotificationFilter(List.of("root.web"), List.of("ada"), List.of("nightly-*")),
                        Duration.ofSeconds(30),
                        Duration.ofHours(2),
                        4));
        assertThat(file.targets().get(1).webhook())
                .isEqualTo(new Webhook(null, new SecretSource(null, "HOOK_URL"), null, null));
        assertThat(file.targets().get(1).kinds()).containsExactlyInAnyOrder(NotificationKind.values());
        assertThat(file.targets().get(2).command()).containsExactly("/bin/sh", "-c", "page --team web");
        assertThat(file.targets().get(3).command()).containsExactly("page", "--team", "web");
        assertThat(file.thresholds())
                .containsExactly(
                        new QueueThreshold("default", "root.web", 1000L, null, Duration.ofMinutes(10)),
                        new QueueThreshold("gpu", "root", null, 90, Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                              | 1:1: no targets: add targets: with a list
            targets: []                                     | 1:10: 1 to 32 targets are required, not 0
            targets: [{command: x}]                         | 1:11: a target needs a name: add name:
            targets: [{name: a}]                            | 1:11: a target needs a webhook or a command: add webhook: {url: …} or command:
            targets: [{name: a, command: x, webhook: {url: "http://h"}}] | 1:11: a target has either a webhook or a command: make two targets of it
            targets: [{name: a, webhook: {}}]               | 1:30: a webhook needs an address: add url:
            targets: [{name: a, webhook: {url: ftp://h}}]   | 1:36: "ftp://h" is not an http or https address without user information, such as https://hooks.example.com/sluice
            targets: [{name: a, webhook: {url: "http://u:p@h"}}] | 1:36: "http://u:p@h" is not an http or https address without user information, such as https://hooks.example.com/sluice
            targets: [{name: a, webhook: {url: "http://h", secret: abc}}] | 1:56: secrets do not belong in this file: write {file: PATH} or {env: NAME}
            targets: [{name: a, webhook: {url: "http://h", secret: {file: f, env: e}}}] | 1:56: a secret is read from a file or a variable: write {file: PATH} or {env: NAME}
            targets: [{name: a, command: []}]               | 1:30: this command is empty: write a program and its arguments
            targets: [{name: a, command: x, on: []}]        | 1:37: at least one notification is required, such as application-failed; without on, it is everything
            targets: [{name: a, command: x, on: [task-faild]}] | 1:38: unknown notification "task-faild": did you mean "task-failed"?
            targets: [{name: a, command: x, on: [task-failed, task-failed]}] | 1:51: duplicate notification task-failed: remove one of them
            targets: [{name: a, command: x, queues: []}]    | 1:41: an empty list matches nothing: remove queues or add one
            targets: [{name: a, command: x, timeout: 11m}]  | 1:42: the timeout must be from 1ms to 10m
            targets: [{name: a, command: x, concurrency: 17}] | 1:46: 17 is out of range: must be a whole number from 1 to 16
            targets: [{name: a, command: x}, {name: a, command: y}] | 1:41: duplicate target "a": first in line 1; rename one of them
            targets: [{name: a, comand: x}]                 | 1:21: unknown key "comand" of a target: did you mean "command"? (see docs/reference/notifications.md)
            """)
    void target_invalid_isReported(String text, String problem) {
        assertThat(read(text).report().lines()).contains("n:" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {pending: 1}                                | 2:15: a threshold needs a queue: add queue:
            {queue: root}                               | 2:15: a threshold has either pending or used: write one of them
            {queue: root, pending: 1, used: 1}          | 2:15: a threshold has either pending or used: write one of them
            {queue: root, used: 100}                    | 2:35: 100 is out of range: must be a whole number from 0 to 99
            {queue: root, pending: 1, for: 10}          | 2:46: "10" has no unit: write 10s for seconds or 10m for minutes
            """)
    void threshold_invalid_isReported(String threshold, String problem) {
        assertThat(read("targets: [{name: a, command: x}]\nthresholds: [ " + threshold + "]")
                        .report()
                        .lines())
                .contains("n:" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            targets: [{name: a, command: x, on: [queue-threshold]}] | queue-threshold has no effect: the file has no thresholds; add thresholds:
            {targets: [{name: a, command: x, on: [task-failed]}], thresholds: [{queue: root, used: 1}]} | thresholds have no effect: no target is notified on queue-threshold; add it to a target
            {targets: [{name: a, command: x, on: [queue-threshold], users: [u]}], thresholds: [{queue: root, used: 1}]} | users has no effect on queue-threshold: remove it
            """)
    void setting_withoutEffect_isAWarning(String text, String warning) {
        assertThat(read(text).warnings()).extracting(Problem::message).containsExactly(warning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            root     | *        | *         | root.a | ada | etl       | true
            root.a   | *        | *         | root.a | ada | etl       | true
            root.a   | *        | *         | root.ab | ada | etl      | false
            root     | ada      | *         | root.a | bob | etl       | false
            root     | a*a      | *         | root.a | ada | etl       | true
            root     | *        | nightly-* | root.a | ada | nightly-7 | true
            root     | *        | nightly-* | root.a | ada | weekly    | false
            root     | *        | *-*-x     | root.a | ada | a-b-c-x   | true
            root     | *        | *-*-x     | root.a | ada | a-x       | false
            """)
    void filter_ofAnApplication_matches(
            String queues, String users, String names, String queue, String user, String name, boolean matches) {
        NotificationFilter filter = new NotificationFilter(List.of(queues), List.of(users), List.of(names));

        assertThat(filter.matches(NotificationKind.TASK_FAILED, queue, user, name))
                .isEqualTo(matches);
    }

    @Test
    void filter_ofUsersAndNames_doesNotApplyToThresholds() {
        NotificationFilter filter = new NotificationFilter(List.of("root.a"), List.of("ada"), List.of("etl"));

        assertThat(filter.matches(NotificationKind.QUEUE_THRESHOLD, "root.a", "", ""))
                .isTrue();
        assertThat(filter.matches(NotificationKind.QUEUE_THRESHOLD, "root.b", "", ""))
                .isFalse();
    }
}
