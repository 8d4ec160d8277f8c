package dev.sluice.benchmarks.rivals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractCSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/**
 * YARN's CapacityScheduler without a resource manager, with the same queues, applications, nodes and tasks as the
 * Sluice cluster. It schedules when a node reports, so the nodes report round-robin.
 */
final class YarnCluster implements AutoCloseable {

    private static final int QUEUES = 100;
    private static final int APPLICATIONS = 1000;
    private static final int CORES = 100;
    private static final String USER = "user";
    private static final Priority PRIORITY = Priority.newInstance(1);

    private final CapacityScheduler scheduler = new CapacityScheduler();
    private final RMContextImpl context;
    private final List<NodeUpdateSchedulerEvent> heartbeats = new ArrayList<>();
    private final List<ApplicationAttemptId> attempts = new ArrayList<>();
    private int submitted;
    private int pending;

    /** Creates a cluster without applications. */
    YarnCluster(int nodes) {
        CapacitySchedulerConfiguration configuration = configuration();
        context = YarnContext.of(configuration);
        context.setScheduler(scheduler);
        scheduler.setConf(configuration);
        scheduler.setRMContext(context);
        scheduler.init(configuration);
        scheduler.start();
        Resource capacity = Resource.newInstance(CORES * 1024L, CORES);
        for (int i = 0; i < nodes; i++) {
            YarnNode node = new YarnNode(NodeId.newInstance("node-" + i, 1), capacity, context);
            context.getRMNodes().put(node.getNodeID(), node);
            scheduler.handle(new NodeAddedSchedulerEvent(node));
            heartbeats.add(new NodeUpdateSchedulerEvent(node));
        }
    }

    private static CapacitySchedulerConfiguration configuration() {
        CapacitySchedulerConfiguration configuration = new CapacitySchedulerConfiguration();
        configuration.setResourceComparator(DominantResourceCalculator.class);
        configuration.setOffSwitchPerHeartbeatLimit(CORES); // the default is 1; a report then fills a node, as bin packing does
        configuration.setMaximumApplicationMasterResourcePercent(1);
        String[] names = new String[QUEUES];
        for (int i = 0; i < QUEUES; i++) {
            names[i] = "q" + i;
            String path = "root." + names[i];
            configuration.setCapacity(path, 100f / QUEUES);
            configuration.setMaximumCapacity(path, 100);
            configuration.setUserLimitFactor(path, QUEUES);
        }
        configuration.setQueues("root", names);
        return configuration;
    }

    /** Submits the applications, each requesting this many containers of 1 core and 1 GiB on any node. */
    void submit(int containersEach) {
        for (int i = 0; i < APPLICATIONS; i++) {
            ApplicationAttemptId attempt =
                    ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, ++submitted), 1);
            String queue = "q" + i % QUEUES;
            YarnContext.add(context, attempt, queue, USER);
            scheduler.handle(new AppAddedSchedulerEvent(attempt.getApplicationId(), queue, USER));
            scheduler.handle(new AppAttemptAddedSchedulerEvent(attempt, false));
            ResourceRequest request = ResourceRequest.newInstance(
                    PRIORITY, ResourceRequest.ANY, Resource.newInstance(1024, 1), containersEach);
            scheduler.getApplicationAttempt(attempt).updateResourceRequests(List.of(request));
            attempts.add(attempt);
        }
        pending = APPLICATIONS * containersEach;
    }

    /** Lets nodes report round-robin until everything is placed, and returns the number of containers. */
    int place() {
        AbstractCSQueue root = root();
        int reports = 0;
        while (root.getNumContainers() < pending) {
            if (reports == 2 * pending) {
                throw new IllegalStateException(root.getNumContainers() + " of " + pending + " containers placed,"
                        + " no further progress");
            }
            scheduler.handle(heartbeats.get(reports++ % heartbeats.size()));
        }
        return root.getNumContainers();
    }

    /** Ends all applications with their containers. */
    void clear() {
        for (ApplicationAttemptId attempt : attempts) {
            scheduler.handle(new AppAttemptRemovedSchedulerEvent(attempt, RMAppAttemptState.KILLED, false));
            scheduler.handle(new AppRemovedSchedulerEvent(attempt.getApplicationId(), RMAppState.KILLED));
            context.getRMApps().remove(attempt.getApplicationId());
        }
        attempts.clear();
        pending = 0;
        int left = root().getNumContainers();
        if (left != 0) {
            throw new IllegalStateException(left + " containers remain");
        }
    }

    private AbstractCSQueue root() {
        return (AbstractCSQueue) scheduler.getRootQueue();
    }

    /** Stops the threads of the scheduler. */
    @Override
    public void close() {
        scheduler.stop();
    }
}
