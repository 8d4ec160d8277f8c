package dev.sluice.server.routes;

import dev.sluice.core.explain.ApplicationRank;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An order of a list of applications other than that of submission. */
enum ApplicationSort {
    /** The order in which a leaf queue tries them; those without tasks to try are left out. */
    TRIED,
    NEWEST,
    CHANGED,
    RUNNING,
    PENDING,
    FAILED;

    /** Order: (rank, largest figure, submission). */
    static final Comparator<Entry> ORDER = Comparator.comparing(
                    Entry::rank, Comparator.nullsFirst(Comparator.<ApplicationRank>naturalOrder()))
            .thenComparing(Entry::figure, Comparator.reverseOrder())
            .thenComparing(entry -> entry.application().sequence());

    /**
     * An application and its position.
     *
     * @param rank its rank in its queue, if that is the order
     * @param figure what it is sorted by, largest first
     */
    record Entry(Application application, @Nullable ApplicationRank rank, long figure) {}

    /** Returns the names of the orders. */
    static List<String> names() {
        return Arrays.stream(values()).map(ApplicationSort::wireName).toList();
    }

    private String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the order of this name; throws a problem if there is none. */
    static ApplicationSort named(String name) {
        return Arrays.stream(values())
                .filter(sort -> sort.wireName().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.of(
                        ProblemKind.INVALID,
                        "unknown order " + name + " of parameter sort; use one of " + String.join(", ", names())));
    }

    /** Returns the position of an application, or null if it is not part of the list. */
    @Nullable Entry entry(Application application, Partition partition, StepBudget budget) {
        if (this != TRIED) {
            return new Entry(application, null, figure(application));
        }
        ApplicationRank rank = ApplicationRank.of(application, partition, budget);
        return rank == null ? null : new Entry(application, rank, 0);
    }

    private long figure(Application application) {
        return switch (this) {
            case TRIED -> 0;
            case NEWEST -> application.sequence();
            case CHANGED -> application.stateSince().toEpochMilli();
            case RUNNING -> application.placed();
            case PENDING -> application.pending();
            case FAILED -> application.failed();
        };
    }
}
