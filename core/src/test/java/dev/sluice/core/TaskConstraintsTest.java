package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What Kubernetes documents about pod affinity, topology spread and host ports, case by case.
 *
 * <p>The nodes are a1 and a2 in zone a, b1 in zone b, and x in no zone. A case lists running tasks by node, the
 * constraints of a pending task, and the nodes on which it may start.
 */
@ExtendWith(SchedulerExtension.class)
class TaskConstraintsTest {

    private static final List<String> NODES = List.of("a1", "a2", "b1", "x");

    @Test
    void antiAffinity_ofPendingTask_excludesDomains() {
        check("""
                a1: app=web                 | apart zone app=web        | b1 x
                a1: app=web                 | apart host app=web        | a2 b1 x
                a1: app=web                 | apart zone app=db         | a1 a2 b1 x
                a1: app=web                 | apart zone app!=web       | a1 a2 b1 x
                a1: app=db                  | apart zone app!=web       | b1 x
                a1: none                    | apart zone app!=web       | b1 x
                a1: app=web                 | apart zone app            | b1 x
                a1: none                    | apart zone !app           | b1 x
                a1: app=web                 | apart zone !app           | a1 a2 b1 x
                a1: none                    | apart zone *              | b1 x
                x: app=web                  | apart zone app=web        | a1 a2 b1 x
                x: app=web                  | apart host app=web        | a1 a2 b1
                a1: app=web, b1: app=db     | apart zone app=web & apart zone app=db | x
                """);
    }

    @Test
    void antiAffinity_ofRunningTask_excludesNewcomers() {
        check("""
                a1: apart zone app=web      | app=web                   | b1 x
                a1: apart host app=web      | app=web                   | a2 b1 x
                a1: apart zone app=web      | app=db                    | a1 a2 b1 x
                a1: apart zone app=web      | none                      | a1 a2 b1 x
                a1: apart zone !app         | none                      | b1 x
                a1: apart zone *            | none                      | b1 x
                x: apart zone app=web       | app=web                   | a1 a2 b1 x
                a1: avoids zone app=web     | app=web                   | a1 a2 b1 x
                a1: beside zone app=a & app=a | app=web                 | a1 a2 b1 x
                """);
    }

    /** The first of tasks that require each other may start anywhere in the topology. */
    @Test
    void affinity_required_needsTaskInDomain() {
        check("""
                a1: app=db                  | beside zone app=db        | a1 a2
                a1: app=db                  | beside host app=db        | a1
                a1: app=web                 | beside zone app=db        |
                a1: none                    | beside zone app=db        |
                x: app=db                   | beside zone app=db        |
                x: app=db                   | beside host app=db        | x
                a1: app=db, b1: app=web     | beside zone app=db & beside zone app=web |
                a1: app=db, a2: app=web     | beside zone app=db & beside zone app=web | a1 a2
                a1: app=db, a2: app=web     | beside zone app=db & beside host app=web | a2
                a1: none                    | app=db & beside zone app=db | a1 a2 b1
                a1: none                    | app=db & beside host app=db | a1 a2 b1 x
                b1: app=db                  | app=db & beside zone app=db | b1
                x: app=db                   | app=db & beside zone app=db | a1 a2 b1
                a1: none                    | app=db & beside zone app=db & beside zone app=web |
                a1: app=db                  | app=web & beside zone app=db & apart host app=db | a2
                b1: tier=x                  | app=db & tier=x & beside zone app=db & beside zone tier=x |
                """);
    }

    @Test
    void spread_doNotSchedule_keepsMaxSkew() {
        check("""
                a1: app=w                          | app=w & spread 1 zone app=w       | b1
                a1: app=w, b1: app=w               | app=w & spread 1 zone app=w       | a1 a2 b1
                a1: app=w, a2: app=w, b1: app=w    | app=w & spread 1 zone app=w       | b1
                a1: app=w                          | app=w & spread 2 zone app=w       | a1 a2 b1
                a1: app=w, a2: app=w               | app=w & spread 2 zone app=w       | b1
                a1: app=w                          | app=v & spread 1 zone app=w       | a1 a2 b1
                a1: app=w, a2: app=w               | app=v & spread 1 zone app=w       | b1
                a1: app=v                          | app=w & spread 1 zone app=w       | a1 a2 b1
                x: app=w                           | app=w & spread 1 zone app=w       | a1 a2 b1
                a1: app=w                          | app=w & spread 1 host app=w       | a2 b1 x
                a1: app=w                          | app=w & spread 1 zone app=w & spread 1 host app=w | b1
                a1: app=w, b1: app=w, b1: app=w    | app=w & spread 1 zone app=w & spread 1 host app=w | a2
                x: app=w                           | app=w & spread 1 zone app=w & spread 1 host app=w | a1 a2 b1
                """);
    }

    @Test
    void spread_minDomains_countsMissingOnesAsEmpty() {
        check("""
                a1: app=w, b1: app=w               | app=w & spread 1 zone app=w min 2 | a1 a2 b1
                a1: app=w, b1: app=w               | app=w & spread 1 zone app=w min 3 |
                a1: none                           | app=w & spread 1 zone app=w min 3 | a1 a2 b1
                a1: app=w, b1: app=w               | app=w & spread 2 zone app=w min 3 | a1 a2 b1
                """);
    }

    /** Only nodes on which the task may run count, unless the policies say otherwise. */
    @Test
    void spread_policies_chooseNodesThatCount() {
        check("""
                a1: app=w                          | app=w & in a & spread 1 zone app=w               | a1 a2
                a1: app=w                          | app=w & in a & spread 1 zone app=w all           |
                a1: app=w                          | app=w & spread 1 host app=w & in a               | a2
                u: app=w                           | app=w & spread 1 rack app=w                      |
                u: app=w                           | app=w & spread 1 rack app=w untainted            | u
                u: app=w                           | app=w & tolerates & spread 1 rack app=w untainted | t
                a1: app=w                          | app=w & even 1 zone app=w                        | a1 a2 b1 x
                """);
    }

    /** A node counts if it is in all topologies: u is in a rack, but in no zone. */
    @Test
    void spread_ofSeveralTopologies_countsNodesInAllOfThem(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("p", Map.of("zone", "a", "rack", "u"), "vcore", "8")
                .node("u", Map.of("rack", "u"), "vcore", "8")
                .node("z", Map.of("zone", "b", "rack", "v"), "vcore", "8")
                .submit(
                        "r",
                        null,
                        task("r", "app=w").withConstraints(Map.of(), "u").withConstraints(constraints("app=w")));
        cluster.cycle();
        cluster.submit("s", null, task("s", "app=w & spread 1 rack app=w & spread 1 zone app=w"));

        assertThat(cluster.cycle()).containsExactly("s/s -> p");
    }

    /** A zone without a ready node is no domain, whatever runs in the others. */
    @Test
    void spread_domainNotReady_doesNotCount(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "a"), "vcore", "8")
                .node("b", Map.of("zone", "b"), "vcore", "8")
                .offline("b")
                .submit(
                        "w",
                        null,
                        TaskSpec.of("t", 3, Resources.NONE)
                                .withConstraints(constraints("app=w & spread 1 zone app=w")));
        assertThat(cluster.cycle()).hasSize(3);

        cluster.reinstate("b").submit("v", null, task("t", "app=w & spread 1 zone app=w"));
        assertThat(cluster.cycle()).containsExactly("v/t -> b");
    }

    /** The zone with the fewest tasks changes with each of them, and with each that ends. */
    @Test
    void spread_manyTasksInOneCycle_takesTurns(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "a"), "vcore", "8")
                .node("b", Map.of("zone", "b"), "vcore", "2")
                .node("c", Map.of("zone", "c"), "vcore", "4")
                .submit(
                        "w",
                        null,
                        TaskSpec.of("t", 12, Resources.parse("vcore", "1"))
                                .withConstraints(constraints("app=w & spread 1 zone app=w")));
        assertThat(cluster.cycle()).hasSize(2 + 3 + 3);
        String onB = cluster.placed().stream()
                .filter(task -> task.node().name().equals("b"))
                .map(String::valueOf)
                .findFirst()
                .orElseThrow();
        cluster.startAll().succeed(onB);
        assertThat(cluster.cycle()).hasSize(1).allMatch(each -> each.endsWith("-> b"));
    }

    @Test
    void selector_severalConditions_allMustBeMet() {
        LabelSelector selector = LabelSelector.of(Map.of("app", "w", "tier", "x"), List.of());
        assertThat(selector.matches(new TreeMap<>(Map.of("app", "w", "tier", "x"))))
                .isTrue();
        assertThat(selector.matches(new TreeMap<>(Map.of("app", "w")))).isFalse();
        assertThat(selector.matches(new TreeMap<>(Map.of("tier", "x")))).isFalse();
    }

    @Test
    void topologies_required_needLabels() {
        Map<String, Boolean> cases = Map.of(
                "spread 1 zone app=w",
                false,
                "even 1 zone app=w",
                true,
                "beside zone app=w",
                false,
                "apart zone app=w",
                true,
                "spread 1 host app=w",
                true);
        cases.forEach((text, permitted) -> assertThat(
                        constraints(text).permits("n", new TreeMap<>(Map.of("rack", "r")), List.of()))
                .as(text)
                .isEqualTo(permitted));
    }

    @Test
    void ports_ofOneNode_conflictByAddress() {
        check("""
                a1: port 80                 | port 80                   | a2 b1 x
                a1: port 80                 | port 81                   | a1 a2 b1 x
                a1: port 80                 | port 80 UDP               | a1 a2 b1 x
                a1: port 80                 | port 80 TCP 127.0.0.1     | a2 b1 x
                a1: port 80 TCP 127.0.0.1   | port 80                   | a2 b1 x
                a1: port 80 TCP 127.0.0.1   | port 80 TCP 127.0.0.1     | a2 b1 x
                a1: port 80 TCP 127.0.0.1   | port 80 TCP 10.0.0.1      | a1 a2 b1 x
                a1: port 80                 | port 81 & port 80         | a2 b1 x
                a1: port 80                 | none                      | a1 a2 b1 x
                """);
    }

    @Test
    void perNode_countsTasksOfTheSpecification(ClusterUnderTest cluster) {
        TaskSpec tasks = TaskSpec.of("t", 3, Resources.NONE).withConstraints(constraints("pernode 1"));
        cluster.configure(PartitionConfiguration.simplest())
                .nodes("n", 2, "vcore", "8")
                .submit("a", "root.default", tasks)
                .submit("b", "root.default", tasks);
        assertThat(cluster.cycle()).containsExactly("a/t-0 -> n-0", "a/t-1 -> n-1", "b/t-0 -> n-0", "b/t-1 -> n-1");
        cluster.succeed("a/t-1");
        assertThat(cluster.cycle()).containsExactly("a/t-2 -> n-1");
    }

    /** The rank of a node: the weights that it meets, then by how much it would exceed spreads. */
    @Test
    void preferences_ofPendingTask_orderNodes() {
        preferred("""
                b1: app=db                  | prefers zone app=db                       | b1
                b1: app=db, b1: app=db      | prefers zone app=db                       | b1
                a1: app=db, b1: app=web     | prefers zone app=db 2 & prefers zone app=web 3 | b1
                a1: app=db, b1: app=web     | prefers zone app=db 3 & prefers zone app=web 2 | a2
                a1: app=db, a1: app=db, b1: app=web | prefers zone app=db 2 & prefers zone app=web 3 | b1
                a1: app=db                  | avoids zone app=db                        | b1
                a1: app=db, b1: app=db      | avoids zone app=db                        | u
                a1: app=db                  | avoids host app=db                        | a2
                a1: app=w                   | app=w & even 1 zone app=w                 | b1
                a1: app=w                   | app=w & even 2 zone app=w                 | a2
                a1: app=w                   | app=w & even 3 zone app=w                 | a2
                a1: app=w, a2: app=w, b1: app=w, b1: app=w, b1: app=w | app=w & even 1 zone app=w | a1
                a1: app=w                   | app=w & even 1 zone app=w & prefers host app=w | a1
                """);
    }

    @Test
    void affinity_metDuringCycle_isNoticed(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("n", "vcore", "8")
                .submit("a", "root.default", task("t", "beside host app=db"))
                .submit("b", "root.default", task("t", "app=db"))
                .submit("c", "root.default", task("t", "beside host app=db"));
        assertThat(cluster.cycle()).containsExactly("b/t -> n", "c/t -> n");
        assertThat(cluster.cycle()).containsExactly("a/t -> n");
    }

    @Test
    void spread_metDuringCycle_isNoticed(ClusterUnderTest cluster) {
        TaskSpec even = task("t", "app=w & in a & spread 1 zone app=w all");
        cluster.configure(PartitionConfiguration.simplest())
                .node("a", Map.of("zone", "a"), "vcore", "8")
                .node("b", Map.of("zone", "b"), "vcore", "8")
                .submit("r", null, task("t", "app=w & in a"))
                .cycle();
        cluster.submit("s", null, even)
                .submit("t", null, task("t", "app=w & in b"))
                .submit("u", null, even);

        assertThat(cluster.cycle()).containsExactly("t/t -> b", "u/t -> a");
    }

    @Test
    void antiAffinity_ended_isNotCountedAnyMore(ClusterUnderTest cluster) {
        cluster.configure(PartitionConfiguration.simplest())
                .node("n", "vcore", "8")
                .submit("a", "root.default", task("t", "app=web & apart host app=web"))
                .submit("b", "root.default", task("t", "app=web"));
        assertThat(cluster.cycle()).containsExactly("a/t -> n");
        assertThat(cluster.cycle()).isEmpty();
        cluster.succeed("a/t");
        assertThat(cluster.cycle()).containsExactly("b/t -> n");
    }

    private static void check(String table) {
        table.lines().forEach(line -> {
            String[] row = row(line);
            List<String> nodes = new ArrayList<>();
            for (String node : row[0].startsWith("u:") ? List.of("t", "u") : NODES) {
                ClusterUnderTest cluster = cluster(row[0]);
                cluster.submit(
                        "p",
                        "root.default",
                        TaskSpec.single("p", Resources.NONE)
                                .withConstraints(Map.of(), node)
                                .withConstraints(constraints(row[1])));
                nodes.addAll(cluster.cycle().isEmpty() ? List.of() : List.of(node));
            }
            assertThat(String.join(" ", nodes)).as(line).isEqualTo(row[2]);
        });
    }

    private static void preferred(String table) {
        table.lines().forEach(line -> {
            String[] row = row(line);
            ClusterUnderTest cluster = cluster(row[0]);
            cluster.submit("p", "root.default", task("p", row[1]));
            assertThat(cluster.cycle()).as(line).containsExactly("p/p -> " + row[2]);
        });
    }

    private static String[] row(String line) {
        String[] row = Stream.of(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        assertThat(row).as(line).hasSize(3);
        return row;
    }

    /** Two more nodes are in racks, of which t is tainted. */
    private static ClusterUnderTest cluster(String running) {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler())
                .configure(PartitionConfiguration.simplest())
                .node("a1", Map.of("zone", "a"), "vcore", "8")
                .node("a2", Map.of("zone", "a"), "vcore", "8")
                .node("b1", Map.of("zone", "b"), "vcore", "8")
                .node("x", "vcore", "8")
                .node("t", Map.of("rack", "t"), "vcore", "8")
                .node("u", Map.of("rack", "u"), "vcore", "8")
                .taint("t", new Taint("gpu", "", TaintEffect.NO_SCHEDULE));
        int number = 0;
        for (String each : running.split(",")) {
            String[] parts = each.strip().split(":", 2);
            TaskSpec task = TaskSpec.single("r", Resources.NONE)
                    .withConstraints(Map.of(), parts[0])
                    .withConstraints(constraints(parts[1]));
            cluster.submit("r" + number++, "root.default", task);
            assertThat(cluster.cycle()).as(running).hasSize(1);
        }
        return cluster;
    }

    private static TaskSpec task(String name, String constraints) {
        return TaskSpec.single(name, Resources.NONE).withConstraints(constraints(constraints));
    }

    /** Reads parts separated by ampersands, each a word, a topology, a selector and more. */
    private static Constraints constraints(String text) {
        Map<String, String> labels = new TreeMap<>();
        Map<String, String> nodeSelector = new TreeMap<>();
        List<TaskTerm> beside = new ArrayList<>();
        List<TaskTerm> apart = new ArrayList<>();
        List<TaskPreference> prefers = new ArrayList<>();
        List<TaskPreference> avoids = new ArrayList<>();
        List<TopologySpread> spread = new ArrayList<>();
        List<HostPort> ports = new ArrayList<>();
        int perNode = 0;
        List<Toleration> tolerations = new ArrayList<>();
        for (String part : text.strip().split(" *& *")) {
            String[] words = part.strip().split(" ");
            switch (words[0]) {
                case "none" -> {}
                case "tolerates" -> tolerations.add(new Toleration(null, Toleration.Operator.EXISTS, "", null, null));
                case "in" -> nodeSelector.put("zone", words[1]);
                case "beside" -> beside.add(term(words));
                case "apart" -> apart.add(term(words));
                case "prefers" -> prefers.add(new TaskPreference(weight(words), term(words)));
                case "avoids" -> avoids.add(new TaskPreference(weight(words), term(words)));
                case "spread", "even" -> spread.add(spread(words));
                case "port" -> ports.add(port(words));
                case "pernode" -> perNode = Integer.parseInt(words[1]);
                default -> labels.put(part.split("=")[0], part.split("=")[1]);
            }
        }
        return Constraints.ofSelector(nodeSelector)
                .withTolerations(tolerations)
                .withTasks(new TaskConstraints(
                        new TreeMap<>(labels),
                        new TaskAffinity(beside, prefers),
                        new TaskAffinity(apart, avoids),
                        spread,
                        ports,
                        perNode));
    }

    private static int weight(String[] words) {
        return words.length > 3 ? Integer.parseInt(words[3]) : 1;
    }

    private static TaskTerm term(String[] words) {
        return new TaskTerm(selector(words[2]), topology(words[1]));
    }

    private static String topology(String word) {
        return word.equals("host") ? Topology.HOST : word;
    }

    private static TopologySpread spread(String[] words) {
        List<String> more = List.of(words).subList(4, words.length);
        return new TopologySpread(
                Integer.parseInt(words[1]),
                topology(words[2]),
                words[0].equals("spread"),
                selector(words[3]),
                more.contains("min") ? Integer.parseInt(more.get(1)) : 1,
                !more.contains("all"),
                more.contains("untainted"));
    }

    private static HostPort port(String[] words) {
        return new HostPort(
                Integer.parseInt(words[1]),
                words.length > 2 ? HostPort.Protocol.valueOf(words[2]) : HostPort.Protocol.TCP,
                words.length > 3 ? words[3] : HostPort.ANY_IP);
    }

    private static LabelSelector selector(String text) {
        if (text.equals("*")) {
            return new LabelSelector(List.of());
        }
        NodeSelectorRequirement requirement;
        if (text.contains("!=")) {
            String[] parts = text.split("!=");
            requirement = new NodeSelectorRequirement(parts[0], Operator.NOT_IN, List.of(parts[1]));
        } else if (text.contains("=")) {
            String[] parts = text.split("=");
            requirement = NodeSelectorRequirement.label(parts[0], parts[1]);
        } else if (text.startsWith("!")) {
            requirement = new NodeSelectorRequirement(text.substring(1), Operator.DOES_NOT_EXIST, List.of());
        } else {
            requirement = new NodeSelectorRequirement(text, Operator.EXISTS, List.of());
        }
        return new LabelSelector(List.of(requirement));
    }
}
