package dev.sluice.server.sampling;

import dev.sluice.core.explain.WaitReason;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.WaitHistory;
import dev.sluice.runtime.journal.WaitHistory.Wait;
import dev.sluice.runtime.journal.WaitHistory.WaitingApplication;
import dev.sluice.server.sampling.WaitQuery.Explained;
import dev.sluice.server.view.Reasons.ReasonEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records why applications wait: the reason of most of their waiting tasks, whenever it changes. A reason is the same
 * while its words differ in numbers alone, since amounts change with each task that starts.
 */
final class WaitRecorder {

    /** Maximum number of applications that are followed at a time; others are as soon as some do not wait any more. */
    static final int FOLLOWED_MAX = 20_000;

    /** How long a wait lasts until what is stored says so. */
    static final Duration REFRESH = Duration.ofMinutes(5);

    /** After which time without a sample, such as while no server ran, the same reason is a new wait. */
    static final Duration GAP_MAX = REFRESH.multipliedBy(2);

    /** Amounts, times and counts, but not digits within names. */
    private static final Pattern NUMBER = Pattern.compile("(?<![^\\s(,:])\\d\\S*");

    private final WaitHistory history;

    /** The last waits of followed applications, as they are stored. */
    private final Map<WaitingApplication, Wait> current = new LinkedHashMap<>();

    WaitRecorder(WaitHistory history) {
        this.history = history;
    }

    /** Returns the applications that waited when they were explained last. */
    List<WaitingApplication> followed() {
        return List.copyOf(current.keySet());
    }

    /** Records what was found at this instant. */
    void add(Instant at, WaitQuery.Waits waits) throws StoreException {
        List<Wait> changed = new ArrayList<>();
        Map<WaitingApplication, Wait> next = new LinkedHashMap<>();
        int added = 0;
        for (Explained explained : waits.explained()) {
            ReasonEntry main = main(explained.reasons());
            Wait known = current.get(explained.application());
            if (main == null || (known == null && current.size() + added >= FOLLOWED_MAX)) {
                continue;
            }
            added += known == null ? 1 : 0;
            next.put(explained.application(), record(at, explained.application(), main, known, changed));
        }
        for (WaitingApplication application : waits.ended()) {
            Wait known = current.get(application);
            if (known != null && !next.containsKey(application)) {
                changed.add(known.until(at));
            }
        }
        if (!changed.isEmpty()) {
            history.append(changed);
        }
        waits.ended().forEach(current::remove);
        current.putAll(next);
    }

    /**
     * Returns the reason of the most tasks, of several the first one; null if there is none or the next cycle, within
     * moments, decides.
     */
    private static @Nullable ReasonEntry main(List<ReasonEntry> reasons) {
        ReasonEntry most = null;
        for (ReasonEntry reason : reasons) {
            most = most == null || reason.tasks() > most.tasks() ? reason : most;
        }
        return most == null || most.reason() instanceof WaitReason.NextCycle ? null : most;
    }

    /** Adds what is to be stored to {@code changed}; returns the wait as it is stored then. */
    private Wait record(
            Instant at, WaitingApplication application, ReasonEntry main, @Nullable Wait followed, List<Wait> changed)
            throws StoreException {
        Wait found = new Wait(
                application, at, at, main.reason().code(), main.reason().detail(), main.tasks());
        Wait known = followed == null ? lastStored(application, at) : followed;
        if (known != null && isSame(known, found)) {
            if (Duration.between(known.seen(), at).compareTo(REFRESH) < 0) {
                return known;
            }
            Wait longer = known.until(at);
            changed.add(longer);
            return longer;
        }
        if (followed != null) {
            changed.add(followed.until(at));
        }
        changed.add(found);
        return found;
    }

    /** Returns the last wait of an application if it may have lasted until now, such as before a restart. */
    private @Nullable Wait lastStored(WaitingApplication application, Instant at) throws StoreException {
        List<Wait> last = history.find(application, 1);
        return last.isEmpty() || Duration.between(last.get(0).seen(), at).compareTo(GAP_MAX) > 0 ? null : last.get(0);
    }

    private static boolean isSame(Wait one, Wait other) {
        return one.code().equals(other.code()) && words(one.detail()).equals(words(other.detail()));
    }

    private static String words(String detail) {
        return NUMBER.matcher(detail).replaceAll("#");
    }
}
