package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.PartitionEvent;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Entitlements of load classes, from events of queues and nodes. */
final class LoadClassTreeTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final LoadClassTree tree = new LoadClassTree();

    private void update(Event event) {
        assertThat(tree.update(event)).isTrue();
    }

    private void node(String name, String... capacity) {
        update(new NodeEvent.Registered("p", name, Resources.parse(capacity), new TreeMap<>(), NOW));
    }

    private static QueueConfiguration load(QueueConfiguration queue) {
        return queue.withProperties(QueueProperties.DEFAULTS.withSharePolicy(SharePolicyKind.LOAD));
    }

    private static QueueConfiguration percent(String name, int percent) {
        return QueueConfiguration.leaf(name)
                .withProperties(QueueProperties.DEFAULTS.withLoad(LoadProperties.ofClass(percent)));
    }

    private void configure(QueueConfiguration root) {
        update(new PartitionEvent.Configured(PartitionConfiguration.of("p", root), NOW));
    }

    private void created(String path) {
        update(new PartitionEvent.QueueCreated("p", path, NOW));
    }

    private List<String> entitlements() {
        return tree.entitlements().stream()
                .map(each -> each.path() + " " + each.percent() + " % " + each.workers())
                .toList();
    }

    // root (load)
    //  ├─ a 50 %
    //  └─ b 50 %
    @Test
    void workers_areSlotsOrCoresOfReadyNodes() {
        configure(load(QueueConfiguration.parent("root", percent("a", 50), percent("b", 50))));
        node("slots", "slots", "4", "vcore", "1");
        node("cores", "vcore", "2500m");
        node("small", "memory", "1Gi");
        assertEachHas(3, "rounded up for a, down for b", 4);

        update(new NodeEvent.TakenOffline("p", "slots", NOW));
        assertEachHas(1, "offline", 2);
        update(new NodeEvent.HealthChanged("p", "slots", NodeHealth.READY, NodeHealth.SUSPENDED, null, NOW));
        update(new NodeEvent.Reinstated("p", "slots", NOW));
        assertEachHas(1, "suspended", 2);
        update(new NodeEvent.Updated("p", "slots", Resources.parse("slots", "7"), new TreeMap<>(), NOW));
        update(new NodeEvent.HealthChanged("p", "slots", NodeHealth.SUSPENDED, NodeHealth.READY, null, NOW));
        assertEachHas(5, "ready with more slots", 5);
        update(new NodeEvent.Removed("p", "slots", NOW));
        assertEachHas(1, "removed", 2);
    }

    private void assertEachHas(int least, String why, int most) {
        assertThat(tree.entitlements())
                .extracting(LoadClassTree.Entitlement::workers)
                .as(why)
                .containsExactly(most, least);
    }

    // root
    //  └─ teams (load; template of 30 %)
    //      └─ a 70 %
    @Test
    void queues_createdByRules_areClassesUntilRemoved() {
        ChildTemplate template = new ChildTemplate(
                0, Resources.NONE, Resources.NONE, percent("any", 30).properties());
        QueueConfiguration teams = new QueueConfiguration(
                "teams",
                true,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS.withSharePolicy(SharePolicyKind.LOAD),
                "",
                "",
                List.of(),
                template,
                List.of(percent("a", 70)));
        configure(QueueConfiguration.parent("root", teams));
        node("n", "slots", "10");
        assertThat(entitlements()).containsExactly("root.teams.a 100 % 10");

        created("root.teams.b");
        created("root.other.c");
        assertThat(entitlements()).containsExactly("root.teams.a 70 % 7", "root.teams.b 30 % 3");

        configure(QueueConfiguration.parent("root", teams));
        assertThat(entitlements()).as("reconfigured").hasSize(2);

        update(new PartitionEvent.QueueRemoved("p", "root.teams.b", NOW));
        update(new PartitionEvent.QueueRemoved("p", "root.never.there", NOW));
        assertThat(entitlements()).containsExactly("root.teams.a 100 % 10");
        configure(QueueConfiguration.parent("root", teams));
        assertThat(entitlements()).as("reconfigured").hasSize(1);
    }

    @Test
    void otherEvents_changeNothing() {
        assertThat(tree.update(new PartitionEvent.Throttled("p", 3, NOW))).isFalse();
    }

    @Test
    void originQueues_leadToRoot() {
        assertThat(new ApplicationOrigin("root.a.b", "u", NOW).queues()).containsExactly("root.a.b", "root.a", "root");
        assertThat(ApplicationOrigin.UNKNOWN.queues()).isEmpty();
    }
}
