package dev.sluice.core.schedule;

import dev.sluice.core.application.Gang;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The attempt to place all members of a gang at once.
 *
 * <p>Members are placed one after the other, as single tasks would be, each on the first node in order that fits it
 * beside the ones before. Nothing of that remains: the capacity index is as before when the attempt ends.
 *
 * <p>With a topology, the domains of the narrowest level are tried first, then those of the wider ones, up to the level
 * of its key; on each level in the order of their labels.
 */
public final class GangTrial {

    final ApplicationSchedule application;
    private final List<Members> members = new ArrayList<>();
    private long[] demand = Vectors.empty();
    private int size;
    private boolean pending = true;
    private final Gang.@Nullable Topology topology;

    /** The members of one group. */
    record Members(TaskGroup group, EquivalenceClass equivalenceClass, int count) {}

    /**
     * A member and its node.
     *
     * @param group the group of the member, whose next task it is
     */
    public record Member(TaskGroup group, Node node) {}

    GangTrial(ApplicationSchedule application, GangProgress gang) {
        this.application = application;
        this.topology = gang.gang().topology();
        for (GangProgress.Members each : gang.members()) {
            size += each.count();
            if (each.group().pending() < each.count()) {
                pending = false;
                continue;
            }
            members.add(new Members(each.group(), application.classOf(each.group()), each.count()));
            demand = Vectors.sum(demand, each.group().demand(), each.count());
        }
    }

    /** Returns the members that are pending, in the order in which they are placed. */
    List<Members> members() {
        return members;
    }

    Gang.@Nullable Topology topology() {
        return topology;
    }

    /** Returns whether all members are pending: none waits, for instance, for its retry delay. */
    public boolean isPending() {
        return pending;
    }

    /** Returns the number of members. */
    public int size() {
        return size;
    }

    /** Returns the resources of all members together, as a vector. Must not be modified. */
    public long[] demand() {
        return demand;
    }

    /**
     * Returns whether the members may fit on nodes, as far as that is known without trying, whatever reserved nodes
     * they may use.
     */
    boolean mayFit(NodeCapacityIndex index) {
        return mayFit(index, each -> index.backfill().tasksMax(each, null));
    }

    /** Returns whether the members may fit now, on reserved nodes only where they may use them. */
    private boolean mayFitNow(NodeCapacityIndex index) {
        return mayFit(index, equivalenceClass -> {
            long max = 0;
            for (Members each : members) {
                if (each.equivalenceClass == equivalenceClass) {
                    max = Math.max(max, index.backfill().tasksMax(equivalenceClass, each.group));
                }
            }
            return max;
        });
    }

    private boolean mayFit(NodeCapacityIndex index, ToLongFunction<EquivalenceClass> reserved) {
        if (!index.mayFitInTotal(demand)) {
            return false;
        }
        for (Members each : members) {
            if (!mayBePermittedByOthers(each)
                    && !index.mayFit(
                            each.equivalenceClass,
                            countOf(each.equivalenceClass),
                            reserved.applyAsLong(each.equivalenceClass))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether members may fit beside others of the gang that do not fit without them. */
    private boolean mayBePermittedByOthers(Members one) {
        for (Members other : members) {
            if (other.equivalenceClass != one.equivalenceClass
                    && one.equivalenceClass.tasks.mayBePermittedBy(other.equivalenceClass.tasks)) {
                return true;
            }
        }
        return false;
    }

    /** Counts again how many tasks of the members' classes fit, where that is not known any more. */
    void recount(NodeCapacityIndex index) {
        members.forEach(each -> index.recount(each.equivalenceClass, countOf(each.equivalenceClass)));
    }

    /** Returns how many members are of this class. */
    int countOf(EquivalenceClass equivalenceClass) {
        int count = 0;
        for (Members each : members) {
            count += each.equivalenceClass == equivalenceClass ? each.count : 0;
        }
        return count;
    }

    private boolean excludesOthers(Members one) {
        for (Members other : members) {
            if (other.equivalenceClass != one.equivalenceClass
                    && one.equivalenceClass.tasks.excludes(other.equivalenceClass.tasks)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the members with their nodes, in order, or null if they do not all fit. */
    @Nullable List<Member> find(NodeCapacityIndex index) {
        if (!mayFitNow(index)) {
            return null;
        }
        if (topology == null) {
            return findAnywhere(index);
        }
        int widest = index.levels().indexOf(topology.key());
        for (int level = index.levels().size() - 1; widest >= 0 && level >= widest; level--) {
            List<Member> found = findIn(index.domains(level), index);
            if (found != null) {
                return found;
            }
        }
        return topology.require() ? null : findAnywhere(index);
    }

    private @Nullable List<Member> findAnywhere(NodeCapacityIndex index) {
        Attempt attempt =
                attempt((each, excludes) -> index.hold(each.equivalenceClass, each.group, excludes, null), index);
        EquivalenceClass missing = attempt.missing;
        if (missing == null) {
            return attempt.found;
        }
        boolean alone = countOf(missing) == size;
        index.rememberFitting(missing, countOf(missing), alone ? unreserved(attempt.found, index) : -1);
        return null;
    }

    private static int unreserved(List<Member> found, NodeCapacityIndex index) {
        int count = 0;
        for (Member each : found) {
            count += index.backfill().isReserved(each.node) ? 0 : 1;
        }
        return count;
    }

    /** Returns the members on nodes of the first of these domains that holds them all, or null. */
    private @Nullable List<Member> findIn(TopologyDomains.Domains domains, NodeCapacityIndex index) {
        boolean[] tooSmall = new boolean[domains.size()];
        for (Members each : members) {
            long[] counts = index.countTasks(each.equivalenceClass, domains);
            for (int domain = 0; domain < tooSmall.length; domain++) {
                tooSmall[domain] |= counts[domain] < countOf(each.equivalenceClass);
            }
        }
        for (int domain : domains.inOrder()) {
            Attempt attempt = tooSmall[domain]
                    ? null
                    : attempt(
                            (each, excludes) -> index.hold(
                                    each.equivalenceClass, each.group, excludes, node -> domains.of(node) == domain),
                            index);
            if (attempt != null && attempt.missing == null) {
                return attempt.found;
            }
        }
        return null;
    }

    /** Returns the members, each on the first of these nodes that fits it, in order, or null if they do not all fit. */
    @Nullable List<Member> findOn(List<Node> nodes, NodeCapacityIndex index) {
        Attempt attempt =
                attempt((each, excludes) -> index.holdOn(nodes, each.equivalenceClass, each.group, excludes), index);
        return attempt.missing == null ? attempt.found : null;
    }

    /** Holds the next of some members on a node, which it returns, or null. */
    private interface Holder {

        /** @param excludes whether it must be apart from members of other classes */
        @Nullable Node hold(Members members, boolean excludes);
    }

    /** What was found for the members, and the class of the first one for which there was no node. */
    private record Attempt(List<Member> found, @Nullable EquivalenceClass missing) {}

    /** Places the members one after the other, and gives everything back. */
    private Attempt attempt(Holder holder, NodeCapacityIndex index) {
        List<Member> found = new ArrayList<>(size);
        try {
            for (Members each : members) {
                boolean excludes = excludesOthers(each);
                for (int left = each.count; left > 0; left--) {
                    Node node = holder.hold(each, excludes);
                    if (node == null) {
                        return new Attempt(found, each.equivalenceClass);
                    }
                    found.add(new Member(each.group, node));
                }
            }
        } finally {
            index.releaseHeld();
        }
        return new Attempt(found, null);
    }
}
