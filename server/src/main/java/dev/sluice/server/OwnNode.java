package dev.sluice.server;

import dev.sluice.core.command.Command;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.route.ProblemException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This machine as a node of the scheduler, if it is one.
 *
 * @param settings null if this machine runs no tasks
 */
record OwnNode(DaemonSettings.@Nullable LocalNode settings) {

    private static final Logger LOG = LoggerFactory.getLogger(OwnNode.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Registers it, or updates it if the server starts with other settings; reports it as ready. */
    void register(TransactionContext context) {
        DaemonSettings.LocalNode own = settings;
        if (own == null) {
            return;
        }
        Partition partition = context.state().partition(own.partition());
        if (partition == null) {
            throw new IllegalStateException("partition " + own.partition() + " of node " + own.name() + " not found");
        }
        Node node = partition.node(own.name());
        if (node == null) {
            ProblemException.requireAccepted(context.handle(
                    new Command.RegisterNode(own.partition(), own.name(), own.capacity(), own.labels())));
        } else if (!node.capacity().equals(own.capacity()) || !node.labels().equals(own.labels())) {
            ProblemException.requireAccepted(
                    context.handle(new Command.UpdateNode(own.partition(), own.name(), own.capacity(), own.labels())));
        }
        for (Partition each : context.state().partitions()) {
            Node here = each.node(own.name());
            if (here != null && (here.health() == NodeHealth.SUSPENDED || here.health() == NodeHealth.LOST)) {
                ProblemException.requireAccepted(context.handle(new Command.ReportNodeReady(each.name(), own.name())));
            }
        }
    }

    /** Suspends what this executor runs; the next server on this machine reports it as ready. */
    void suspend(EngineHost host, NodeExecutor executor) {
        try {
            boolean unused = host.submit(Cause.internal("end"), context -> {
                        for (Partition partition : context.state().partitions()) {
                            for (Node node : partition.nodes()) {
                                if (executor.runs(node.name())) {
                                    context.handle(new Command.SuspendNode(partition.name(), node.name()));
                                }
                            }
                        }
                        return true;
                    })
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (BusyException | ExecutionException | TimeoutException e) {
            LOG.warn("cannot suspend the local node before stopping its tasks: reason={}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
