package dev.sluice.server.usage;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.usage.UsageTally.Dimension;
import dev.sluice.server.usage.UsageTally.Group;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports of usage. The sums of intervals up to now are kept up to the last minute, so that the next report from the
 * same beginning reads only the runs since then. Thread-safe.
 */
public final class UsageReports {

    /** Maximum number of groups of all kept sums. */
    private static final int GROUPS_MAX = 50_000;

    /** Sums of shorter intervals are not kept: they are read as fast. */
    private static final Duration LENGTH_MIN = Duration.ofHours(2);

    /** How long sums are kept, since they contain runs that have expired from the history meanwhile. */
    private static final Duration AGE_MAX = Duration.ofDays(1);

    private final JournalStore store;
    private final Map<Key, Sums> kept = new LinkedHashMap<>();

    private record Key(String partition, List<Dimension> by, Instant from) {}

    /**
     * The sums of an interval.
     *
     * @param to its end
     * @param since when its beginning was read
     */
    private record Sums(Instant to, Instant since, Collection<Group> groups) {}

    public UsageReports(JournalStore store) {
        this.store = store;
    }

    /**
     * Returns what runs used in an interval, sorted by group.
     *
     * @param running the runs that are not in the history yet
     * @param groupsMax the maximum number of groups
     * @throws UsageTally.TooManyGroupsException if there are more
     */
    public Collection<Group> groups(
            String partition, List<Dimension> by, Instant from, Instant to, RunningRuns running, int groupsMax)
            throws StoreException {
        boolean isKept = to.equals(running.at()) && Duration.between(from, to).compareTo(LENGTH_MIN) > 0;
        if (!isKept) {
            UsageTally tally = new UsageTally(by, from, to, groupsMax);
            read(partition, by, running, List.of(tally));
            return tally.groups();
        }
        Key key = new Key(partition, by, from);
        Sums known = known(key, to);
        Instant boundary = to.truncatedTo(ChronoUnit.MINUTES);
        if (!boundary.isAfter(known.to())) {
            UsageTally later = new UsageTally(by, known.to(), to, groupsMax);
            read(partition, by, running, List.of(later));
            return UsageTally.append(known.groups(), later.groups(), groupsMax);
        }
        UsageTally passed = new UsageTally(by, known.to(), boundary, groupsMax);
        UsageTally later = new UsageTally(by, boundary, to, groupsMax);
        read(partition, by, running, List.of(passed, later));
        Collection<Group> groups = UsageTally.append(known.groups(), passed.groups(), groupsMax);
        keep(key, new Sums(boundary, known.since(), groups));
        return UsageTally.append(groups, later.groups(), groupsMax);
    }

    private void read(String partition, List<Dimension> by, RunningRuns running, List<UsageTally> tallies)
            throws StoreException {
        Instant from = tallies.get(0).from();
        Instant to = tallies.get(tallies.size() - 1).to();
        boolean nodes = by.contains(Dimension.NODE);
        store.usage(
                new UsageQuery(partition, from, to, running.last(), nodes),
                (account, node, placed, released, waited, end, cpuNanos) -> tallies.forEach(
                        tally -> tally.addIfIn(account, node, placed, released, waited, end, cpuNanos)));
        tallies.forEach(tally -> tally.add(running));
    }

    private synchronized Sums known(Key key, Instant now) {
        Sums known = kept.get(key);
        return known == null || Duration.between(known.since(), now).compareTo(AGE_MAX) > 0
                ? new Sums(key.from(), now, List.of())
                : known;
    }

    private synchronized void keep(Key key, Sums sums) {
        kept.remove(key);
        kept.put(key, sums);
        long groups =
                kept.values().stream().mapToLong(each -> each.groups().size()).sum();
        for (Iterator<Sums> first = kept.values().iterator(); groups > GROUPS_MAX; ) {
            groups -= first.next().groups().size();
            first.remove();
        }
    }
}
