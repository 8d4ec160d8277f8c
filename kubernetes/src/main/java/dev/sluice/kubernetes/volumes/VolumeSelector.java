package dev.sluice.kubernetes.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.binding.Backoff;
import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.RequestTimer;
import dev.sluice.kubernetes.translation.PodVolumes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Has the claims of pods bound for the nodes on which the pods are placed, before the pods are bound.
 *
 * <p>A claim that is not bound gets the annotation {@code volume.kubernetes.io/selected-node}, with which its
 * provisioner begins, and is looked at until it is bound. A provisioner that cannot provision for that node removes the
 * annotation again. Requests that are refused for now, or whose outcome is unknown, are repeated; what has happened is
 * seen in the claim. No thread waits.
 *
 * <p>Thread-safe. {@link #select} returns at once.
 */
public final class VolumeSelector {

    /** How long claims may take to be bound by default, as in kube-scheduler. */
    public static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final ApiRequests requests;
    private final RequestTimer timer;
    private final Backoff backoff;
    private final Duration timeout;
    private final VolumeListener listener;
    private final ConcurrentMap<String, Selection> selections = new ConcurrentHashMap<>();

    /** The claims of one pod; its steps are executed one after the other. */
    private static final class Selection {

        private final PodRef pod;
        private final String node;
        private final List<String> unbound;
        private final long beganNanos;

        /** The unique ids of claims that have had the annotation. */
        private final Set<String> annotated = new HashSet<>();

        private int looks;
        private int failures;

        Selection(PodRef pod, List<String> claims, String node, long beganNanos) {
            this.pod = pod;
            this.node = node;
            this.unbound = new ArrayList<>(claims);
            this.beganNanos = beganNanos;
        }
    }

    /**
     * Creates a selector.
     *
     * @param timer executes the requests
     * @param backoff how often a request that fails is repeated, and the delays between two looks at claims
     * @param timeout how long the claims of a pod may take to be bound
     * @param listener receives the outcomes
     */
    public VolumeSelector(
            ApiRequests requests, RequestTimer timer, Backoff backoff, Duration timeout, VolumeListener listener) {
        this.requests = requests;
        this.timer = timer;
        this.backoff = backoff;
        this.timeout = timeout;
        this.listener = listener;
    }

    /** Has the claims of a pod bound for a node. A selection for another node replaces it, without an outcome. */
    public void select(PodRef pod, List<String> claims, String node) {
        Selection selection = new Selection(pod, claims, node, timer.nanos());
        selections.put(pod.uid(), selection);
        timer.schedule(() -> step(selection), 0);
    }

    /** Forgets a pod, without an outcome; claims that have been annotated are provisioned nevertheless. */
    public void cancel(PodRef pod) {
        selections.remove(pod.uid());
    }

    private void step(Selection selection) {
        for (Iterator<String> left = selection.unbound.iterator(); left.hasNext(); ) {
            if (selections.get(selection.pod.uid()) != selection) {
                return;
            }
            String claim = left.next();
            ApiAnswer answer = requests.get(path(selection, claim));
            if (!answer.isSuccess()) {
                repeat(selection, claim, answer);
                return;
            }
            if (PodVolumes.isBound(answer.body())) {
                left.remove();
                continue;
            }
            String problem = problem(selection, answer.body());
            if (problem != null) {
                fail(selection, "persistentvolumeclaim " + claim + " " + problem);
                return;
            }
            if (selection.annotated.add(uid(answer.body())) && !isSelected(selection, answer.body())) {
                ApiAnswer patched = requests.patch(path(selection, claim), annotation(selection, answer.body()));
                if (!patched.isSuccess()) {
                    selection.annotated.remove(uid(answer.body()));
                    repeat(selection, claim, patched);
                    return;
                }
            }
        }
        selection.failures = 0;
        if (selection.unbound.isEmpty()) {
            if (selections.remove(selection.pod.uid(), selection)) {
                listener.bound(selection.pod, selection.node);
            }
        } else if (timer.nanos() - selection.beganNanos >= timeout.toNanos()) {
            fail(
                    selection,
                    "not bound after " + timeout.toSeconds() + " s: persistentvolumeclaim "
                            + String.join(", ", selection.unbound));
        } else {
            selection.looks++;
            again(selection, backoff.after(selection.looks, Duration.ZERO));
        }
    }

    /** Returns why a claim that is not bound will not be for this node, or null. */
    private static @Nullable String problem(Selection selection, JsonNode claim) {
        if (claim.at("/metadata/deletionTimestamp").isTextual()) {
            return "is being deleted";
        }
        String selected = selected(claim);
        if (selected.isEmpty()) {
            return selection.annotated.contains(uid(claim))
                    ? "cannot be provisioned for node " + selection.node + ": its events say why"
                    : null;
        }
        return selected.equals(selection.node) ? null : "is provisioned for node " + selected;
    }

    /** Also after a conflict: the claim has changed, so it is looked at again. */
    private void repeat(Selection selection, String claim, ApiAnswer answer) {
        selection.failures++;
        if (answer.isNotFound()) {
            fail(selection, "persistentvolumeclaim " + claim + " not found");
        } else if ((answer.isTransient() || answer.isConflict()) && selection.failures < backoff.attempts()) {
            again(selection, backoff.after(selection.failures, answer.retryAfter()));
        } else {
            fail(selection, "persistentvolumeclaim " + claim + ": " + answer.reason());
        }
    }

    private void again(Selection selection, Duration delay) {
        timer.schedule(() -> step(selection), delay.toNanos());
    }

    private void fail(Selection selection, String reason) {
        if (selections.remove(selection.pod.uid(), selection)) {
            listener.failed(selection.pod, selection.node, reason);
        }
    }

    private static boolean isSelected(Selection selection, JsonNode claim) {
        return selected(claim).equals(selection.node);
    }

    private static String selected(JsonNode claim) {
        return claim.at("/metadata/annotations").path(PodVolumes.SELECTED_NODE).asText();
    }

    private static String uid(JsonNode claim) {
        return claim.at("/metadata/uid").asText();
    }

    /** Names version and unique id, so that a claim that has changed meanwhile is not annotated. */
    private static ObjectNode annotation(Selection selection, JsonNode claim) {
        ObjectNode patch = ApiRequests.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", uid(claim));
        metadata.put("resourceVersion", claim.at("/metadata/resourceVersion").asText());
        metadata.putObject("annotations").put(PodVolumes.SELECTED_NODE, selection.node);
        return patch;
    }

    private static String path(Selection selection, String claim) {
        return "/api/v1/namespaces/" + selection.pod.namespace() + "/persistentvolumeclaims/" + claim;
    }
}
