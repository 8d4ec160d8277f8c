package dev.sluice.config.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every property on every kind of queue, compared with the table of scopes. */
class PropertyScopeTest {

    private static final List<String> POLICIES = List.of("fair", "load", "usage");

    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry(QueuePropertyNames.SHARE_POLICY, "fair"),
            Map.entry(QueuePropertyNames.LOAD_PERCENT, "100"),
            Map.entry(QueuePropertyNames.REBALANCE_THRESHOLD, "5"),
            Map.entry(QueuePropertyNames.REBALANCE_DURATION, "4m"),
            Map.entry(QueuePropertyNames.USAGE_HALFTIME, "20m"),
            Map.entry(QueuePropertyNames.USAGE_PROBABILISTIC, "true"),
            Map.entry(QueuePropertyNames.USAGE_DRAWS, "9"),
            Map.entry(QueuePropertyNames.USAGE_FACTOR, "1"),
            Map.entry(QueuePropertyNames.SORT_POLICY, "fair"),
            Map.entry(QueuePropertyNames.SORT_PRIORITY, "enabled"),
            Map.entry(QueuePropertyNames.PRIORITY_OFFSET, "3"),
            Map.entry(QueuePropertyNames.PRIORITY_POLICY, "default"),
            Map.entry(QueuePropertyNames.TASK_TIMEOUT, "1h"),
            Map.entry(QueuePropertyNames.ADMISSION_USERS, "3"),
            Map.entry(QueuePropertyNames.ADMISSION_PER_USER, "3"),
            Map.entry(QueuePropertyNames.PREEMPTION_POLICY, "fence"),
            Map.entry(QueuePropertyNames.PREEMPTION_DELAY, "30s"),
            Map.entry(QueuePropertyNames.PREEMPTION_PRIORITY, "enabled"),
            Map.entry(QueuePropertyNames.PREEMPTION_MINIMUM_RUNTIME, "10m"),
            Map.entry(QueuePropertyNames.RESERVATION_DELAY, "30s"),
            Map.entry(QueuePropertyNames.RESERVATIONS_MAX, "3"),
            Map.entry(QueuePropertyNames.RESERVATIONS_DELAYS_MAX, "5"),
            Map.entry(QueuePropertyNames.QUOTA_PREEMPTION_DELAY, "30s"),
            Map.entry(QueuePropertyNames.BACKOFF, "3"),
            Map.entry(QueuePropertyNames.BACKOFF_DELAY, "30s"));

    /**
     * The share policies of a queue (empty: leaf), of its parent (empty: the queue is root) and of its grandparent.
     */
    private record QueuePosition(String policy, String above, String top) {

        boolean isLeaf() {
            return policy.isEmpty();
        }

        boolean isRoot() {
            return above.isEmpty();
        }

        boolean isTold(PropertyScope scope) {
            return switch (scope) {
                case EVERYWHERE, ROOT -> false;
                case PARENT -> isLeaf();
                case LOAD_PARENT -> !policy.equals("load");
                case USAGE_PARENT -> !policy.equals("usage");
                case LOAD_CHILD -> !above.equals("load");
                case USAGE_CHILD -> !above.equals("usage");
                case COMPARED_BY_PRIORITY -> !above.equals("fair") && !top.equals("fair");
                case QUOTA, NOWHERE -> true;
            };
        }

        /** Returns a configuration with only this property on that queue. */
        String file(String property) {
            String properties = "{"
                    + (isLeaf() || property.equals(QueuePropertyNames.SHARE_POLICY)
                            ? ""
                            : QueuePropertyNames.SHARE_POLICY + ": " + policy + ", ")
                    + property + ": " + VALUES.get(property) + "}";
            String queue = "{name: " + (isRoot() ? "root" : "q") + ", properties: " + properties
                    + (isLeaf() ? "" : ", queues: [{name: x}]") + "}";
            String below = isRoot() ? queue : parent(top.isEmpty() ? "root" : "p", above, queue);
            return "partitions:\n- queues:\n  - " + (top.isEmpty() ? below : parent("root", top, below)) + "\n";
        }

        private static String parent(String name, String policy, String child) {
            return "{name: " + name + ", properties: {" + QueuePropertyNames.SHARE_POLICY + ": " + policy
                    + "}, queues: [" + child + "]}";
        }
    }

    private static List<QueuePosition> places() {
        List<QueuePosition> places = new ArrayList<>();
        for (String policy : List.of("", "fair", "load", "usage")) {
            if (!policy.isEmpty()) {
                places.add(new QueuePosition(policy, "", ""));
            }
            for (String above : POLICIES) {
                places.add(new QueuePosition(policy, above, ""));
                POLICIES.forEach(top -> places.add(new QueuePosition(policy, above, top)));
            }
        }
        return places;
    }

    /** Returns the warnings about this property, without those about others, such as missing percentages. */
    private static List<Problem> warnings(String file, String property) {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("q", file);
        assertThat(reading.report()).as(file).isEmpty();
        return reading.warnings().stream()
                .filter(warning -> warning.message().startsWith(property + " has no effect"))
                .toList();
    }

    @Test
    void scopeTable_hasEveryProperty() {
        assertThat(PropertyScope.TABLE.keySet()).containsExactlyElementsOf(QueuePropertyNames.KEYS.names());
        assertThat(VALUES.keySet()).containsExactlyInAnyOrderElementsOf(QueuePropertyNames.KEYS.names());
        assertThat(Set.copyOf(PropertyScope.TABLE.values()))
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(PropertyScope.values()));
    }

    @Test
    void property_withoutEffect_warnsOnEveryKindOfQueue() {
        PropertyScope.TABLE.forEach((property, scope) -> {
            for (QueuePosition place : places()) {
                boolean settable = scope != PropertyScope.ROOT || place.isRoot();
                boolean changesPolicy = property.equals(QueuePropertyNames.SHARE_POLICY)
                        && !place.policy.equals("fair")
                        && !place.isLeaf();
                if (settable && !changesPolicy) {
                    String file = place.file(property);
                    List<Problem> warnings = warnings(file, property);
                    assertThat(warnings).as(property + " in\n" + file).hasSize(place.isTold(scope) ? 1 : 0);
                    warnings.forEach(warning -> {
                        assertThat(warning.line()).isEqualTo(3);
                        assertThat(file.split("\n", -1)[2].substring(warning.column() - 1))
                                .as("the place of the value")
                                .startsWith(VALUES.get(property));
                    });
                }
            }
        });
    }

    @Test
    void priorityOffset_notCompared_warns() {
        String tree = """
                partitions:
                - queues:
                  - name: root
                    properties: {queue.share.policy: load%s}
                    queues:
                    - name: a
                      properties: {load.percent: 100%s}
                      queues:
                      - {name: b, properties: {priority.offset: 3}}
                """;
        String offset = QueuePropertyNames.PRIORITY_OFFSET;
        assertThat(warnings(tree.formatted("", ""), offset)).isEmpty();
        assertThat(warnings(tree.formatted("", ", application.sort.priority: disabled"), offset))
                .hasSize(1);
        assertThat(warnings(tree.formatted(", application.sort.priority: disabled", ""), offset))
                .hasSize(1);
        String fenced =
                tree.replace("policy: load%s", "policy: fair%s").replace("load.percent: 100", "priority.policy: fence");
        assertThat(warnings(fenced.formatted("", ", application.sort.priority: disabled"), offset))
                .as("the fence hides it")
                .hasSize(1);
    }

    @Test
    void template_withParentProperties_warns() {
        String file = """
                partitions:
                - queues:
                  - name: root
                    properties: {queue.share.policy: %s}
                    queues:
                    - name: users
                      parent: true
                      properties: {queue.share.policy: %s}
                      childtemplate: {properties: {%s}}
                """;
        assertThat(warnings(file.formatted("fair", "usage", "usage.priority.factor: 2"), "usage.priority.factor"))
                .isEmpty();
        assertThat(warnings(file.formatted("usage", "fair", "usage.priority.factor: 2"), "usage.priority.factor"))
                .hasSize(1);
        assertThat(warnings(file.formatted("fair", "load", "load.rebalance.threshold: 2"), "load.rebalance.threshold"))
                .hasSize(1);
        assertThat(warnings(file.formatted("fair", "fair", "quota.preemption.delay: 2s"), "quota.preemption.delay"))
                .hasSize(1);
        assertThat(warnings(file.formatted("fair", "fair", "application.sort.policy: fair"), "application.sort.policy"))
                .isEmpty();
    }

    @Test
    void settings_ofYuniKorn_warnOnceEach() {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("q", """
                partitions:
                  - name: default
                    preemption: {enabled: true, quotapreemptionenabled: true}
                    statedumpfilepath: /tmp/x
                    limits:
                      - {users: [alice], maxapplications: 3}
                      - {users: [bob], maxapplications: 3}
                    queues:
                      - name: root
                        submitacl: "*"
                        queues:
                          - name: a
                            adminacl: alice
                            submitacl: ""
                            limits: [{users: [alice], maxapplications: 2}]
                            properties: {preemption.policy: fence, preemption.delay: 5s, quota.preemption.delay: 5s}
                checksum: abc
                """);
        assertThat(reading.report()).isEmpty();
        assertThat(reading.warnings().stream().map(Problem::toString))
                .containsExactly(
                        "q:4:5: statedumpfilepath has no effect in Sluice",
                        "q:16:98: quota.preemption.delay has no effect: the queue has no maximum resources",
                        "q:17:1: checksum has no effect in Sluice");
    }

    @Test
    void quotaPreemption_withoutSwitchDelayOrMaximum_warns() {
        String file = """
                partitions:
                - preemption: {quotapreemptionenabled: %s}
                  queues:
                  - name: root
                    queues:
                    - {name: a, properties: {%s: %s}, resources: {max: {vcore: 1}}}
                    - name: users
                      parent: true
                      childtemplate: {properties: {%2$s: %3$s}, resources: {max: {vcore: %4$s}}}
                """;
        String delay = QueuePropertyNames.QUOTA_PREEMPTION_DELAY;
        String flag = QuotaPreemptionCheck.SWITCH;
        assertThat(warnings(file.formatted("true", delay, "1m", "1"), delay)).isEmpty();
        assertThat(warnings(file.formatted("true", delay, "1m", "1"), flag)).isEmpty();
        assertThat(warnings(file.formatted("false", delay, "0s", "1"), delay)).isEmpty();
        assertThat(warnings(file.formatted("false", delay, "1m", "1"), delay))
                .extracting(Problem::toString)
                .containsExactly(
                        "q:6:54: " + delay + " has no effect: quotapreemptionenabled of the partition is not true",
                        "q:9:60: " + delay + " has no effect: quotapreemptionenabled of the partition is not true");
        assertThat(warnings(file.formatted("true", delay, "0s", "1"), flag))
                .extracting(Problem::toString)
                .containsExactly("q:2:16: " + flag + " has no effect: no queue has a " + delay + " above 0");
    }

    @Test
    void guaranteed_belowOtherSharePolicy_warns() {
        String file = """
                partitions:
                - queues:
                  - name: root
                    properties: {queue.share.policy: %s}
                    queues:
                    - {name: a, properties: {%s}, resources: {guaranteed: {vcore: 1}}}
                """;
        assertThat(warnings(file.formatted("fair", "task.timeout: 1h"), "guaranteed"))
                .isEmpty();
        assertThat(warnings(file.formatted("load", "load.percent: 100"), "guaranteed"))
                .extracting(Problem::message)
                .containsExactly(
                        "guaranteed has no effect except to protect from preemption: the parent queue does not have share policy fair");
    }

    @Test
    void preemptionOfBeneficiaries_withoutEffect_isWarnedAbout() {
        String file = """
                partitions:
                - preemption: {enabled: %s}
                  queues:
                  - name: root
                    queues:
                    - name: a
                      properties: {application.sort.priority: disabled, preemption.priority: enabled}
                      queues: [{name: x}, {name: y}]
                    - name: b
                      properties: {application.sort.priority: disabled, preemption.priority: enabled}
                      queues: [{name: z, properties: {application.sort.priority: enabled}}]
                    - name: c
                      properties: {preemption.delay: 10s, preemption.priority: enabled}
                """;
        String priority = "preemption.priority has no effect: ";
        String off = "preemption.enabled of the partition is false";
        assertThat(QueueConfigurationReader.read("q", file.formatted("true")).warnings())
                .extracting(Problem::toString)
                .containsExactly("q:7:78: " + priority + "application.sort.priority is disabled");
        assertThat(QueueConfigurationReader.read("q", file.formatted("false")).warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "q:7:78: " + priority + off,
                        "q:10:78: " + priority + off,
                        "q:13:38: preemption.delay has no effect: " + off,
                        "q:13:64: " + priority + off);
    }
}
