package dev.sluice.simulator.workload;

import dev.sluice.config.snapshot.NodeEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts a workload by submission time. Sorting is stable: simultaneous submissions keep the order of the file.
 *
 * <p>Each pass reads the whole workload into memory, about half a kilobyte per application, and releases every arrival
 * when it is returned. A workload with more than {@link #APPLICATIONS_MAX} applications is rejected: sort its file
 * instead.
 */
public final class SortedWorkload implements Workload {

    /** The maximum number of applications that are sorted, which take about 2.5 GB. */
    public static final int APPLICATIONS_MAX = 5_000_000;

    private final Workload workload;
    private final int applicationsMax;

    private SortedWorkload(Workload workload, int applicationsMax) {
        this.workload = workload;
        this.applicationsMax = applicationsMax;
    }

    /**
     * Returns this workload in order of submission: the same object, which takes no memory, if the statistics say it is
     * sorted.
     *
     * @param statistics the statistics of the workload
     */
    public static Workload of(Workload workload, WorkloadStatistics statistics) {
        return of(workload, statistics, APPLICATIONS_MAX);
    }

    static Workload of(Workload workload, WorkloadStatistics statistics, int applicationsMax) {
        return statistics.inOrder() ? workload : new SortedWorkload(workload, applicationsMax);
    }

    @Override
    public String name() {
        return workload.name();
    }

    @Override
    public List<NodeEntry> nodes() {
        return workload.nodes();
    }

    /**
     * Reads and sorts the whole workload.
     *
     * @throws IOException if it cannot be read or is too large to sort
     */
    @Override
    public ArrivalStream open() throws IOException {
        List<@Nullable Arrival> sorted = new ArrayList<>();
        MalformedLines malformed;
        try (ArrivalStream arrivals = workload.open()) {
            for (Arrival arrival = arrivals.next(); arrival != null; arrival = arrivals.next()) {
                if (sorted.size() == applicationsMax) {
                    throw new IOException(workload.name() + " is not sorted by submission time and has more than "
                            + applicationsMax + " applications, too many to sort in memory: sort the file");
                }
                sorted.add(arrival);
            }
            malformed = arrivals.malformed();
        }
        sorted.sort(Comparator.comparing(Arrival::submitted));
        return new Sorted(sorted, malformed);
    }

    private static final class Sorted implements ArrivalStream {

        private final List<@Nullable Arrival> sorted;
        private final MalformedLines malformed;
        private int next;

        Sorted(List<@Nullable Arrival> sorted, MalformedLines malformed) {
            this.sorted = sorted;
            this.malformed = malformed;
        }

        @Override
        public @Nullable Arrival next() {
            return next == sorted.size() ? null : sorted.set(next++, null);
        }

        @Override
        public MalformedLines malformed() {
            return malformed;
        }

        @Override
        public void close() {
            sorted.clear();
            next = 0;
        }
    }
}
