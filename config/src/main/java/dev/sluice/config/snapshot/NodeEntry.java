package dev.sluice.config.snapshot;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One node, or {@code count} equal nodes.
 *
 * @param name the name; with a count the common part: {@code w} with a count of 3 is {@code w-0}, {@code w-1} and
 *     {@code w-2}
 * @param count the number of nodes; {@link TaskSpec#SINGLE} for one node with just this name
 * @param partition the partition they belong to
 * @param capacity the capacity of each of them
 * @param labels their labels
 * @param taints their taints; those without a time have that of the file
 * @param health their observed health
 * @param offline whether an operator drained them
 * @param since when they entered this state; for flaky nodes, when they were last reported as flaky; null: the instant
 *     of the file
 */
public record NodeEntry(
        String name,
        int count,
        String partition,
        Resources capacity,
        SortedMap<String, String> labels,
        List<Taint> taints,
        NodeHealth health,
        boolean offline,
        @Nullable Instant since) {

    /** The maximum number of nodes of one entry. */
    public static final int COUNT_MAX = 10_000_000;

    /** Copies the labels; throws {@link IllegalArgumentException} when a value is out of its range. */
    public NodeEntry {
        if (name.isEmpty() || name.length() > TaskSpec.NAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "the name of a node must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (count < 0 || count > COUNT_MAX) {
            throw new IllegalArgumentException("count must be from 1 to " + COUNT_MAX + ": " + count);
        }
        taints = List.copyOf(taints);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Returns ready nodes without taints. */
    public static NodeEntry ready(
            String name, int count, String partition, Resources capacity, SortedMap<String, String> labels) {
        return new NodeEntry(name, count, partition, capacity, labels, List.of(), NodeHealth.READY, false, null);
    }

    /** Returns whether they accept tasks. */
    public boolean isReady() {
        return health == NodeHealth.READY && !offline;
    }

    /** Returns the number of nodes, at least 1. */
    public int size() {
        return count == TaskSpec.SINGLE ? 1 : count;
    }

    /** Returns this number of such nodes. */
    public NodeEntry withCount(int nodes) {
        return new NodeEntry(name, nodes, partition, capacity, labels, taints, health, offline, since);
    }

    /** Returns the name of the node with this index, from 0. */
    public String nodeName(int index) {
        return count == TaskSpec.SINGLE ? name : name + "-" + index;
    }

    /** Returns the commands that register the node with this index and bring it into its state, in order. */
    public List<Command.NodeCommand> commands(int index) {
        String node = nodeName(index);
        List<Command.NodeCommand> commands = new ArrayList<>();
        commands.add(new Command.RegisterNode(partition, node, capacity, labels, taints));
        if (offline) {
            commands.add(new Command.TakeNodeOffline(partition, node));
        }
        switch (health) {
            case READY -> {}
            case SUSPENDED -> commands.add(new Command.SuspendNode(partition, node));
            case FLAKY -> commands.add(new Command.ReportNodeFlaky(partition, node));
            case LOST -> commands.add(new Command.ReportNodeLost(partition, node));
        }
        return commands;
    }
}
