package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.kubernetes.TestCluster;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.request.ApiServerContact;
import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.HostListener;
import dev.sluice.runtime.host.HostParts;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An engine that follows an API server, stopped and started as a server that restarts; its state is kept. */
final class FollowingEngine implements AutoCloseable {

    private static final Cause CAUSE = Cause.internal("test");
    private static final long LOG_BYTES_MAX = 1 << 20;

    private final Scheduler scheduler = new Scheduler();
    private final @Nullable TestCluster api;
    private final KubernetesSettings settings;
    private final KubernetesClient client;
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private @Nullable Path logs;
    private @Nullable EngineHost host;
    private @Nullable KubernetesCluster cluster;

    /**
     * Starts a cluster with a real API server and creates an engine that is not started.
     *
     * @param options further options of {@code kubernetes/test-cluster/up}
     */
    FollowingEngine(int nodes, KubernetesSettings settings, String... options) throws IOException {
        this(settings, TestCluster.start(nodes, options));
    }

    private FollowingEngine(KubernetesSettings settings, TestCluster api) {
        this(settings, api, api.client());
    }

    /** Creates an engine of another API server, which is not started. */
    FollowingEngine(KubernetesSettings settings, @Nullable TestCluster api, KubernetesClient client) {
        this.api = api;
        this.settings = settings;
        this.client = client;
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), Instant.EPOCH);
    }

    /** Returns the client of the test. */
    KubernetesClient client() {
        return client;
    }

    /** Returns the scheduler, for use while the engine is stopped. */
    Scheduler scheduler() {
        return scheduler;
    }

    /** Has the logs of created pods copied to a folder, after the next start. */
    void copyLogsTo(Path folder) {
        logs = folder;
    }

    /** Returns the cluster. */
    TestCluster api() {
        return Objects.requireNonNull(api);
    }

    void start() throws Exception {
        start(api().client(), new ApiServerContact(InstantSource.system()));
    }

    /** Starts the engine with a client that reaches the API server in another way, and its contact. */
    void start(KubernetesClient reaching, ApiServerContact contact) throws Exception {
        KubernetesCluster followed = new KubernetesCluster(reaching, settings, new ClusterMetrics(), contact);
        EngineHost next = new EngineHost(new HostParts(
                scheduler,
                Instant.MIN,
                InstantSource.system(),
                BatchLog.discarding(),
                HistoryRecorder.NONE,
                List.of(followed, this::record),
                HostListener.NONE,
                HostLimits.DEFAULT));
        next.recover();
        if (logs != null) {
            followed.copyTo(logs, LOG_BYTES_MAX);
        }
        followed.open();
        followed.attach(next, (context, by, note) -> {});
        next.start();
        cluster = followed;
        host = next;
    }

    void stop() {
        if (host != null && cluster != null) {
            cluster.close();
            host.close();
            host = null;
        }
    }

    /** Returns what the partition answers, on the thread of the engine. */
    <T> T of(Function<Partition, T> question) {
        try {
            return Objects.requireNonNull(host)
                    .submit(
                            CAUSE,
                            context -> question.apply(
                                    Objects.requireNonNull(context.state().partition("default"))))
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the nodes of allocated tasks by the names of their pods. */
    Map<String, String> allocated() {
        return of(partition -> {
            Map<String, String> nodes = new TreeMap<>();
            partition.nodes().forEach(node -> {
                for (Task task : node.tasks()) {
                    String id = task.ref().id();
                    nodes.put(id.substring(0, id.lastIndexOf('.')), node.name());
                }
            });
            return nodes;
        });
    }

    /** Executes a command, which must not be refused. */
    void handle(Command command) throws Exception {
        assertThat(Objects.requireNonNull(host)
                        .submit(CAUSE, context -> context.handle(command).refusal() == null)
                        .get())
                .isTrue();
    }

    private void record(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof TaskEvent.Ended ended) {
                    String end = ended.task().id() + ": " + ended.outcome().wireName() + " " + ended.detail();
                    ends.add(end.strip());
                }
            }
        }
    }

    /** Returns the ends of runs, as texts. */
    List<String> ends() {
        return List.copyOf(ends);
    }

    /** Returns why the API server cannot be reached, or null. */
    @Nullable String problem() {
        return Objects.requireNonNull(cluster).problem();
    }

    /** Returns why runs of an application cannot start. */
    List<String> obstacles(String application) {
        KubernetesCluster followed = Objects.requireNonNull(cluster);
        return of(partition -> followed.obstacles("default", application).values().stream()
                .map(RunObstacles.Obstacle::reason)
                .toList());
    }

    /** Follows the logs of all runs of an application, as a reader does. */
    void followLogs(String application) {
        KubernetesCluster followed = Objects.requireNonNull(cluster);
        List<RemoteLogs.Source> sources = of(partition -> partition.existing(application).groups().stream()
                .flatMap(group -> group.placed().stream())
                .map(RemoteLogs.Source::of)
                .toList());
        sources.forEach(followed::follow);
    }

    @Override
    public void close() throws IOException {
        stop();
        client.close();
        if (api != null) {
            api.close();
        }
    }
}
