package dev.sluice.simulator.workload;

import dev.sluice.config.snapshot.NodeEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workload whose file is not in order of submission, put into that order; those submitted at the same instant stay in the order of
 * the file.
 *
 * <p>This costs memory: each time it is opened it reads the whole workload, some half a kilobyte for each application, and lets go of
 * every arrival as it is handed out. A workload of more than {@link #APPLICATIONS_MAX} is refused: sort its file instead.
 */
public final class SortedWorkload implements Workload {

    /** The most applications that are sorted: some 2.5 GB. */
    public static final int APPLICATIONS_MAX = 5_000_000;

    private final Workload workload;
    private final int applicationsMax;

    private SortedWorkload(Workload workload, int applicationsMax) {
        this.workload = workload;
        this.applicationsMax = applicationsMax;
    }

    /**
     * This workload in order of submission: itself, and nothing is kept in memory, if the survey of it found it so.
     *
     * @param statistics what one pass over it told
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

    /** Reads it to the end; throws {@link IOException} if it cannot be read or is too large to be sorted. */
    @Override
    public ArrivalStream open() throws IOException {
        List<@Nullable Arrival> sorted = new ArrayList<>();
        MalformedLines malformed;
        try (ArrivalStream arrivals = workload.open()) {
            for (Arrival arrival = arrivals.next(); arrival != null; arrival = arrivals.next()) {
                if (sorted.size() == applicationsMax) {
                    throw new IOException(workload.name() + " is not in order of submission and has more than "
                            + applicationsMax + " applications, too many to be sorted in memory: sort the file");
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
