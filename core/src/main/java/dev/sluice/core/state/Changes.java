package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What events have changed in a partition since somebody last looked, so that orders can be kept up to date instead of being
 * worked out again. Nothing is listed twice.
 */
public final class Changes {

    private final List<Application> applications = new ArrayList<>();
    private final List<TaskGroup> groups = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Application> applicationsView = Collections.unmodifiableList(applications);
    private final List<TaskGroup> groupsView = Collections.unmodifiableList(groups);
    private final List<Node> nodesView = Collections.unmodifiableList(nodes);
    private boolean nodesStale = true;
    private boolean queuesStale = true;
    private boolean treeStale = true;

    Changes() {}

    /** Applications whose state, allocation or number of pending tasks changed. */
    public List<Application> applications() {
        return applicationsView;
    }

    /** Groups whose number of pending tasks changed. */
    public List<TaskGroup> groups() {
        return groupsView;
    }

    /** Nodes whose free room changed while they stayed ready. */
    public List<Node> nodes() {
        return nodesView;
    }

    /** Whether nodes came, went or were changed, so that the order of nodes must be made anew. */
    public boolean nodesStale() {
        return nodesStale;
    }

    /** Whether queues were configured, so that the orders in all of them must be made anew. */
    public boolean queuesStale() {
        return queuesStale;
    }

    /** Whether queues came or went, so that the orders above them must be made anew. */
    public boolean treeStale() {
        return treeStale;
    }

    /** Whether nothing changed. */
    public boolean isEmpty() {
        return !nodesStale
                && !queuesStale
                && !treeStale
                && applications.isEmpty()
                && groups.isEmpty()
                && nodes.isEmpty();
    }

    /** Forgets everything listed. */
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
        groups.clear();
        nodes.clear();
        nodesStale = false;
        queuesStale = false;
        treeStale = false;
    }

    void touch(Application application) {
        if (!application.touched) {
            application.touched = true;
            applications.add(application);
        }
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
