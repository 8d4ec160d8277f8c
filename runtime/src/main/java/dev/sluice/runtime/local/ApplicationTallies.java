package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tallies of all applications, in the order of submission. An id that is used again stands for the later one. */
public final class ApplicationTallies {

    private final Map<ApplicationRef, ApplicationTally> tallies = new LinkedHashMap<>();

    /**
     * Counts an event.
     *
     * @return the tally of its application, or null if it is no event of an application
     * @throws IllegalStateException if the events before it are missing
     */
    public @Nullable ApplicationTally count(Event event) {
        if (event instanceof TaskEvent task) {
            ApplicationTally tally = existing(task.partition(), task.application());
            tally.count(task);
            return tally;
        }
        if (event instanceof ApplicationEvent.Submitted submitted) {
            ApplicationRef application = new ApplicationRef(submitted.partition(), submitted.application());
            tallies.remove(application);
            ApplicationTally tally = new ApplicationTally(submitted);
            tallies.put(application, tally);
            return tally;
        }
        if (event instanceof ApplicationEvent change) {
            ApplicationTally tally = existing(change.partition(), change.application());
            tally.count(change);
            return tally;
        }
        return null;
    }

    private ApplicationTally existing(String partition, String application) {
        ApplicationTally tally = tallies.get(new ApplicationRef(partition, application));
        if (tally == null) {
            throw new IllegalStateException("event of application " + application + ", which was not submitted");
        }
        return tally;
    }

    /** Returns all tallies. */
    public Collection<ApplicationTally> all() {
        return Collections.unmodifiableCollection(tallies.values());
    }
}
