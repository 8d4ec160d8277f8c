package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.request.RequestThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Has applications compared again when places in their gangs that no pod has taken expire. */
final class PlaceTimers implements AutoCloseable {

    private final RequestThreads timer = new RequestThreads("gang-places", 1);
    private final Consumer<String> due;
    private final Map<String, Instant> set = new HashMap<>();

    /**
     * Creates no timers.
     *
     * @param due receives the ids of applications, on a thread of its own
     */
    PlaceTimers(Consumer<String> due) {
        this.due = due;
    }

    /** Sets the timers of applications, unless they are set already; on the thread of the engine. */
    void set(Map<String, Instant> expiries, Instant now) {
        expiries.forEach((application, at) -> {
            if (!at.equals(set.put(application, at))) {
                timer.schedule(
                        () -> due.accept(application), Duration.between(now, at).toNanos());
            }
        });
    }

    /** Forgets the timer of an application that has expired; on the thread of the engine. */
    void remove(String application) {
        set.remove(application);
    }

    @Override
    public void close() {
        timer.close();
    }
}
