package dev.sluice.config.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class QueueConfigurationReaderTest {

    /** Returns a configuration with these queues below root, from line 3 on, indented by four. */
    private static String below(String queues) {
        return "partitions:\n- queues:\n" + queues.indent(2).stripTrailing() + "\n";
    }

    private static String lines(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }

    private static void check(String text, String... expected) {
        assertThat(QueueConfigurationReader.read("q", text).report()).isEqualTo(String.join("\n", expected));
    }

    private static void checkWarnings(String text, String... expected) {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("q", text);
        assertThat(reading.report()).isEmpty();
        assertThat(lines(reading.warnings())).isEqualTo(String.join("\n", expected));
    }

    private static QueueConfiguration root(String text) {
        return QueueConfigurationReader.read("q", text).value().get(0).root();
    }

    @Test
    void file_ofEverything_isRead() {
        PartitionConfiguration partition =
                QueueConfigurationReader.read("q", """
                partitions:
                  - name: gpu
                    nodesortpolicy: {type: binpacking, resourceweights: {vcore: 2, memory: 0.5}}
                    preemption: {enabled: no}
                    placementrules:
                      - {name: Fixed, value: Root.Land, filter: {type: Deny, users: ["land.*"]}}
                      - {name: tag, value: Namespace, create: true, parent: {name: user, create: true}}
                    queues:
                      - name: Root
                        submitacl: "*"
                        properties:
                          queue.share.policy: load
                          task.timeout: 12h
                          admission.maxusers: 20
                          admission.maxapplicationsperuser: "5"
                          load.rebalance.threshold: 20
                          load.rebalance.minimumduration: 1m30s
                        queues:
                          - name: Land
                            resources: {guaranteed: {vcore: 500m}, max: {memory: 2Gi, nvidia.com/gpu: 4}}
                            maxapplications: 7
                            properties: {load.percent: "60", application.sort.policy: fewestrunning, priority.offset: -5}
                            limits:
                              - {limit: all, users: [alice, "*"], maxresources: {memory: 1Gi}}
                          - name: rest
                            parent: true
                            properties:
                              load.percent: 40
                              queue.share.policy: usage
                              usage.priority.halftime: 1h
                              usage.probabilistic.all: true
                              application.sort.priority: Disabled
                              preemption.policy: fence
                              application.unschedasks.backoff: "5"
                            childtemplate:
                              maxapplications: 3
                              resources: {max: {vcore: 1}}
                              properties: {usage.priority.factor: 2.5}
                """).value().get(0);
        assertThat(partition.name()).isEqualTo("gpu");
        assertThat(partition.preemption()).isFalse();
        assertThat(partition.resourceWeights()).containsEntry("vcore", 2.0).containsEntry("memory", 0.5);
        PlacementRule fixed = partition.placementRules().get(0);
        assertThat(fixed.value()).isEqualTo("root.land");
        assertThat(fixed.filter().allow()).isFalse();
        assertThat(partition.placementRules().get(1).parent()).isNotNull();
        QueueConfiguration root = partition.root();
        assertThat(root.name()).isEqualTo("root");
        assertThat(root.properties().sharePolicy()).isEqualTo(SharePolicyKind.LOAD);
        assertThat(root.properties().load().rebalanceMinimumDuration()).isEqualTo(Duration.ofSeconds(90));
        assertThat(root.properties().admission()).isEqualTo(new AdmissionLimits(20, 5));
        assertThat(root.properties().taskTimeout()).isEqualTo(Duration.ofHours(12));
        QueueConfiguration land = root.children().get(0);
        assertThat(land.name()).isEqualTo("land");
        assertThat(land.max()).isEqualTo(Resources.parse("memory", "2Gi", "nvidia.com/gpu", "4"));
        assertThat(land.maxApplications()).isEqualTo(7);
        assertThat(land.properties().applicationSortPolicy()).isEqualTo(ApplicationSortPolicy.FEWEST_RUNNING);
        assertThat(land.properties().priorityOffset()).isEqualTo(-5);
        assertThat(land.properties().taskTimeout()).isNull();
        assertThat(land.properties().load().percent()).isEqualTo(60);
        assertThat(land.limits())
                .singleElement()
                .satisfies(l -> assertThat(l.users()).containsExactly("alice", "*"));
        QueueConfiguration rest = root.children().get(1);
        assertThat(rest.properties().applicationSortPriority()).isFalse();
        assertThat(rest.childTemplate()).isNotNull();
        assertThat(rest.parent()).isTrue();
    }

    @Test
    void root_missing_isInserted() {
        assertThat(root(below("- name: a\n- name: b\n")).children())
                .extracting(QueueConfiguration::name)
                .containsExactly("a", "b");
        assertThat(root(below("- name: a\n")).children()).hasSize(1);
        assertThat(root(below("- name: root\n- name: b\n")).children())
                .extracting(QueueConfiguration::name)
                .containsExactly("root", "b");
        assertThat(root("partitions: [{queues: []}]").children()).isEmpty();
    }

    @Test
    void document_ofWrongType_isReported() {
        check(
                "- a\n",
                "q:1:1: expected a queue configuration, found a list: write a map with keys such as partitions and checksum");
        check("{}\n", "q:1:1: no partitions: add partitions: with a list");
        check("partitions: []\n", "q:1:13: at least one partition is required");
        check("partitions: {a: 1}\n", "q:1:13: expected a list of partitions, found a map");
        check(
                "partitions:\n- 5\n",
                "q:2:3: expected a partition, found a number: write a map with keys such as name, queues and placementrules");
        check("partitions:\n- name: a\n", "q:2:3: no queues: add queues: with a list");
        check("partitions:\n- name: [a]\n  queues: []\n", "q:2:9: expected text, found a list");
    }

    @Test
    void problems_several_areReportedInOrder() {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("queues.yaml", """
                partitions:
                  - name: default
                    nodesortpolicy: {type: fairr}
                    queues:
                      - name: root
                        queues:
                          - name: a
                            resources: {max: {vcore: lots, memory: 1Gb}}
                            properties: {application.sort.policy: fifoo, load.percnt: 3}
                            maxapps: 3
                          - name: b.c
                """);
        assertThat(reading.report()).isEqualTo("""
                queues.yaml:3:28: unknown node sort policy "fairr": did you mean "fair"?
                queues.yaml:8:38: "lots" is not a quantity: write a number with an optional unit, such as 2, 0.5 or 500m
                queues.yaml:8:52: "1Gb" has the unknown unit "Gb": known units are k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei
                queues.yaml:9:51: unknown sort policy "fifoo": did you mean "fifo"?
                queues.yaml:9:58: unknown property "load.percnt": did you mean "load.percent"? (see docs/reference/queues.md)
                queues.yaml:10:13: unknown key "maxapps" of a queue: expected one of name, parent, resources, maxapplications, properties, adminacl, submitacl, childtemplate, queues and limits (see docs/reference/queues.md)
                queues.yaml:11:19: the name of a queue must consist of letters, digits and - _ : # / @, not "b.c"; nest queues instead of writing a dot""");
        assertThat(reading.problems())
                .extracting(Problem::path)
                .containsExactly(
                        "partitions[0].nodesortpolicy.type",
                        "partitions[0].queues[0].queues[0].resources.max.vcore",
                        "partitions[0].queues[0].queues[0].resources.max.memory",
                        "partitions[0].queues[0].queues[0].properties.application.sort.policy",
                        "partitions[0].queues[0].queues[0].properties.load.percnt",
                        "partitions[0].queues[0].queues[0].maxapps",
                        "partitions[0].queues[0].queues[1].name");
    }

    @Test
    void key_inOtherCase_isSuggested() {
        check(
                below("- name: a\n  maxApplications: 3\n"),
                "q:4:5: unknown key \"maxApplications\" of a queue: did you mean \"maxapplications\"? (see docs/reference/queues.md)");
        check(
                "partitions:\n- node_sort_policy: {}\n  queues: []\n",
                "q:2:3: unknown key \"node_sort_policy\" of a partition: did you mean \"nodesortpolicy\"? (see docs/reference/queues.md)");
    }

    @Test
    void name_invalid_isReported() {
        check(below("- parent: true\n"), "q:3:5: a queue needs a name");
        check(below("- name: ''\n"), "q:3:11: a queue needs a name");
        check(
                below("- name: a b\n"),
                "q:3:11: the name of a queue must consist of letters, digits and - _ : # / @, not \"a b\"");
        check(below("- name: {}\n"), "q:3:11: expected text, found a map");
        check(
                below("- name: a\n- name: A\n"),
                "q:4:11: duplicate queue name \"a\" below root: the first is in line 3; names ignore upper and lower case");
        check(
                "partitions:\n- queues: []\n- name: Default\n  queues: []\n",
                "q:3:9: duplicate partition name \"default\": the first is in line 2");
    }

    @Test
    void quota_inconsistent_isReported() {
        check(
                below("- name: a\n  resources: {guaranteed: {vcore: 3}, max: {vcore: 2}}\n"),
                "q:4:37: guaranteed vcore 3 is greater than the max of this queue, 2");
        check(
                below(
                        "- name: a\n  resources: {max: {memory: 1Gi}}\n  queues:\n  - name: b\n    queues:\n    - name: c\n      resources: {max: {memory: 2Gi, vcore: 5}}\n"),
                "q:9:35: max memory 2Gi is greater than the max of root.a.b, 1Gi");
        check(
                below(
                        "- name: a\n  resources: {guaranteed: {vcore: 3}}\n  queues:\n  - {name: b, resources: {guaranteed: {vcore: 2}}}\n  - {name: c, resources: {guaranteed: {vcore: 1500m}}}\n"),
                "q:4:37: the sum of guaranteed resources below root.a, vcore 3500m, is greater than its own, 3");
        check(
                below(
                        "- name: a\n  resources: {max: {vcore: 3}}\n  queues:\n  - {name: b, resources: {guaranteed: {vcore: 2}}}\n  - {name: c, resources: {guaranteed: {vcore: 1500m}}}\n"),
                "q:4:30: the sum of guaranteed resources below root.a, vcore 3500m, is greater than its max, 3");
        check(
                below("- name: root\n  resources: {max: {vcore: 1}}\n"),
                "q:4:22: the root queue cannot have max resources: it has the capacity of the nodes");
    }

    @Test
    void maxApplications_inconsistent_isReported() {
        check(
                below(
                        "- name: a\n  maxapplications: 5\n  queues:\n  - {name: b, maxapplications: 6}\n  - {name: c, maxapplications: 0}\n  - {name: d}\n"),
                "q:6:34: maxapplications 6 is greater than that of root.a, 5",
                "q:7:34: maxapplications is missing below a queue with a limit: root.a has 5, so root.a.c must have from 1 to 5",
                "q:8:7: maxapplications is missing below a queue with a limit: root.a has 5, so root.a.d must have from 1 to 5");
        check(below("- {name: a, maxapplications: -1}"), "q:3:32: -1 is negative: must be 0 or more");
        check(
                below("- {name: a, maxapplications: '1'}"),
                "q:3:32: \"1\" is text, not a whole number: remove the quotes");
        check(below("- {name: a, maxapplications: 1.5}"), "q:3:32: \"1.5\" is not a whole number");
    }

    @Test
    void property_ofPartition_isRejectedBelowRoot() {
        String cure = " applies to a whole partition: move it to the properties of the root queue";
        check(below("- name: a\n  properties: {admission.maxusers: 3}"), "q:4:18: admission.maxusers" + cure);
        check(
                below(
                        "- name: a\n  parent: true\n  childtemplate: {properties: {admission.maxapplicationsperuser: 3}}"),
                "q:5:34: admission.maxapplicationsperuser" + cure);
        String root = "partitions:\n- queues:\n  - name: root\n    properties: {%s}\n    queues: [{name: a}]\n";
        check(root.formatted("admission.maxusers: -1"), "q:4:38: -1 is negative: must be 0 or more");
        check(root.formatted("admission.maxapplicationsperuser: 1.5"), "q:4:52: \"1.5\" is not a whole number");
    }

    @Test
    void property_invalid_isReported() {
        String queue = "- name: a\n  properties:\n    ";
        check(
                below(queue + "queue.share.policy: fairness"),
                "q:5:27: unknown share policy \"fairness\": expected one of fair, load and usage");
        check(below(queue + "load.percent: 12.5"), "q:5:21: \"12.5\" is not a whole number");
        check(below(queue + "load.percent: -1"), "q:5:21: -1 is negative: must be 0 or more");
        check(
                below(queue + "usage.priority.halftime: 0s"),
                "q:5:32: usage.priority.halftime must be greater than 0, such as 30s");
        check(below(queue + "task.timeout: 0s"), "q:5:21: task.timeout must be greater than 0, such as 30s");
        check(
                below(queue + "task.timeout: 30"),
                "q:5:21: \"30\" has no unit: write 30s for seconds or 30m for minutes");
        check(
                below(queue + "usage.priority.factor: 0"),
                "q:5:30: usage.priority.factor must be greater than 0, not 0.0");
        check(below(queue + "usage.priority.factor: .inf"), "q:5:30: \".inf\" is not a finite decimal number");
        check(
                below(queue + "usage.priority.factor: -1"),
                "q:5:30: usage.priority.factor must be greater than 0, not -1.0");
        check(
                below(queue + "usage.draws.max: 0"),
                "q:5:24: 0 is out of range: must be a whole number from 1 to 9223372036854775807");
        check(below(queue + "usage.draws.max: 1.5"), "q:5:24: \"1.5\" is not a whole number");
        check(
                below(queue + "usage.probabilistic.all: maybe"),
                "q:5:32: unknown value \"maybe\": expected one of true and false");
        check(
                below(queue + "application.sort.priority: on"),
                "q:5:34: unknown value of application.sort.priority \"on\": expected one of disabled and enabled");
        check(
                below(queue + "priority.offset: 3000000000"),
                "q:5:24: 3000000000 is out of range: must be a whole number from -2147483648 to 2147483647");
        check(
                below(queue + "priority.policy: fenced"),
                "q:5:24: unknown value of priority.policy \"fenced\": did you mean \"fence\"?");
        check(
                below(queue + "preemption.delay: 5"),
                "q:5:25: \"5\" has no unit: write 5s for seconds or 5m for minutes");
        check(below(queue + "preemption.delay: 0s"), "q:5:25: preemption.delay must be greater than 0, such as 30s");
        check(
                below(queue + "load.rebalance.minimumduration: 5 min"),
                "q:5:39: \"5 min\" is not a duration such as 90s, 1h30m or 2d");
        check(
                below(queue + "load.rebalance.minimumduration: 0s"),
                "q:5:39: load.rebalance.minimumduration must be greater than 0, such as 30s");
        check(below(queue + "queue.share.policy:"), "q:5:26: value missing: write one of fair, load and usage");
    }

    @Test
    void share_misleading_warns() {
        checkWarnings(
                below(
                        "- name: root\n  properties: {queue.share.policy: load}\n  queues:\n  - {name: a, properties: {load.percent: 30}}\n  - {name: b, properties: {load.percent: 60}}\n"),
                "q:6:5: the load percentages below root add up to 90, not to 100: they are scaled");
        checkWarnings(
                below("- {name: a, properties: {load.percent: 30}}\n"),
                "q:3:42: load.percent has no effect: the parent queue does not have share policy load");
        checkWarnings(
                below(
                        "- name: root\n  properties: {queue.share.policy: load}\n  queues:\n  - {name: a, properties: {load.percent: 100}}\n  - {name: b}\n"),
                "q:7:14: root.b has no load.percent, so its entitlement is 0 % and it gets no workers");
        checkWarnings(
                below("- {name: a, properties: {queue.share.policy: usage}}\n"),
                "q:3:48: queue.share.policy has no effect: no child queues below root.a");
        String reason = " has no effect: this queue does not have share policy usage";
        checkWarnings(
                below("""
                        - name: root
                          properties:
                            usage.priority.halftime: 1h
                            usage.probabilistic.all: true
                            usage.draws.max: 9
                            usage.priority.factor: 2
                        """),
                "q:5:32: usage.priority.halftime" + reason,
                "q:6:32: usage.probabilistic.all" + reason,
                "q:7:24: usage.draws.max" + reason,
                "q:8:30: usage.priority.factor has no effect: the parent queue does not have share policy usage");
    }

    @Test
    void limit_invalid_isReported() {
        String queue = "- name: a\n  resources: {max: {vcore: 4}}\n  maxapplications: 9\n  limits:\n  - ";
        check(
                below(queue + "{users: [alice]}"),
                "q:7:7: a limit needs maxresources or a maxapplications greater than 0");
        check(
                below(queue + "{maxapplications: 1}"),
                "q:7:7: a limit needs users or groups: add users: or groups: with a list of names");
        check(
                below(queue + "{users: [9lives], maxapplications: 1}"),
                "q:7:16: \"9lives\" is not the name of a user: it must start with a letter or _, followed by letters, digits and : # / _ . @ -");
        check(
                below(queue + "{users: ['*', bob], maxapplications: 1}"),
                "q:7:21: the user \"bob\" comes after *, which means all: move * to the end");
        check(
                below(queue + "{groups: ['*'], maxapplications: 1}"),
                "q:7:16: a limit for all groups (*) needs an earlier limit of a named group: alone it is the same as the max of the queue");
        check(
                below(queue + "{users: [bob], maxapplications: 10}"),
                "q:7:39: the limit of 10 applications is greater than that of root.a, 9");
        check(
                below(queue + "{users: [bob], maxresources: {vcore: 5}}"),
                "q:7:44: the limit of vcore 5 is greater than the max of root.a, 4");
        check(below(queue + "{users: [bob], maxresources: {vcore: 0}}"), "q:7:36: a limit must be greater than 0");
        check(
                "partitions:\n- queues: []\n  limits:\n  - {users: [a, a], maxapplications: 1}\n",
                "q:4:17: the user \"a\" already has a limit in this list");
    }

    @Test
    void partitionLimits_onlyThere_areThoseOfRoot() {
        String limits = "  limits:\n  - {users: [bob], maxapplications: 2}\n";
        List<Limit> expected = List.of(new Limit("", List.of("bob"), List.of(), Resources.NONE, 2));
        for (String queues : List.of("- queues: [{name: a}]\n", "- queues: [{name: root, queues: [{name: a}]}]\n")) {
            ParseResult<List<PartitionConfiguration>> reading =
                    QueueConfigurationReader.read("q", "partitions:\n" + queues + limits);
            assertThat(reading.report()).isEmpty();
            assertThat(reading.warnings()).isEmpty();
            assertThat(reading.value().get(0).root().limits()).isEqualTo(expected);
            String written = QueueConfigurationWriter.yaml(reading.value());
            assertThat(QueueConfigurationReader.read("w", written).value()).isEqualTo(reading.value());
        }
    }

    @Test
    void partitionLimits_differFromRoot_isReported() {
        String file = """
                partitions:
                - queues:
                  - name: root
                    limits: [{limit: mine, users: [bob], maxapplications: %d}]
                  limits:
                  - {users: [bob], maxapplications: 2}
                """;
        check(
                file.formatted(3),
                "q:6:3: the limits of the partition differ from those of its root queue, which apply to the same: remove one of the two lists");
        checkWarnings(file.formatted(2));
    }

    @Test
    void partitionLimits_lowerThanThoseOfQueue_isReported() {
        check(
                "partitions:\n- queues:\n  - {name: a, limits: [{users: [bob], maxapplications: 3}]}\n  limits:\n  - {users: [bob], maxapplications: 2}\n",
                "q:3:56: the limit of user bob is 2 applications in root, so maxapplications must be from 1 to 2");
    }

    @Test
    void limit_greaterThanParentLimit_isReported() {
        check(
                below(
                        "- name: a\n  limits: [{users: [bob], maxresources: {vcore: 2}, maxapplications: 3}]\n  queues:\n  - name: b\n    queues:\n    - name: c\n      limits: [{users: [bob], maxresources: {vcore: 3}}]\n"),
                "q:9:18: the limit of user bob is 3 applications in root.a, so maxapplications must be from 1 to 3",
                "q:9:55: the limit of user bob, vcore 3, is greater than that in root.a, 2");
    }

    @Test
    void acl_ofThreeParts_isRejected() {
        check(
                below("- {name: a, adminacl: ' a  b c'}"),
                "q:3:25: more than one space in \" a  b c\": write users, one space and groups, with commas between names, such as \"alice,bob dev,ops\"");
    }

    private static String rules(String rules) {
        return "partitions:\n- queues: [{name: leaf}, {name: top, queues: [{name: x}]}, {name: flagged, parent: true}]\n  placementrules:\n"
                + rules.indent(2).stripTrailing() + "\n";
    }

    @Test
    void rule_invalid_isReported() {
        check(rules("- {name: providd}"), "q:4:12: unknown placement rule \"providd\": did you mean \"provided\"?");
        check(rules("- {create: true}"), "q:4:5: a placement rule needs a name: provided, user, fixed or tag");
        check(rules("- {name: tag}"), "q:4:5: the rule tag needs a value: the name of a tag");
        check(
                rules("- {name: fixed, value: ''}"),
                "q:4:26: the rule fixed needs a value: the path of a queue, such as root.sandbox");
        check(
                rules("- {name: fixed, value: root..a}"),
                "q:4:26: \"root..a\" is not the path of a queue: its parts must consist of letters, digits and - _ : # / @, separated by dots");
        check(
                rules("- {name: fixed, value: root.leaf, parent: {name: user}}"),
                "q:4:26: a fixed rule with a full path (root.…) cannot have a parent rule: remove root. or parent");
        check(rules("- {name: user, create: maybe}"), "q:4:26: \"maybe\" is neither true nor false");
        check(rules("- {name: user, create: 'true'}"), "q:4:26: \"true\" is neither true nor false: remove the quotes");
        check(
                rules("- {name: user, filter: {type: alow}}"),
                "q:4:33: unknown filter type \"alow\": did you mean \"allow\"?");
        check(
                rules("- {name: user, filter: {users: ['a b']}}"),
                "q:4:35: \"a b\" is neither the name of a user nor a regular expression");
        check(
                rules("- {name: user, filter: {groups: ['(a']}}"),
                "q:4:36: \"(a\" is not a regular expression: Unclosed group");
    }

    @Test
    void rule_yieldingNoQueue_isReported() {
        check(
                rules("- {name: fixed, value: root.nowhere}"),
                "q:4:5: this rule yields root.nowhere, which does not exist: add create: true, or add the queue");
        check(
                rules("- {name: fixed, value: leaf.x, create: true}"),
                "q:4:5: this rule yields root.leaf.x, but no queue can be created below the leaf root.leaf");
        check(
                rules("- {name: user, parent: {name: fixed, value: leaf}}"),
                "q:4:5: this rule yields queues below root.leaf, which is a leaf: add parent: true to it");
        check(
                rules("- {name: fixed, value: flagged}"),
                "q:4:5: this rule yields root.flagged, which is not a leaf: use a queue below it");
        checkWarnings(
                rules("- {name: fixed, value: top}"),
                "q:4:5: this rule yields root.top, which is not a leaf: no application can be placed there");
        checkWarnings(
                rules(
                        "- {name: user, parent: {name: fixed, value: top}}\n- {name: fixed, value: root.leaf}\n- {name: fixed, value: root.new, create: true}"));
        checkWarnings(
                rules("- {name: user, value: x, filter: {users: [a, 'b.*']}}"),
                "q:4:25: value has no effect: the rule user has no value",
                "q:4:48: \"b.*\" is not the name of a user and matches nothing: a regular expression must be the only item of its list");
    }

    @Test
    void problems_overLimit_areCounted() {
        StringBuilder text = new StringBuilder("partitions:\n- queues:\n");
        for (int i = 0; i < 250; i++) {
            text.append("  - {name: a b}\n");
        }
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("q", text.toString());
        assertThat(reading.problems()).hasSize(100);
        assertThat(reading.problems().get(0).line()).isEqualTo(3);
        assertThat(reading.problems().get(99).line()).isEqualTo(53);
        assertThat(reading.problemsLeftOut()).isEqualTo(399);
    }

    @Test
    void cpu_isReadAsVcore() {
        String file = """
                partitions:
                  - name: default
                    nodesortpolicy: {type: fair, resourceweights: {cpu: 2}}
                    queues:
                      - name: a
                        resources: {guaranteed: {cpu: 0.5}, max: {cpu: %s}}
                        limits: [{users: [alice], maxresources: {cpu: 5}, maxapplications: 1}]
                """;
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("q", file.formatted("8"));
        PartitionConfiguration partition = reading.value().get(0);
        assertThat(partition.resourceWeights()).containsOnlyKeys("vcore");
        QueueConfiguration a = partition.root().children().get(0);
        assertThat(a.guaranteed()).isEqualTo(Resources.parse("vcore", "500m"));
        assertThat(QueueConfigurationWriter.yaml(reading.value()))
                .doesNotContain("cpu")
                .contains("vcore: 8");
        check(file.formatted("4"), "q:7:55: the limit of vcore 5 is greater than the max of root.a, 4");
        check(
                file.formatted("4m").replace("cpu: 5", "cpu: 2m"),
                "q:6:39: guaranteed vcore 500m is greater than the max of this queue, 4m");
        check(
                file.formatted("8").replace("cpu: 2}", "cpu: 2, vcore: 1}"),
                "q:3:60: cpu and vcore are the same resource type: remove one of them");
    }
}
