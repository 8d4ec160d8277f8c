package dev.sluice.simulator.workload.synthetic;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import dev.sluice.simulator.workload.MalformedLines;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Generates the applications of a synthetic workload, one after the other. */
final class SyntheticStream implements ArrivalStream {

    /** The remaining applications of a burst, which one user submits at once. */
    private record Burst(ApplicationKind kind, UserEntry entry, String user, long left) {}

    private final SyntheticSpec spec;
    private final ArrivalTimes times;
    private final Map<String, RandomStream> drawsByKind = new HashMap<>();
    private @Nullable Burst burst;
    private long number;

    SyntheticStream(SyntheticSpec spec) {
        this.spec = spec;
        this.times = new ArrivalTimes(spec, new RandomStream(spec.seed(), ""));
    }

    @Override
    public @Nullable Arrival next() {
        Burst now = number < spec.applications() ? current() : null;
        if (now == null) {
            return null;
        }
        burst = new Burst(now.kind, now.entry, now.user, now.left - 1);
        return arrival(now, number++);
    }

    /** Returns the burst of the next submission; null after the end. */
    private @Nullable Burst current() {
        Burst last = burst;
        if (last != null && last.left > 0) {
            return last;
        }
        ApplicationKind kind = times.next();
        if (kind == null) {
            return null;
        }
        RandomStream draws = drawsOf(kind);
        UserEntry entry = kind.users().get(kind.userWeights().draw(draws));
        return new Burst(kind, entry, entry.draw(draws), kind.burst().next(draws));
    }

    private RandomStream drawsOf(ApplicationKind kind) {
        return drawsByKind.computeIfAbsent(kind.name(), name -> new RandomStream(spec.seed(), name));
    }

    private Arrival arrival(Burst from, long index) {
        ApplicationKind kind = from.kind;
        RandomStream draws = drawsOf(kind);
        long count = kind.tasks().next(draws);
        SortedMap<String, Amount> amounts = new TreeMap<>();
        kind.resources().forEach((type, amount) -> amounts.put(type, new Amount(amount.next(draws))));
        Duration duration = Duration.ofMillis(kind.duration().next(draws));
        TaskSpec task = TaskSpec.of("t", count == 1 ? TaskSpec.SINGLE : (int) count, Resources.of(amounts))
                .withPriority((int) kind.priority().next(draws));
        ApplicationSpec application = new ApplicationSpec(
                kind.name() + "-" + index,
                kind.name(),
                from.entry.queue(),
                from.user,
                from.entry.groups(),
                from.entry.tags(),
                null,
                null,
                true,
                FailurePolicy.CONTINUE,
                StartConditions.NONE,
                List.of(task));
        return new Arrival(spec.begin().plus(times.elapsed()), kind.partition(), application, List.of(duration));
    }

    @Override
    public MalformedLines malformed() {
        return MalformedLines.NONE;
    }

    @Override
    public void close() {}
}
