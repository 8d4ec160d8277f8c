package dev.sluice.core.state;

import java.util.Collection;
import java.util.Collections;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is due in future: at most one timer for each application and each task that holds a place. */
final class Timers {

    private final TreeSet<Timer> timers = new TreeSet<>();

    void set(Application application, Timer timer) {
        application.timer = timer;
        timers.add(timer);
    }

    void cancel(Application application) {
        if (application.timer != null) {
            timers.remove(application.timer);
            application.timer = null;
        }
    }

    void set(Task task, Timer timer) {
        task.timer = timer;
        timers.add(timer);
    }

    void cancel(Task task) {
        if (task.timer != null) {
            timers.remove(task.timer);
            task.timer = null;
        }
    }

    @Nullable Timer next() {
        return timers.isEmpty() ? null : timers.first();
    }

    Collection<Timer> all() {
        return Collections.unmodifiableCollection(timers);
    }
}
