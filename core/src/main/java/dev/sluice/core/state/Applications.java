package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a partition, from submission until they are forgotten, and their indexes by id, user and tag.
 */
final class Applications {

    private final String partition;
    private final QueueTree queues;
    private final Demand demand;
    private final DurationHistory durations;
    private final Timers timers;
    private final Changes changes;
    private final Map<String, Application> applications = new HashMap<>();
    private final ApplicationNames names = new ApplicationNames();
    private final ApplicationList order = new ApplicationList();
    private final IndexAllocator indexes = new IndexAllocator();
    private final Users users = new Users();
    private final Lineages lineages = new Lineages(SchedulerLimits.LINEAGES_IDLE_MAX);
    private final ApplicationNumbers numbers = new ApplicationNumbers(SchedulerLimits.NUMBERED_NAMES_MAX);
    private final Map<String, Set<Application>> awaiting = new HashMap<>();
    private long submissions;

    Applications(
            String partition,
            QueueTree queues,
            Demand demand,
            DurationHistory durations,
            Timers timers,
            Changes changes) {
        this.partition = partition;
        this.queues = queues;
        this.demand = demand;
        this.durations = durations;
        this.timers = timers;
        this.changes = changes;
    }

    /** Returns all remembered applications in the order of submission. */
    Collection<Application> all() {
        return order;
    }

    /** Returns the application submitted after this one, or the first one; see {@link Partition#nextApplication}. */
    @Nullable Application next(@Nullable Application after) {
        return order.next(after);
    }

    @Nullable Application find(String id) {
        return applications.get(id);
    }

    /** Returns the application with this name that was submitted last, or null. */
    @Nullable Application newestNamed(String name) {
        return names.newest(name);
    }

    /** Returns an exclusive upper bound of the indexes of applications. */
    int indexBound() {
        return indexes.bound();
    }

    Users users() {
        return users;
    }

    Lineages lineages() {
        return lineages;
    }

    /** Returns the next number of this name that makes an id which no remembered application has. */
    long nextNumber(String name) {
        long number = numbers.last(name) + 1;
        while (applications.containsKey(ApplicationSpec.numberedId(name, number))) {
            number++;
        }
        return number;
    }

    void setLastNumber(String name, long number) {
        numbers.use(name, number);
    }

    void submit(ApplicationSpec spec, @Nullable String queuePath, Instant at, long number) {
        Queue queue = queuePath == null ? null : queues.find(queuePath);
        if (queuePath != null && queue == null) {
            throw new IllegalStateException("queue " + queuePath + " not found");
        }
        if (number > 0) {
            numbers.use(spec.name(), number);
        }
        Application replaced = applications.get(spec.id());
        if (replaced != null) {
            forget(replaced);
        }
        Application application = new Application(partition, spec, queue, indexes.allocate(), submissions++, at);
        applications.put(spec.id(), application);
        names.add(application);
        order.append(application);
        users.add(spec.user());
        if (queue != null) {
            queue.add(application);
            application.joinLimits();
            lineages.add(application);
            application.setUnmet(application.unmet().withAfter(live(spec.start().after())));
            indexAwaited(application);
        }
        waitForStartTime(application, at);
        changes.touch(application);
    }

    /** Returns the conditions on applications that have not ended. */
    private Map<String, ApplicationCondition> live(Map<String, ApplicationCondition> after) {
        Map<String, ApplicationCondition> live = new LinkedHashMap<>();
        after.forEach((other, condition) -> {
            Application awaited = find(other);
            if (awaited != null && !awaited.state().isEnded()) {
                live.put(other, condition);
            }
        });
        return live;
    }

    void addTasks(Application application, List<TaskSpec> tasks) {
        int first = application.groups().size();
        application.reserveGroups(tasks.size());
        for (TaskSpec task : tasks) {
            TaskGroup group = application.add(task, demand, meanDuration(application, task));
            demand.add(group, task.size());
        }
        for (int i = first; i < application.groups().size(); i++) {
            TaskGroup group = application.groups().get(i);
            group.kind().after().forEach((other, condition) -> {
                TaskGroup awaited = application.group(other);
                if (awaited == null) {
                    throw new IllegalStateException(group + " depends on " + other + ", which does not exist");
                }
                group.waitFor(awaited, condition);
            });
            demand.countPending(group, group.pending());
        }
    }

    /**
     * Returns the mean duration of earlier runs of such tasks; zero if the specification has its own expected duration.
     */
    private Duration meanDuration(Application application, TaskSpec task) {
        return task.expectedDuration().isZero()
                ? durations.use(DurationHistory.Key.of(application.spec(), task))
                : Duration.ZERO;
    }

    void seal(Application application) {
        application.seal();
        changes.touch(application);
    }

    /** Makes tasks of an ended application pending again: all, or the unsuccessful ones. */
    void retry(Application application, boolean all) {
        if (!application.state().isEnded()) {
            throw new IllegalStateException(application + " has not ended");
        }
        rejoinQueue(application);
        for (TaskGroup group : application.groups()) {
            demand.add(group, application.retry(group, all));
        }
        for (TaskGroup group : application.groups()) {
            if (all) {
                group.recountDependencies();
            }
            demand.countPending(group, group.pending());
        }
    }

    /**
     * Sets the queue of an ended application to the one that has its path now: if it was the last one in a queue that
     * placement rules created, that queue was removed, and may have been created again.
     */
    private void rejoinQueue(Application application) {
        Queue former = application.queue();
        Queue present = queues.find(former.path());
        if (present == null || !present.isLeaf()) {
            throw new IllegalStateException(application + " cannot run again in queue " + former.path());
        }
        if (present != former) {
            application.setQueue(present);
            changes.touchDefinition(application);
        }
    }

    void setHeld(Application application, boolean held) {
        if (held == application.isHeld()) {
            throw new IllegalStateException(application + (held ? " is already held" : " is not held"));
        }
        setUnmet(application, application.unmet().withHold(held));
    }

    /** Changes the conditions of an application's start, and counts its pending tasks again. */
    private void setUnmet(Application application, StartConditions conditions) {
        List<TaskGroup> groups = application.groups();
        int[] before = groups.stream().mapToInt(TaskGroup::pending).toArray();
        application.setUnmet(conditions);
        for (int i = 0; i < before.length; i++) {
            demand.countPending(groups.get(i), groups.get(i).pending() - before[i]);
        }
        changes.touch(application);
    }

    /** Changes the queue of an application without tasks on nodes, or the specifications of its tasks, or both. */
    void update(Application application, ApplicationUpdate update) {
        countUnallocated(application, -1);
        String path = update.queue();
        if (path != null) {
            move(application, path);
        }
        application.update(update, demand);
        countUnallocated(application, 1);
        changes.touchDefinition(application);
    }

    private void move(Application application, String path) {
        Queue target = queues.find(path);
        if (target == null || application.boundTasks() > 0) {
            throw new IllegalStateException(application + " cannot move to queue " + path);
        }
        Queue before = application.queue();
        int active = application.isActive() ? 1 : 0;
        int starting = application.state() == ApplicationState.STARTING ? 1 : 0;
        before.countActive(-active);
        before.countStarting(-starting);
        before.remove(application);
        application.leaveLimits();
        application.setQueue(target);
        application.joinLimits();
        target.add(application);
        target.countActive(active);
        target.countStarting(starting);
    }

    /** Adds the unallocated tasks of an application to the demand and its queue, or subtracts them for -1. */
    private void countUnallocated(Application application, int sign) {
        for (TaskGroup group : application.groups()) {
            demand.add(group, sign * group.unallocated());
            application.queue().countPending(group.demand(), sign * (long) group.pending());
        }
    }

    void setState(Application application, ApplicationState state, String reason, Instant at) {
        int starting = (state == ApplicationState.STARTING ? 1 : 0)
                - (application.state() == ApplicationState.STARTING ? 1 : 0);
        if (starting != 0) {
            application.queue().countStarting(starting);
        }
        if (state.isEnded() && !application.state().isEnded()) {
            users.remove(application.spec().user());
        } else if (application.state().isEnded() && !state.isEnded()) {
            users.add(application.spec().user());
            lineages.add(application);
            application.queue().add(application);
            application.joinLimits();
        }
        if (state.isEnded() || state == ApplicationState.FAILING) {
            lineages.remove(application);
        }
        application.setState(state, reason, at);
        timers.cancel(application);
        changes.touch(application);
        if (application.isActive() && !keepsActive(state)) {
            application.setActive(false);
            application.queue().countActive(-1);
        }
        if (state.isEnded() && application.hasQueue()) {
            application.endLimits();
            application.queue().remove(application);
        }
        Duration stay = stateTimeout(state);
        if (stay != null) {
            timers.set(application, at, stay);
        } else {
            waitForStartTime(application, at);
        }
        demand.updateGang(application);
        if (state == ApplicationState.EXPIRED) {
            forget(application);
        }
    }

    /** Called when the timeout of a gang has passed. */
    void gangTimedOut(Application application) {
        GangProgress gang = application.gang();
        if (gang == null || !gang.isWaiting()) {
            throw new IllegalStateException(application + " has no gang that waits");
        }
        gang.setTimedOut(true);
        gang.update(timers);
        changes.touch(application);
    }

    private void indexAwaited(Application application) {
        for (String other : application.awaited().keySet()) {
            awaiting.computeIfAbsent(other, id -> new TreeSet<>(Application.BY_SEQUENCE))
                    .add(application);
        }
    }

    private void removeAwaited(Application application, String other) {
        awaiting.computeIfPresent(other, (id, dependents) -> {
            dependents.remove(application);
            return dependents.isEmpty() ? null : dependents;
        });
    }

    /** Returns the applications that wait for the end of this one, in the order of submission. */
    List<Application> awaiting(Application ended) {
        return List.copyOf(awaiting.getOrDefault(ended.id(), Set.of()));
    }

    /** Called when another application has ended that this one waited for. */
    void awaitNoLonger(Application application, String other) {
        if (!application.awaited().containsKey(other)) {
            throw new IllegalStateException(application + " does not wait for application " + other);
        }
        removeAwaited(application, other);
        setUnmet(application, application.unmet().withoutAfter(other));
    }

    /** Sets the timer of an application that must not start yet. */
    private void waitForStartTime(Application application, Instant at) {
        Instant notBefore = application.notBefore();
        ApplicationState state = application.state();
        if (notBefore != null && (state == ApplicationState.NEW || state == ApplicationState.ACCEPTED)) {
            timers.set(application, at, Duration.between(at, notBefore));
        }
    }

    void startTimeReached(Application application) {
        if (application.notBefore() == null) {
            throw new IllegalStateException(application + " waits for no instant");
        }
        timers.cancel(application);
        setUnmet(application, application.unmet().withNotBefore(null));
    }

    private static boolean keepsActive(ApplicationState state) {
        return state == ApplicationState.STARTING
                || state == ApplicationState.RUNNING
                || state == ApplicationState.FAILING;
    }

    private static @Nullable Duration stateTimeout(ApplicationState state) {
        return switch (state) {
            case STARTING -> SchedulerLimits.STARTING_MAX;
            case COMPLETING -> SchedulerLimits.COMPLETING_MAX;
            case REJECTED, COMPLETED, FAILED -> SchedulerLimits.ENDED_RETENTION;
            case NEW, ACCEPTED, RUNNING, FAILING, EXPIRED, RESUMING -> null;
        };
    }

    void writeTo(PartitionCheckpointWriter out) {
        users.writeTo(out);
        lineages.writeTo(out);
        out.sink().number(submissions);
        out.sink().number(applications.size());
        order.forEach(application -> application.writeTo(out));
        indexes.writeTo(out);
        numbers.writeTo(out);
    }

    void readFrom(PartitionCheckpointReader in) {
        users.readFrom(in);
        lineages.readFrom(in);
        long submitted = in.isVersion1() ? 0 : in.source().number();
        int count = in.count();
        long previous = -1;
        for (int i = 0; i < count; i++) {
            Application application = Application.readFrom(in, partition, demand, i);
            if (application.sequence() <= previous) {
                throw PartitionCheckpointReader.corrupt("application " + application + " is out of order");
            }
            previous = application.sequence();
            if (applications.putIfAbsent(application.id(), application) != null) {
                throw PartitionCheckpointReader.corrupt("duplicate application " + application);
            }
            names.add(application);
            order.append(application);
            indexAwaited(application);
            enter(application);
            demand.updateGang(application);
        }
        submissions = in.isVersion1() ? count : submitted;
        if (submissions <= previous) {
            throw PartitionCheckpointReader.corrupt("more applications than were ever submitted");
        }
        indexes.readFrom(in, order.stream().mapToInt(Application::index));
        if (in.hasApplicationControl()) {
            numbers.readFrom(in);
        }
    }

    /** Adds an application that was read from a checkpoint to its queue and to all counts. */
    private void enter(Application application) {
        if (!application.hasQueue() || application.state().isEnded()) {
            return;
        }
        Queue queue = application.queue();
        queue.add(application);
        if (application.state() != ApplicationState.FAILING) {
            lineages.addLive(application);
        }
        if (application.isActive()) {
            queue.countActive(1);
        }
        if (application.state() == ApplicationState.STARTING) {
            queue.countStarting(1);
        }
        countTasks(application, 1);
    }

    /** Adds the tasks of an application to all counts, or subtracts them, as long as none is allocated, for -1. */
    private void countTasks(Application application, int sign) {
        Queue queue = application.queue();
        for (TaskGroup group : application.groups()) {
            if (group.unallocated() + group.allocatedCount() > 0) {
                demand.add(group, sign * group.unallocated());
                group.placed().forEach(task -> demand.add(task, sign));
                queue.countPending(group.demand(), sign * (long) group.pending());
                group.placed().forEach(queue::countRestored);
            }
        }
    }

    /** Sets how far an application in a queue has come, all tasks of which are pending. */
    void restore(Application application, ApplicationProgress progress, Nodes nodes) {
        countTasks(application, -1);
        application.leaveLimits();
        application.restore(progress, nodes);
        application.joinLimits();
        countTasks(application, 1);
        for (TaskGroup group : application.groups()) {
            for (ApplicationProgress.Part part : progress.groups().get(group.index())) {
                DelayedTask delayed = part.retryAt() == null ? null : group.delayed(part.first());
                if (delayed != null && part.retryAt() != null) {
                    timers.add(delayed, part.retryAt());
                }
            }
            for (Task task : group.placed()) {
                Instant started = task.startedAt();
                Duration timeout = task.timeout();
                if (task.state() == TaskState.RUNNING && started != null && timeout != null) {
                    timers.set(task, started, timeout);
                }
            }
        }
        if (application.allocations() > 0 && keepsActive(progress.state())) {
            application.setActive(true);
            application.queue().countActive(1);
        }
        setState(application, progress.state(), "", progress.stateSince());
    }

    /** Determines the limits of all live applications again, after those of the queues were reset. */
    void updateLimits() {
        for (Application application : all()) {
            if (application.hasQueue() && !application.state().isEnded()) {
                application.joinLimits();
            }
        }
    }

    private void forget(Application application) {
        application.awaited().keySet().forEach(other -> removeAwaited(application, other));
        timers.cancel(application);
        if (application.gang() != null) {
            timers.cancel(application.gang());
        }
        application.forget();
        applications.remove(application.id());
        names.remove(application);
        order.remove(application);
        indexes.free(application.index());
        changes.touch(application);
    }
}
