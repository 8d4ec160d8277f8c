package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What events have changed in a partition since the last {@link #clear}, so that orders can be updated instead of
 * rebuilt. Contains no duplicates.
 */
public final class Changes {

    private static final int TASKS_MAX = 10_000;

    private final List<Application> applications = new ArrayList<>();
    private final Set<Application> redefined = new LinkedHashSet<>();
    private final List<TaskGroup> groups = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Application> applicationsView = Collections.unmodifiableList(applications);
    private final List<TaskGroup> groupsView = Collections.unmodifiableList(groups);
    private final List<Node> nodesView = Collections.unmodifiableList(nodes);
    private final List<Task> placedTasks = new ArrayList<>();
    private final List<Task> endedTasks = new ArrayList<>();
    private final List<Task> placedTasksView = Collections.unmodifiableList(placedTasks);
    private final List<Task> endedTasksView = Collections.unmodifiableList(endedTasks);
    private boolean tasksStale = true;
    private boolean nodesStale = true;
    private boolean queuesStale = true;
    private boolean treeStale = true;
    private boolean anyEvent = true;

    Changes() {}

    void eventApplied() {
        anyEvent = true;
    }

    /** Returns whether an event was applied since the last call, even one that changes no order. */
    public boolean takeAnyEvent() {
        boolean any = anyEvent;
        anyEvent = false;
        return any;
    }

    /** Returns the applications whose state, allocation or number of pending tasks changed. */
    public List<Application> applications() {
        return applicationsView;
    }

    /** Returns the applications whose queue or task specifications changed. */
    public Set<Application> redefined() {
        return Collections.unmodifiableSet(redefined);
    }

    /** Returns the groups whose number of pending tasks changed. */
    public List<TaskGroup> groups() {
        return groupsView;
    }

    /** Returns the nodes whose free capacity changed while they stayed ready. */
    public List<Node> nodes() {
        return nodesView;
    }

    /** Returns the tasks that were allocated, those that have ended meanwhile included. */
    public List<Task> placedTasks() {
        return placedTasksView;
    }

    /** Returns the tasks that have ended and left their nodes. */
    public List<Task> endedTasks() {
        return endedTasksView;
    }

    /** Returns whether more tasks were allocated or have ended than are listed, so that all must be counted again. */
    public boolean tasksStale() {
        return tasksStale;
    }

    /**
     * Returns whether nodes were added, removed or reconfigured or changed their state, so that the node order must be
     * rebuilt.
     */
    public boolean nodesStale() {
        return nodesStale;
    }

    /** Returns whether queues were reconfigured, so that all their orders must be rebuilt. */
    public boolean queuesStale() {
        return queuesStale;
    }

    /** Returns whether queues were added or removed, so that the orders of their parents must be rebuilt. */
    public boolean treeStale() {
        return treeStale;
    }

    public boolean isEmpty() {
        return !nodesStale
                && !queuesStale
                && !treeStale
                && applications.isEmpty()
                && groups.isEmpty()
                && nodes.isEmpty();
    }

    public void clear() {
        for (int i = 0; i < applications.size(); i++) {
            applications.get(i).touched = false;
        }
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).touched = false;
        }
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).touched = false;
        }
        applications.clear();
        redefined.clear();
        groups.clear();
        nodes.clear();
        clearTasks();
        tasksStale = false;
        nodesStale = false;
        queuesStale = false;
        treeStale = false;
    }

    private void clearTasks() {
        placedTasks.clear();
        endedTasks.clear();
    }

    void placed(Task task) {
        touch(task.node());
        add(task, placedTasks);
    }

    void ended(Task task) {
        touch(task.node());
        add(task, endedTasks);
    }

    private void add(Task task, List<Task> tasks) {
        if (tasksStale || tasks.size() == TASKS_MAX) {
            clearTasks();
            tasksStale = true;
        } else {
            tasks.add(task);
        }
    }

    void touch(Application application) {
        if (!application.touched) {
            application.touched = true;
            applications.add(application);
        }
    }

    void touchDefinition(Application application) {
        redefined.add(application);
        touch(application);
    }

    void touch(TaskGroup group) {
        if (!group.touched) {
            group.touched = true;
            groups.add(group);
        }
        touch(group.application());
    }

    void touch(Node node) {
        if (!node.touched) {
            node.touched = true;
            nodes.add(node);
        }
    }

    void touchNodes() {
        nodesStale = true;
    }

    void touchQueues() {
        queuesStale = true;
    }

    void touchTree() {
        treeStale = true;
    }
}
