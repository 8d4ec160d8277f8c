package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.kubernetes.translation.NamespaceSettings;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives queues that placement rules created the quotas of a namespace: that of the application of pods in the queue
 * that was submitted last.
 */
final class QuotaReconciler {

    private final ClusterView view;
    private final Partition partition;
    private final List<Command> commands;

    QuotaReconciler(ClusterView view, Partition partition, List<Command> commands) {
        this.view = view;
        this.partition = partition;
        this.commands = commands;
    }

    /** Adds the commands for the queues of these namespaces. */
    void reconcile(Collection<String> namespaces) {
        Set<String> changed = new HashSet<>(namespaces);
        if (changed.isEmpty()) {
            return;
        }
        for (Queue queue : partition.queues().all()) {
            Application latest = queue.isDynamic() ? latest(queue) : null;
            String namespace = latest == null ? null : namespace(latest);
            if (latest != null && namespace != null && changed.contains(namespace)) {
                Command.SetQueueQuotas command = command(partition, latest.id(), view.settings(namespace));
                QueueConfiguration wanted = command.applyTo(partition.queues().templateOf(queue));
                if (!wanted.hasQuotasOf(queue.configuration())) {
                    commands.add(command);
                }
            }
        }
    }

    /** Returns the command that gives the queue of an application the quotas of a namespace. */
    static Command.SetQueueQuotas command(Partition partition, String application, NamespaceSettings settings) {
        return new Command.SetQueueQuotas(
                partition.name(), application, settings.guaranteed(), settings.max(), settings.maxApplications());
    }

    private static @Nullable Application latest(Queue queue) {
        Application latest = null;
        for (Application application : queue.applications()) {
            latest = namespace(application) == null ? latest : application;
        }
        return latest;
    }

    private static @Nullable String namespace(Application application) {
        return application.spec().tags().get(Reconciler.NAMESPACE_TAG);
    }
}
