package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.state.Application;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Annotations of a namespace are quotas of the queue that a placement rule creates for it ("Resource Quota Management"
 * of YuniKorn's documentation).
 */
final class NamespaceQuotaTest {

    private static final String PREFIX = "yunikorn.apache.org/namespace.";
    private static final String QUOTA = PREFIX + "quota: '{\"cpu\": \"%s\"}'";
    private static final String FIRST = "labels: {applicationId: first}";
    private static final String SECOND = "labels: {applicationId: second}";

    private final Cluster cluster = new Cluster();

    private QueueConfiguration queue(String path) {
        return Objects.requireNonNull(cluster.partition().queues().find(path)).configuration();
    }

    @Test
    void quota_limitsTheNewQueue_beforeTheFirstCycle() {
        cluster.node("n", "8");
        cluster.namespace(
                QUOTA.formatted("2") + ", " + PREFIX + "guaranteed: '{\"cpu\": \"1\"}', " + PREFIX + "maxApps: \"1\"");
        cluster.pod("p", "1", FIRST, "");
        cluster.pod("q", "1", FIRST, "");
        cluster.pod("r", "1", FIRST, "");
        cluster.pod("s", "1", SECOND, "");
        assertThat(cluster.follow())
                .containsExactly(
                        "RegisterNode", "SubmitApplication", "SetQueueQuotas", "SubmitApplication", "SetQueueQuotas");
        cluster.cycle();
        assertThat(cluster.application("first").boundTasks()).isEqualTo(2);
        assertThat(cluster.application("second").boundTasks()).isZero();
        assertThat(queue("root.team-a").max()).hasToString("vcore 2");
        assertThat(queue("root.team-a").guaranteed()).hasToString("vcore 1");
        assertThat(queue("root.team-a").maxApplications()).isOne();
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void changedAnnotation_appliesWithoutANewApplication() {
        cluster.node("n", "8");
        cluster.namespace(QUOTA.formatted("1"));
        cluster.pod("p", "1", FIRST, "");
        cluster.pod("q", "1", FIRST, "");
        cluster.follow();
        cluster.cycle();
        assertThat(cluster.application("first").boundTasks()).isOne();
        cluster.namespace(QUOTA.formatted("2"));
        assertThat(cluster.follow()).containsExactly("SetQueueQuotas");
        cluster.cycle();
        assertThat(cluster.application("first").boundTasks()).isEqualTo(2);
        cluster.namespace(QUOTA.formatted("2"));
        assertThat(cluster.follow()).isEmpty();
    }

    @Test
    void removedAnnotation_removesTheQuota() {
        cluster.namespace(QUOTA.formatted("1"));
        cluster.pod("p", "1", FIRST, "");
        cluster.follow();
        cluster.namespace("");
        assertThat(cluster.follow()).containsExactly("SetQueueQuotas");
        assertThat(queue("root.team-a").max().isEmpty()).isTrue();
    }

    @Test
    void annotationThatChangedDuringARestart_applies() {
        cluster.namespace(QUOTA.formatted("1"));
        cluster.pod("p", "1", FIRST, "");
        cluster.follow();
        cluster.restart();
        cluster.pod("p", "1", FIRST, "");
        cluster.namespace(QUOTA.formatted("3"));
        assertThat(cluster.followAll()).containsExactly("SetQueueQuotas");
        assertThat(queue("root.team-a").max()).hasToString("vcore 3");
        cluster.view.removeNamespace("team-a");
        assertThat(cluster.followAll()).containsExactly("SetQueueQuotas");
        assertThat(queue("root.team-a").max().isEmpty()).isTrue();
    }

    @Test
    void configuredQueue_keepsItsQuotas() {
        cluster.namespace(QUOTA.formatted("1"));
        cluster.pod("p", "1", "labels: {queue: root.a, applicationId: first}", "");
        cluster.follow();
        assertThat(queue("root.a").max().isEmpty()).isTrue();
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void parentQueue_isTheParentOfTheNewQueue() {
        cluster.parentOfNamespaces();
        cluster.namespace(QUOTA.formatted("1") + ", yunikorn.apache.org/parentqueue: root.production");
        cluster.pod("p", "1", FIRST, "");
        cluster.follow();
        Application application = cluster.application("first");
        assertThat(application.queue().path()).isEqualTo("root.production.team-a");
        assertThat(queue("root.production.team-a").max()).hasToString("vcore 1");
    }

    @Test
    void badAnnotation_hasNoEffect() {
        cluster.namespace(PREFIX + "quota: much");
        cluster.pod("p", "1", FIRST, "");
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
    }
}
