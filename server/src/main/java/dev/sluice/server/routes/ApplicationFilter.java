package dev.sluice.server.routes;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter of applications: matches those that satisfy every component that is not null.
 *
 * @param queue the path of their queue or of one of its ancestors
 * @param user their user
 * @param states their possible states
 * @param tag their tag
 */
record ApplicationFilter(
        @Nullable String queue,
        @Nullable String user,
        @Nullable Set<ApplicationState> states,
        @Nullable String tag) {

    /** Returns a filter; throws a {@link ProblemException} if the state is unknown. */
    static ApplicationFilter of(
            @Nullable String queue, @Nullable String user, @Nullable String state, @Nullable String tag) {
        return new ApplicationFilter(
                queue == null ? null : queue.toLowerCase(Locale.ROOT), user, state == null ? null : states(state), tag);
    }

    private static Set<ApplicationState> states(String wireName) {
        Set<ApplicationState> found = EnumSet.noneOf(ApplicationState.class);
        for (ApplicationState state : ApplicationState.values()) {
            boolean wanted = wireName.equalsIgnoreCase("active")
                    ? !state.isEnded()
                    : wireName.equalsIgnoreCase("ended")
                            ? state.isEnded()
                            : state.wireName().equalsIgnoreCase(wireName);
            if (wanted) {
                found.add(state);
            }
        }
        if (found.isEmpty()) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "unknown application state " + wireName + "; use active, ended or a state such as Running");
        }
        return found;
    }

    /** Returns whether the filter matches every application. */
    boolean isEmpty() {
        return queue == null && user == null && states == null && tag == null;
    }

    /**
     * Returns the next application to visit, in submission order: of the queue if it is a leaf and only applications
     * that have not ended match, because ended ones leave their queues; otherwise of the whole partition.
     *
     * @param after the application that was visited last, or null
     */
    @Nullable Application next(Partition partition, @Nullable Application after) {
        boolean active = states != null && states.stream().noneMatch(ApplicationState::isEnded);
        Queue only = queue == null || !active ? null : partition.queues().find(queue);
        return only != null && only.isLeaf() ? only.nextApplication(after) : partition.nextApplication(after);
    }

    boolean matches(Application application) {
        return (states == null || states.contains(application.state()))
                && (user == null || application.spec().user().equals(user))
                && (tag == null || tag.equals(application.spec().tag()))
                && (queue == null
                        || (application.hasQueue()
                                && isAtOrBelow(application.queue().path(), queue)));
    }

    private static boolean isAtOrBelow(String path, String above) {
        return path.startsWith(above) && (path.length() == above.length() || path.charAt(above.length()) == '.');
    }
}
