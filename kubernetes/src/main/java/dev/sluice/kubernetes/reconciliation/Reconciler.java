package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Compares a cluster with the state of its partition. Executing the commands removes the difference; what the scheduler
 * refuses remains, and is found again.
 */
public final class Reconciler {

    /** The tag of applications that consist of pods; its value is their namespace. */
    public static final String NAMESPACE_TAG = "namespace";

    private final ClusterView view;
    private final Predicate<String> others;

    /**
     * Creates a reconciler.
     *
     * @param view the cluster
     * @param others selects nodes of the partition that do not belong to the cluster, by name
     */
    public Reconciler(ClusterView view, Predicate<String> others) {
        this.view = view;
        this.others = others;
    }

    /** Compares everything: at the start, and after a watch was broken. */
    public Reconciliation all(Partition partition) {
        view.changes().takeNodes();
        view.changes().takeApplications();
        view.changes().takeNamespaces();
        SortedSet<String> nodes = new TreeSet<>(view.nodeNames());
        for (Node node : partition.nodes()) {
            nodes.add(node.name());
        }
        SortedSet<String> applications = new TreeSet<>(view.applicationIds());
        for (Application application : partition.applications()) {
            applications.add(application.id());
        }
        return reconcile(partition, nodes, applications, namespaces(partition));
    }

    /** Compares what has changed since the last call of this method or of {@link #all}. */
    public Reconciliation changes(Partition partition) {
        return reconcile(
                partition,
                view.changes().takeNodes(),
                view.changes().takeApplications(),
                view.changes().takeNamespaces());
    }

    /** Returns the namespaces that exist, and those of applications. */
    private Collection<String> namespaces(Partition partition) {
        SortedSet<String> names = new TreeSet<>(view.namespaceNames());
        for (Application application : partition.applications()) {
            String namespace = application.spec().tags().get(NAMESPACE_TAG);
            if (namespace != null) {
                names.add(namespace);
            }
        }
        return names;
    }

    private Reconciliation reconcile(
            Partition partition,
            Collection<String> nodeNames,
            Collection<String> applicationIds,
            Collection<String> namespaces) {
        List<Command> commands = new ArrayList<>();
        Map<String, List<String>> refusals = new LinkedHashMap<>();
        NodeReconciler nodes = new NodeReconciler(view, partition);
        for (String name : nodeNames) {
            if (!others.test(name)) {
                nodes.reconcile(name, commands);
            }
        }
        new QuotaReconciler(view, partition, commands).reconcile(namespaces);
        ApplicationReconciler applications = new ApplicationReconciler(view, partition, commands, refusals);
        applicationIds.forEach(applications::reconcile);
        return new Reconciliation(commands, List.copyOf(applicationIds), refusals);
    }
}
