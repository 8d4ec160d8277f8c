package dev.sluice.benchmarks.rivals;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.ahs.RMApplicationHistoryWriter;
import org.apache.hadoop.yarn.server.resourcemanager.metrics.NoOpSystemMetricPublisher;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.ContainerAllocationExpirer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.AllocationTagsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.MemoryPlacementConstraintManager;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;

/**
 * The minimal context of YARN's scheduler: events for other parts of the resource manager are discarded, and nothing is
 * stored or published.
 */
final class YarnContext {

    private YarnContext() {}

    /** Creates a context without applications and nodes. */
    static RMContextImpl of(Configuration configuration) {
        Dispatcher nowhere = new Nowhere();
        RMContextImpl context = new RMContextImpl(
                nowhere,
                new ContainerAllocationExpirer(nowhere),
                null,
                null,
                null,
                null,
                new RMContainerTokenSecretManager(configuration),
                new NMTokenSecretManagerInRM(configuration),
                null);
        context.setYarnConfiguration(configuration);
        context.setConfigurationProvider(new LocalConfigurationProvider());
        context.setRMApplicationHistoryWriter(new RMApplicationHistoryWriter());
        context.setSystemMetricsPublisher(new NoOpSystemMetricPublisher());
        RMNodeLabelsManager labels = new RMNodeLabelsManager();
        labels.setRMContext(context);
        labels.init(configuration);
        context.setNodeLabelManager(labels);
        context.setAllocationTagsManager(new AllocationTagsManager(context));
        context.setPlacementConstraintManager(new MemoryPlacementConstraintManager());
        return context;
    }

    /** Registers an application whose master is already running. */
    static void add(RMContextImpl context, ApplicationAttemptId attempt, String queue, String user) {
        ApplicationSubmissionContext submission = ApplicationSubmissionContext.newInstance(
                attempt.getApplicationId(), "", queue, null, null, true, false, 1, null, "");
        RMAppAttempt running = Stubs.of(
                RMAppAttempt.class,
                Map.of(
                        "getAppAttemptId",
                        attempt,
                        "getMasterContainer",
                        Container.newInstance(null, null, null, null, null, null),
                        "getSubmissionContext",
                        submission,
                        "getRMAppAttemptMetrics",
                        new RMAppAttemptMetrics(attempt, context)));
        context.getRMApps()
                .put(
                        attempt.getApplicationId(),
                        Stubs.of(
                                RMApp.class,
                                Map.of(
                                        "getApplicationId",
                                        attempt.getApplicationId(),
                                        "getCurrentAppAttempt",
                                        running,
                                        "getApplicationSubmissionContext",
                                        submission,
                                        "getApplicationSchedulingEnvs",
                                        Map.of(),
                                        "getQueue",
                                        queue,
                                        "getUser",
                                        user)));
    }

    private static final class Nowhere implements Dispatcher {
        @Override
        @SuppressWarnings("rawtypes") // as declared by YARN
        public EventHandler<Event> getEventHandler() {
            return event -> {};
        }

        @Override
        @SuppressWarnings("rawtypes") // as declared by YARN
        public void register(Class<? extends Enum> type, EventHandler handler) {}
    }
}
