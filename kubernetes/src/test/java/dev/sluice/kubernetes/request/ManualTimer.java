package dev.sluice.kubernetes.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A simulated time: steps are executed by the test's thread when it advances. */
public final class ManualTimer implements RequestTimer, InstantSource {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private record Step(long at, long sequence, Runnable action) {}

    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparing(Step::at).thenComparing(Step::sequence));
    private long now = -5_000_000_000L;
    private long sequence;

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant instant() {
        return START.plusNanos(now + 5_000_000_000L);
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
        steps.add(new Step(now + delayNanos, sequence++, step));
    }

    /** Executes what is due. */
    public void run() {
        advance(Duration.ZERO);
    }

    /** Executes what is due until then. */
    public void advance(Duration duration) {
        long until = now + duration.toNanos();
        for (Step next = steps.peek(); next != null && next.at() <= until; next = steps.peek()) {
            steps.remove();
            now = Math.max(now, next.at());
            next.action().run();
        }
        now = until;
    }

    public int waiting() {
        return steps.size();
    }
}
