package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.execution.PodRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens in a cluster, also while the scheduler does not watch it, the state follows: each pod to be
 * scheduled has one task, each task a pod, each run a pod on its node, and the capacity of each node is what pods that
 * are not tasks leave. Pods with a task group take places of the gang of their application, each place at most once.
 * Following the changes finds all that a comparison of everything would find.
 */
final class RandomClusterTest {

    private static final int STEPS = 250;
    private static final String[] SCHEDULERS = {"sluice", "sluice", "sluice", "default-scheduler"};

    /** A pod as the API server has it. */
    private record PodTruth(
            String name,
            String scheduler,
            String application,
            int cores,
            boolean member,
            Instant created,
            @Nullable String node,
            @Nullable String place,
            boolean gated,
            boolean ended) {

        private PodTruth boundTo(String newNode, @Nullable String newPlace) {
            return new PodTruth(name, scheduler, application, cores, member, created, newNode, newPlace, false, ended);
        }

        private PodTruth open() {
            return new PodTruth(name, scheduler, application, cores, member, created, node, place, false, ended);
        }

        private PodTruth finished() {
            return new PodTruth(name, scheduler, application, cores, member, created, node, place, gated, true);
        }

        private String metadata() {
            String groups = "[{\"name\": \"g\", \"minMember\": 3, \"minResource\": {\"cpu\": \"2\"}}]";
            return "creationTimestamp: \"" + created + "\", labels: {applicationId: " + application + "}"
                    + (member
                            ? ", annotations: {yunikorn.apache.org/task-group-name: g, yunikorn.apache.org/task-groups: '"
                                    + groups + "', yunikorn.apache.org/schedulingPolicyParameters:"
                                    + " \"placeholderTimeoutInSeconds=40\""
                                    + (place == null ? "" : ", sluice.dev/place: " + place) + "}"
                            : "");
        }

        private boolean isOurs() {
            return scheduler.equals("sluice");
        }
    }

    private final Cluster cluster = new Cluster();
    private final Map<String, Integer> nodes = new TreeMap<>();
    private final Map<String, PodTruth> pods = new TreeMap<>();
    private final Deque<PodRequest> requests = new ArrayDeque<>();
    private Random random = new Random();
    private int named;

    /** The cores that the namespace may use, or nothing. */
    private String quota = "";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void state_followsAnyCluster(long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            happen();
            if (random.nextInt(3) == 0) {
                follow();
                cluster.cycle();
            }
            if (random.nextInt(10) == 0) {
                settle("seed " + seed + ", step " + step);
            }
        }
        settle("seed " + seed);
    }

    private void happen() {
        cluster.now = cluster.now.plusSeconds(1);
        switch (random.nextInt(17)) {
            case 13 -> annotate();
            case 0 -> addNode();
            case 1 -> removeNode();
            case 2, 3, 4 -> createPod();
            case 5 -> anyPod().ifPresent(this::deletePod);
            case 6 -> anyPod().filter(pod -> pod.gated()).ifPresent(pod -> set(pod.open()));
            case 7 -> anyPod().filter(pod -> pod.node() == null && !pod.gated()).ifPresent(this::bindByAnother);
            case 8 -> anyPod().filter(pod -> pod.node() != null).ifPresent(this::endPod);
            case 9 -> restart();
            case 10 -> cancel();
            case 11 -> stop();
            default -> answer();
        }
    }

    private void addNode() {
        String name = "n" + random.nextInt(5);
        nodes.put(name, 1 + random.nextInt(8));
        cluster.node(name, String.valueOf(nodes.get(name)));
    }

    /** The pods of a removed node are removed, too, as by the garbage collector. */
    private void removeNode() {
        String name = "n" + random.nextInt(5);
        if (random.nextInt(3) == 0 && nodes.remove(name) != null) {
            cluster.view.removeNode(name);
            for (PodTruth pod : List.copyOf(pods.values())) {
                if (name.equals(pod.node())) {
                    deletePod(pod);
                }
            }
        }
    }

    private void createPod() {
        String name = "p" + named++;
        String scheduler = SCHEDULERS[random.nextInt(SCHEDULERS.length)];
        int application = random.nextInt(6);
        set(new PodTruth(
                name,
                scheduler,
                "job" + application,
                1 + random.nextInt(3),
                application > 3 && random.nextInt(4) > 0,
                cluster.now,
                null,
                null,
                random.nextInt(4) == 0,
                false));
    }

    private void set(PodTruth pod) {
        pods.put(pod.name(), pod);
        show(pod);
    }

    private void show(PodTruth pod) {
        cluster.pod(
                pod.name(),
                pod.scheduler(),
                String.valueOf(pod.cores()),
                pod.metadata(),
                (pod.node() == null ? "" : "nodeName: " + pod.node() + ", ")
                        + (pod.gated() ? "schedulingGates: [{name: g}]" : ""),
                pod.ended() ? "phase: Succeeded" : "");
    }

    private Optional<PodTruth> anyPod() {
        List<PodTruth> all = new ArrayList<>(pods.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void deletePod(PodTruth pod) {
        pods.remove(pod.name());
        cluster.view.removePod("u-" + pod.name());
    }

    private void endPod(PodTruth pod) {
        set(pod.finished());
    }

    private void bindByAnother(PodTruth pod) {
        if (!nodes.isEmpty()) {
            set(pod.boundTo(anyNode(), null));
        }
    }

    private String anyNode() {
        return List.copyOf(nodes.keySet()).get(random.nextInt(nodes.size()));
    }

    private void follow() {
        cluster.expirePlaces();
        cluster.follow();
        requests.addAll(cluster.run());
    }

    /** The API server answers the oldest request; its outcome and the watch overtake each other. */
    private void answer() {
        PodRequest request = requests.poll();
        if (request instanceof PodRequest.Bind bind) {
            PodTruth pod = pods.get(bind.pod().name());
            boolean isBound = pod != null
                    && pod.node() == null
                    && !pod.ended()
                    && nodes.containsKey(bind.node())
                    && random.nextInt(5) > 0;
            boolean isShownFirst = random.nextBoolean();
            if (pod != null && isBound && isShownFirst) {
                set(pod.boundTo(bind.node(), bind.place()));
            }
            cluster.view.endBinding(bind.pod().uid(), isBound ? bind.node() : null);
            if (pod != null && isBound && !isShownFirst) {
                show(pod); // an older description
                set(pod.boundTo(bind.node(), bind.place()));
            } else if (!isBound) {
                cluster.handle(new Command.ReportTaskNotStarted(bind.run()));
            }
        } else if (request instanceof PodRequest.End end) {
            PodTruth pod = pods.get(end.pod().name());
            if (random.nextInt(5) == 0) {
                cluster.view.failEnding(end.pod().uid());
            } else if (pod != null) {
                deletePod(pod);
            }
        }
    }

    private void stop() {
        anyPod().filter(pod -> random.nextInt(4) == 0).ifPresent(pod -> {
            Task task = task(pod);
            if (task != null) {
                cluster.handle(new Command.StopTask(task.ref()));
            }
        });
    }

    private void annotate() {
        quota = random.nextInt(3) == 0 ? "" : String.valueOf(1 + random.nextInt(9));
        showNamespace();
    }

    private void showNamespace() {
        cluster.namespace(quota.isEmpty() ? "" : "yunikorn.apache.org/namespace.quota: '{\"cpu\": \"" + quota + "\"}'");
    }

    private void restart() {
        if (random.nextInt(4) == 0) {
            cluster.restart();
            requests.clear();
            showNamespace();
            nodes.forEach((name, cores) -> cluster.node(name, String.valueOf(cores)));
            pods.values().forEach(this::show);
            cluster.followAll();
            requests.addAll(cluster.runAll());
        }
    }

    private void cancel() {
        String id = "job" + random.nextInt(6);
        Application application = cluster.partition().application(id);
        if (random.nextInt(4) == 0
                && application != null
                && !application.state().isEnded()) {
            cluster.handle(new Command.CancelApplication("default", id, "test"));
        }
    }

    private @Nullable Task task(PodTruth pod) {
        Application application = pod.isOurs() ? cluster.partition().application(pod.application()) : null;
        if (application != null && pod.place() != null) {
            return GangPlaces.taskOf(application, pod.place());
        }
        TaskGroup group = application == null ? null : application.group(pod.name() + "." + ("u-" + pod.name()));
        return group == null ? null : group.placed(0);
    }

    private void settle(String when) {
        do {
            while (!requests.isEmpty()) {
                answer();
            }
            cluster.expirePlaces();
            while (!cluster.view.changes().isEmpty()) {
                follow();
            }
        } while (!requests.isEmpty());
        // following the changes has left nothing to do
        assertThat(cluster.followAll()).as(when).isEmpty();
        assertThat(cluster.runAll()).as(when).isEmpty();
        assertThat(cluster.reports).as(when).isEmpty();
        checkRuns(when);
        checkNodes(when);
        checkPods(when);
        checkTasks(when);
        Queue queue = cluster.partition().queues().find("root.team-a");
        if (queue != null) {
            assertThat(queue.configuration().max()).as(when).hasToString(quota.isEmpty() ? "" : "vcore " + quota);
        }
    }

    private void checkNodes(String when) {
        assertThat(cluster.partition().nodes())
                .as(when)
                .extracting(Node::name)
                .containsExactlyInAnyOrderElementsOf(nodes.keySet());
        for (Node node : cluster.partition().nodes()) {
            long free = nodes.getOrDefault(node.name(), 0);
            long slots = 10;
            for (PodTruth pod : pods.values()) {
                Task task = task(pod);
                boolean isTask = task != null && task.node() == node;
                if (node.name().equals(pod.node()) && !pod.ended() && !isTask) {
                    free -= pod.cores();
                    slots--;
                }
            }
            Resources expected = Resources.parse(
                    "vcore", String.valueOf(Math.max(0, free)), "slots", String.valueOf(Math.max(0, slots)));
            assertThat(node.capacity()).as(when + ", " + node.name()).isEqualTo(expected);
        }
    }

    /** Each pod to be scheduled has a task, unless it is refused. */
    private void checkPods(String when) {
        Map<String, Integer> waiting = new TreeMap<>();
        for (PodTruth pod : pods.values()) {
            boolean wanted = pod.isOurs() && pod.node() == null && !pod.gated() && !pod.ended();
            Application application = cluster.partition().application(pod.application());
            TaskGroup group = application == null ? null : application.group(pod.name() + "." + ("u-" + pod.name()));
            boolean waits = group != null && (group.isUnallocated(0) || group.placed(0) != null);
            boolean refused = cluster.refusals.containsKey("u-" + pod.name());
            if (wanted && pod.member() && group == null && !refused) {
                waiting.merge(pod.application(), 1, Integer::sum);
            } else if (wanted) {
                assertThat(waits != refused).as(when + ", " + pod).isTrue();
            }
        }
        waiting.forEach((id, members) -> {
            TaskGroup places = cluster.application(id).group("g");
            assertThat(places).as(when + ", " + id).isNotNull();
            long reserved = places.placed().stream().filter(Task::isReserved).count();
            assertThat(members).as(when + ", " + id).isLessThanOrEqualTo((int) (places.unallocated() + reserved));
        });
    }

    private List<PodTruth> podsAt(Task task) {
        return pods.values().stream()
                .filter(pod -> pod.application().equals(task.application().id()))
                .filter(pod -> GangPlaces.place(task).equals(pod.place()))
                .toList();
    }

    private boolean hasLivePod(Application application) {
        return pods.values().stream()
                .anyMatch(pod -> pod.isOurs() && pod.application().equals(application.id()) && !pod.ended());
    }

    /** Each allocated task has a pod on its node, and nothing that is to stop is left. */
    private void checkRuns(String when) {
        for (Node node : cluster.partition().nodes()) {
            for (Task task : node.tasks()) {
                if (task.group().name().equals("g")) {
                    checkPlace(task, when + ", " + task);
                    continue;
                }
                PodTruth pod = pods.get(
                        task.group().name().substring(0, task.group().name().indexOf('.')));
                assertThat(pod != null && !pod.ended() && node.name().equals(pod.node()))
                        .as(when + ", " + task)
                        .isTrue();
                assertThat(task.stopReason()).as(when + ", " + task).isNull();
            }
        }
    }

    /** A place has one pod on its node, or is held for one that may come. */
    private void checkPlace(Task task, String when) {
        List<PodTruth> taking = podsAt(task);
        assertThat(taking.size()).as(when).isLessThanOrEqualTo(1);
        assertThat(task.stopReason()).as(when).isNull();
        for (PodTruth pod : taking) {
            assertThat(pod.node()).as(when).isEqualTo(task.node().name());
            assertThat(pod.ended()).as(when).isFalse();
        }
        if (taking.isEmpty()) {
            assertThat(hasLivePod(task.application())).as(when).isTrue();
            assertThat(cluster.now).as(when).isBefore(task.placedAt().plusSeconds(40));
        }
    }

    /** Each task that is not allocated has a pod to be scheduled. */
    private void checkTasks(String when) {
        for (Application application : cluster.partition().applications()) {
            for (TaskGroup group : application.groups()) {
                if (group.name().equals("g")) {
                    assertThat(application.state().isEnded() || group.unallocated() == 0 || hasLivePod(application))
                            .as(when + ", " + group)
                            .isTrue();
                    continue;
                }
                PodTruth pod = pods.get(group.name().substring(0, group.name().indexOf('.')));
                if (group.isUnallocated(0) && !application.state().isEnded()) {
                    assertThat(pod != null && pod.node() == null && !pod.gated())
                            .as(when + ", " + group)
                            .isTrue();
                }
            }
        }
    }
}
