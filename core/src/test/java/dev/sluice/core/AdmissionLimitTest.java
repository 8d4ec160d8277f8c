package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import dev.sluice.core.testing.StateText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Admission limits: maximum numbers of users and of applications per user. */
@ExtendWith(SchedulerExtension.class)
class AdmissionLimitTest {

    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    @Test
    void application_beyondUserLimit_isRefused(ClusterUnderTest cluster) {
        limited(cluster, 0, 2).submit(of("alice", "a1")).submit(of("alice", "a2"));
        String before = StateText.of(cluster.partition());

        Refusal refusal = cluster.refusal(submission(of("alice", "a3")));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.TOO_MUCH);
        assertThat(refusal.message())
                .isEqualTo(
                        "too many unfinished applications of user alice: 2, and admission.maxapplicationsperuser is 2;"
                                + " wait until one ends, or cancel one");
        assertThat(StateText.of(cluster.partition())).isEqualTo(before);
        cluster.submit(of("bob", "b1"));
    }

    @Test
    void application_ofUserBeyondLimit_isRefused(ClusterUnderTest cluster) {
        limited(cluster, 2, 0).submit(of("alice", "a1")).submit(of("bob", "b1"));
        String before = StateText.of(cluster.partition());

        Refusal refusal = cluster.refusal(submission(of("carol", "c1")));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.TOO_MUCH);
        assertThat(refusal.message())
                .isEqualTo("too many users with unfinished applications: 2, and admission.maxusers is 2;"
                        + " wait until all applications of one of them have ended");
        assertThat(StateText.of(cluster.partition())).isEqualTo(before);
        cluster.submit(of("bob", "b2"));
    }

    @Test
    void endedApplication_atLimit_admitsAnother(ClusterUnderTest cluster) {
        limited(cluster, 1, 1).submit(of("alice", "a1")).cycle();
        cluster.cancel("a1");
        assertThat(cluster.state("a1")).isEqualTo(ApplicationState.FAILING);
        assertThat(cluster.refusal(submission(of("alice", "a2"))).code())
                .as("stopping tasks have not ended")
                .isEqualTo(Refusal.Code.TOO_MUCH);
        assertThat(cluster.refusal(submission(of("bob", "b1"))).code()).isEqualTo(Refusal.Code.TOO_MUCH);

        cluster.fail("a1/t").submit(of("bob", "b1"));

        assertThat(cluster.partition().users().applications()).hasToString("{bob=1}");
    }

    @Test
    void rejectedApplication_atLimit_isNotCounted(ClusterUnderTest cluster) {
        limited(cluster, 1, 1).submit("lost", "root.nowhere", TASK);
        assertThat(cluster.state("lost")).isEqualTo(ApplicationState.REJECTED);

        cluster.submit("lost", "root.default", TASK);

        assertThat(cluster.partition().users().applicationsOf(ApplicationSpec.NOBODY))
                .isEqualTo(1);
    }

    @Test
    void adoptedApplications_beyondLimits_areAccepted(ClusterUnderTest cluster) {
        limited(cluster, 1, 1).submit(of("alice", "a1"));

        cluster.handle(new Command.AdoptApplication("default", of("alice", "a2")))
                .handle(new Command.AdoptApplication("default", of("bob", "b1")));

        assertThat(cluster.partition().users().applications()).hasToString("{alice=2, bob=1}");
    }

    @Test
    void limits_loweredBelowCurrent_affectOnlyNewApplications(ClusterUnderTest cluster) {
        limited(cluster, 0, 0).submit(of("alice", "a1")).submit(of("alice", "a2"));

        limited(cluster, 0, 1);

        assertThat(cluster.cycle()).hasSize(2);
        assertThat(cluster.refusal(submission(of("alice", "a3"))).message())
                .contains("user alice: 2,")
                .contains("is 1;");
        cluster.succeed("a1/t");
        assertThat(cluster.refusal(submission(of("alice", "a3"))).message()).contains("user alice: 1,");
        cluster.succeed("a2/t").submit(of("alice", "a3"));
    }

    @Test
    void limits_belowRoot_areRefused(ClusterUnderTest cluster) {
        QueueProperties properties = QueueProperties.DEFAULTS.withAdmission(new AdmissionLimits(1, 0));
        QueueConfiguration leaf =
                QueueConfiguration.of("default", Resources.NONE, Resources.NONE, 0, properties, List.of());
        PartitionConfiguration partition =
                PartitionConfiguration.of("default", QueueConfiguration.parent("root", leaf));

        Refusal refusal = cluster.refusal(new Command.ApplyConfiguration(List.of(partition)));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID);
        assertThat(refusal.message())
                .isEqualTo("queue root.default: admission limits can only be set on the root queue");
    }

    private static ClusterUnderTest limited(ClusterUnderTest cluster, long users, long perUser) {
        cluster.queues(QueueConfiguration.of(
                "root",
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS.withAdmission(new AdmissionLimits(users, perUser)),
                List.of(QueueConfiguration.leaf("default"))));
        if (cluster.partition().node("n") == null) {
            cluster.node("n", "vcore", "8");
        }
        return cluster;
    }

    private static ApplicationSpec of(String user, String id) {
        return ApplicationSpec.sealed(id, null, TASK).withUser(user);
    }

    private static Command submission(ApplicationSpec application) {
        return new Command.SubmitApplication("default", application);
    }
}
