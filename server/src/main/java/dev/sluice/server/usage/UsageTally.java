package dev.sluice.server.usage;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.server.store.Columns;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums what runs of a partition used in an interval, by queue, user, application or node. Sums are exact: amounts are
 * multiplied by nanoseconds in integers of any size.
 */
public final class UsageTally {

    /** What usage is grouped by. */
    public enum Dimension {
        QUEUE,
        USER,
        APPLICATION,
        NODE
    }

    private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    private final List<Dimension> by;
    private final long from;
    private final long to;
    private final int groupsMax;
    private final Map<List<String>, Group> groups = new TreeMap<>(UsageTally::compare);

    /** By identity, because few accounts are equal and hashing them costs more than all else; parts are only summed. */
    private final Map<String, Map<RunAccount, Part>> parts = new HashMap<>();

    /**
     * Creates a tally without runs.
     *
     * @param by the dimensions; empty for a single group
     * @param from the beginning of the interval
     * @param to its end
     * @param groupsMax the maximum number of groups
     */
    public UsageTally(List<Dimension> by, Instant from, Instant to, int groupsMax) {
        this.by = List.copyOf(by);
        this.from = Columns.nanos(from);
        this.to = Columns.nanos(to);
        this.groupsMax = groupsMax;
    }

    Instant from() {
        return Columns.instant(from);
    }

    Instant to() {
        return Columns.instant(to);
    }

    /** There are more groups than the maximum. */
    public static final class TooManyGroupsException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyGroupsException(int groupsMax) {
            super("more than " + groupsMax + " groups");
        }
    }

    /** What the runs of one account took in one group: times are multiplied by its resources at the end. */
    private static final class Part {
        final Group group;

        /** The time in the interval. */
        final Time time = new Time();

        /** The processor time of measured runs. */
        final Time cpu = new Time();

        /** The whole time of the same runs. */
        final Time measured = new Time();

        Part(Group group) {
            this.group = group;
        }
    }

    /** A sum of any size. */
    private static final class Time {
        private long seconds;
        private long nanos;

        void add(long used) {
            if (used > 0) {
                seconds += used / 1_000_000_000;
                nanos += used % 1_000_000_000;
            }
        }

        BigInteger total() {
            return BigInteger.valueOf(seconds).multiply(NANOS_PER_SECOND).add(BigInteger.valueOf(nanos));
        }
    }

    /** What one group used. */
    public static final class Group {

        private final List<String> key;
        private final Map<String, BigInteger> amounts = new TreeMap<>();
        private final WaitHistogram waits = new WaitHistogram();
        private BigInteger runNanos = BigInteger.ZERO;
        private BigInteger cpuNanos = BigInteger.ZERO;
        private BigInteger measuredAmount = BigInteger.ZERO;
        private long tasks;
        private long runs;
        private long failures;
        private long running;

        Group(List<String> key) {
            this.key = key;
        }

        /** Returns the queue, user, application or node of each dimension. */
        public List<String> key() {
            return key;
        }

        /** Returns base units × nanoseconds by resource type. */
        public Map<String, BigInteger> amounts() {
            return amounts;
        }

        /** Returns how long runs were allocated, in nanoseconds. */
        public BigInteger runNanos() {
            return runNanos;
        }

        /** Returns the processor time of the measured runs that released their resources in the interval. */
        public BigInteger cpuNanos() {
            return cpuNanos;
        }

        /** Returns millicores × nanoseconds that the same runs were allocated, before the interval, too. */
        public BigInteger measuredAmount() {
            return measuredAmount;
        }

        /** Returns how long tasks waited for their first allocation. */
        public WaitHistogram waits() {
            return waits;
        }

        /** Returns the number of tasks that ended, once more after each retry of their application. */
        public long tasks() {
            return tasks;
        }

        /** Returns the number of runs that ended. */
        public long runs() {
            return runs;
        }

        /** Returns the number of runs that failed, timed out or were lost. */
        public long failures() {
            return failures;
        }

        /** Returns the number of runs that had not ended at the end of the interval. */
        public long running() {
            return running;
        }

        private void add(Group other) {
            other.amounts.forEach((type, amount) -> amounts.merge(type, amount, BigInteger::add));
            waits.add(other.waits);
            runNanos = runNanos.add(other.runNanos);
            cpuNanos = cpuNanos.add(other.cpuNanos);
            measuredAmount = measuredAmount.add(other.measuredAmount);
            tasks += other.tasks;
            runs += other.runs;
            failures += other.failures;
            running += other.running;
        }
    }

    /**
     * Adds a run.
     *
     * @param placed when it was allocated, in nanoseconds since 1970
     * @param released when its resources were released, in nanoseconds since 1970
     * @param waited how long the task waited, in nanoseconds, or null
     * @param cpu its processor time in nanoseconds, or null
     * @throws TooManyGroupsException if there are too many groups
     */
    public void add(
            RunAccount account,
            String node,
            long placed,
            long released,
            @Nullable Long waited,
            RunEnd end,
            @Nullable Long cpu) {
        Part part = part(account, node);
        if (cpu != null && released >= from && released < to) {
            part.cpu.add(cpu);
            part.measured.add(released - placed);
        }
        part.time.add(Math.min(released, to) - Math.max(placed, from));
        Group group = part.group;
        if (waited != null && placed >= from && placed < to) {
            group.waits.add(Math.max(0, waited));
        }
        if (released >= to) {
            group.running++;
        } else if (released >= from && end != RunEnd.NONE) {
            group.runs++;
            group.tasks += end.isFinal() ? 1 : 0;
            group.failures += end.isFailure() ? 1 : 0;
        }
    }

    /** Adds the time of a run on any node, and nothing else about it. */
    void addTime(RunAccount account, long placed, long released) {
        part(account, "").time.add(Math.min(released, to) - Math.max(placed, from));
    }

    /** Adds a run if it was allocated in the interval. */
    void addIfIn(
            RunAccount account,
            String node,
            long placed,
            long released,
            @Nullable Long waited,
            RunEnd end,
            @Nullable Long cpu) {
        if (placed < to && released >= from) {
            add(account, node, placed, released, waited, end, cpu);
        }
    }

    /** Adds the runs that occupy resources. */
    public void add(RunningRuns running) {
        for (RunningRuns.RunningRun run : running.runs()) {
            Duration waited = run.waited();
            long placed = Columns.nanos(run.placed());
            if (placed < to) {
                add(
                        run.account(),
                        run.node(),
                        placed,
                        Math.max(to, Columns.nanos(running.at())),
                        waited == null ? null : waited.toNanos(),
                        RunEnd.NONE,
                        null);
            }
        }
    }

    private Part part(RunAccount account, String node) {
        String ofNode = by.contains(Dimension.NODE) ? node : "";
        return parts.computeIfAbsent(ofNode, name -> new IdentityHashMap<>())
                .computeIfAbsent(account, known -> new Part(group(known, node)));
    }

    private Group group(RunAccount account, String node) {
        List<String> key = new ArrayList<>();
        for (Dimension dimension : by) {
            key.add(
                    switch (dimension) {
                        case QUEUE -> account.queue();
                        case USER -> account.user();
                        case APPLICATION -> account.application();
                        case NODE -> node;
                    });
        }
        Group group = groups.computeIfAbsent(key, Group::new);
        if (groups.size() > groupsMax) {
            throw new TooManyGroupsException(groupsMax);
        }
        return group;
    }

    private static int compare(List<String> a, List<String> b) {
        for (int i = 0; i < a.size(); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Returns the groups, sorted by their keys; call it once, at the end. */
    public Collection<Group> groups() {
        parts.values()
                .forEach(ofNode -> ofNode.forEach((account, part) -> {
                    BigInteger total = part.time.total();
                    Group group = part.group;
                    group.cpuNanos = group.cpuNanos.add(part.cpu.total());
                    group.measuredAmount = group.measuredAmount.add(part.measured
                            .total()
                            .multiply(BigInteger.valueOf(account.resources().getOrDefault(ResourceTypes.VCORE, 0L))));
                    group.runNanos = group.runNanos.add(total);
                    account.resources()
                            .forEach((type, amount) -> group.amounts.merge(
                                    type, total.multiply(BigInteger.valueOf(amount)), BigInteger::add));
                }));
        parts.clear();
        return groups.values();
    }

    /**
     * Returns the groups of an interval and of the one that follows it, sorted by their keys.
     *
     * @param groupsMax the maximum number of groups
     */
    static Collection<Group> append(Collection<Group> earlier, Collection<Group> later, int groupsMax) {
        Map<List<String>, Group> sums = new TreeMap<>(UsageTally::compare);
        for (Group group : earlier) {
            Group sum = new Group(group.key);
            sum.add(group);
            sum.running = 0;
            sums.put(group.key, sum);
        }
        for (Group group : later) {
            sums.computeIfAbsent(group.key, Group::new).add(group);
        }
        if (sums.size() > groupsMax) {
            throw new TooManyGroupsException(groupsMax);
        }
        return sums.values();
    }

    /** Returns the sum of these groups. */
    public static Group total(Collection<Group> groups) {
        Group total = new Group(List.of());
        groups.forEach(total::add);
        return total;
    }
}
