package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Quotas of queues that a placement rule created, which override those of their template. */
@ExtendWith(SchedulerExtension.class)
class DynamicQueueQuotaTest {

    private static final Resources CORE = Resources.parse("vcore", "1");
    private static final QueueConfiguration LEAF = QueueConfiguration.leaf("fixed");

    private static void start(ClusterUnderTest cluster) {
        configure(cluster, null);
        cluster.node("n", "vcore", "10");
    }

    private static void configure(ClusterUnderTest cluster, @Nullable ChildTemplate template) {
        QueueConfiguration root = QueueConfiguration.parent("root", LEAF);
        QueueConfiguration withTemplate = new QueueConfiguration(
                "root",
                true,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS,
                "",
                "",
                List.of(),
                template,
                root.children());
        cluster.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", withTemplate)
                .withPlacementRules(List.of(
                        new PlacementRule(PlacementRule.Kind.TAG, "namespace", true, null, RuleFilter.EVERYBODY),
                        new PlacementRule(PlacementRule.Kind.PROVIDED, "", false, null, RuleFilter.EVERYBODY))))));
    }

    private static void submit(ClusterUnderTest cluster, String id, String namespace, int tasks) {
        cluster.handle(new Command.SubmitApplication(
                "default",
                ApplicationSpec.open(id, null)
                        .withTags(Map.of("namespace", namespace))
                        .withTasks(List.of(TaskSpec.of("t", tasks, CORE)))));
    }

    private static Command.SetQueueQuotas max(String application, @Nullable String cores) {
        return new Command.SetQueueQuotas(
                "default", application, null, cores == null ? null : Resources.parse("vcore", cores), 0);
    }

    @Test
    void max_limitsTheQueue_andIsTheReasonToWait(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 5);
        cluster.handle(max("app", "2"));
        assertThat(cluster.cycle()).hasSize(2);
        assertThat(new Explainer(cluster.partition()).explain(cluster.application("app")))
                .extracting(PendingSummary::reason)
                .containsExactly(new WaitReason.Quota("root.a", "vcore", new Amount(1000), false));
        assertThat(cluster.queue("root.a").configuration().max()).hasToString("vcore 2");
    }

    @Test
    void raisedMax_startsWhatWaited(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 5);
        cluster.handle(max("app", "2")).cycle();
        cluster.handle(max("app", "4"));
        assertThat(cluster.cycle()).hasSize(2);
    }

    @Test
    void maxApplications_limitTheQueue(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "first", "a", 1);
        submit(cluster, "second", "a", 1);
        cluster.handle(new Command.SetQueueQuotas("default", "second", null, null, 1));
        assertThat(cluster.cycle()).containsExactly("first/t-0 -> n");
    }

    @Test
    void guaranteed_goesFirst(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "other", "a", 10);
        submit(cluster, "app", "b", 10);
        cluster.handle(new Command.SetQueueQuotas("default", "app", Resources.parse("vcore", "100"), null, 0));
        List<String> ofApp = new ArrayList<>(cluster.cycle());
        ofApp.removeIf(each -> each.startsWith("other"));
        assertThat(ofApp).hasSizeGreaterThan(8);
    }

    @Test
    void whatIsNotGiven_isAsInTheTemplate(ClusterUnderTest cluster) {
        start(cluster);
        configure(
                cluster,
                new ChildTemplate(
                        3, Resources.parse("vcore", "1"), Resources.parse("vcore", "9"), QueueProperties.DEFAULTS));
        submit(cluster, "app", "a", 1);
        cluster.handle(max("app", "2"));
        QueueConfiguration limited = cluster.queue("root.a").configuration();
        assertThat(limited.max()).hasToString("vcore 2");
        assertThat(limited.guaranteed()).hasToString("vcore 1");
        assertThat(limited.maxApplications()).isEqualTo(3);
        cluster.handle(max("app", null));
        assertThat(cluster.queue("root.a").configuration().max()).hasToString("vcore 9");
    }

    @Test
    void quotas_surviveAChangeOfTheConfiguration(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 5);
        cluster.handle(max("app", "2"));
        configure(
                cluster, new ChildTemplate(9, Resources.NONE, Resources.parse("vcore", "9"), QueueProperties.DEFAULTS));
        assertThat(cluster.queue("root.a").configuration().max()).hasToString("vcore 2");
    }

    @Test
    void sameQuotas_areNoEvent(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 1);
        assertThat(cluster.scheduler().handle(max("app", "2"), cluster.now()).events())
                .hasSize(1);
        assertThat(cluster.scheduler().handle(max("app", "2"), cluster.now()).events())
                .isEmpty();
    }

    @Test
    void configuredQueue_isUnaffected(ClusterUnderTest cluster) {
        start(cluster);
        cluster.submit("app", "root.fixed", TaskSpec.of("t", 1, CORE)).handle(max("app", "0"));
        assertThat(cluster.queue("root.fixed").configuration()).isEqualTo(LEAF);
        cluster.submit("nowhere", "root.none", TaskSpec.of("t", 1, CORE)).handle(max("nowhere", "0"));
    }

    @Test
    void removedQueue_isUnaffected(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 1);
        cluster.cancel("app").handle(max("app", "0"));
        assertThat(cluster.partition().queues().find("root.a")).isNull();
    }

    @Test
    void badQuotas_areRefused(ClusterUnderTest cluster) {
        start(cluster);
        submit(cluster, "app", "a", 1);
        String[] types = new String[2 * 300];
        for (int i = 0; i < types.length; i += 2) {
            types[i] = "type" + i;
            types[i + 1] = "1";
        }
        assertThat(cluster.refusal(new Command.SetQueueQuotas("default", "app", null, null, -1))
                        .message())
                .isEqualTo("the maximum number of applications must be at least 0, not -1");
        assertThat(cluster.refusal(new Command.SetQueueQuotas("default", "app", Resources.parse(types), null, 0))
                        .message())
                .endsWith("resource types: name fewer in the quotas of queue root.a");
        assertThat(cluster.refusal(max("gone", "1")).message()).startsWith("application gone not found");
    }
}
