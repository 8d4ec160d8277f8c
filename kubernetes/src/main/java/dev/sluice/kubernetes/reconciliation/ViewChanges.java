package dev.sluice.kubernetes.reconciliation;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What has changed in a cluster, or in the state, since it was reconciled. */
public final class ViewChanges {

    private final Set<TaskKey> tasks = new LinkedHashSet<>();
    private final SortedSet<String> nodes = new TreeSet<>();
    private final SortedSet<String> applications = new TreeSet<>();
    private final SortedSet<String> namespaces = new TreeSet<>();

    /** Records that a task, or its pod, has changed. */
    public void touchTask(TaskKey task) {
        tasks.add(task);
    }

    /** Records that a node, or the state of its tasks, has changed, so that other pods may occupy it now. */
    public void touchNode(String name) {
        nodes.add(name);
    }

    /** Records that an application has changed. */
    public void touchApplication(String id) {
        applications.add(id);
    }

    /** Records that the settings of a namespace have changed. */
    void touchNamespace(String name) {
        namespaces.add(name);
    }

    /** Returns whether nothing has changed that was not taken. */
    public boolean isEmpty() {
        return tasks.isEmpty() && nodes.isEmpty() && applications.isEmpty() && namespaces.isEmpty();
    }

    /** Returns the tasks that have changed since the last call, in the order of their changes. */
    public List<TaskKey> takeTasks() {
        return taken(tasks);
    }

    /** Returns the nodes that have changed since the last call, by name. */
    public List<String> takeNodes() {
        return taken(nodes);
    }

    /** Returns the applications that have changed since the last call, by id. */
    public List<String> takeApplications() {
        return taken(applications);
    }

    /** Returns the namespaces whose settings have changed since the last call, by name. */
    public List<String> takeNamespaces() {
        return taken(namespaces);
    }

    private static <T> List<T> taken(Collection<T> changed) {
        List<T> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }
}
