package dev.sluice.cli.serve;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * When pods were bound, or created for runs, and ended, from the audit log of the API server. The queue of a pod is the
 * beginning of its name. Requests whose answers were lost with a killed API server may be missing.
 */
final class PodHistory {

    private final Map<String, List<ApiRequest>> bindings = new LinkedHashMap<>();
    private final Map<String, List<ApiRequest>> creations = new LinkedHashMap<>();
    private final Map<String, List<ApiRequest>> statuses = new LinkedHashMap<>();
    private final List<JsonNode> pods;
    private long conflicts;

    /**
     * Creates the history of pods.
     *
     * @param requests what the API server has answered
     * @param servers the names of the accounts of servers
     * @param pods the pods as they are now
     */
    PodHistory(List<ApiRequest> requests, List<String> servers, List<JsonNode> pods) {
        this.pods = pods;
        for (ApiRequest request : requests) {
            boolean isOfServer = servers.stream().anyMatch(server -> ReplicaCluster.isOf(server, request));
            if (request.isCreationOfPod() && request.isSuccess() && isOfServer) {
                creations
                        .computeIfAbsent(request.name(), name -> new ArrayList<>())
                        .add(request);
            } else if (request.isBinding() && request.isSuccess()) {
                bindings.computeIfAbsent(request.name(), name -> new ArrayList<>())
                        .add(request);
            } else if (request.isBinding()) {
                conflicts += request.code() == 409 ? 1 : 0;
            } else if (request.resource().equals("pods/status")
                    && request.agent().startsWith("kwok")
                    && request.isSuccess()) {
                statuses.computeIfAbsent(request.name(), name -> new ArrayList<>())
                        .add(request);
            }
        }
    }

    private static String name(JsonNode pod) {
        return pod.at("/metadata/name").asString();
    }

    /** Returns the pods with several successful bindings, or whose node is another than that of their binding. */
    List<String> boundTwice() {
        return pods.stream()
                .filter(pod -> {
                    List<ApiRequest> bound = bindings.getOrDefault(name(pod), List.of());
                    return bound.size() > 1
                            || bound.stream()
                                    .anyMatch(each -> !each.target()
                                            .equals(pod.at("/spec/nodeName").asString()));
                })
                .map(pod -> name(pod) + " " + bindings.get(name(pod)))
                .toList();
    }

    /** Returns the names of the pods of a namespace that have succeeded. */
    List<String> namesOfEnded(String namespace) {
        return pods.stream()
                .filter(pod -> pod.at("/metadata/namespace").asString().equals(namespace))
                .filter(pod -> pod.at("/status/phase").asString("").equals("Succeeded"))
                .map(PodHistory::name)
                .toList();
    }

    /** Returns the names of pods that servers have created for runs, each once per successful request. */
    List<String> created() {
        return creations.values().stream()
                .flatMap(List::stream)
                .map(ApiRequest::name)
                .toList();
    }

    /** Returns the number of refused bindings of pods that had one. */
    long conflicts() {
        return conflicts;
    }

    private record Step(Instant at, int change) {}

    /** Returns the largest number of pods of a queue that were bound and had not ended. */
    int most(String queue) {
        List<Step> steps = new ArrayList<>();
        for (JsonNode pod : pods) {
            if (name(pod).startsWith(queue + "-")) {
                steps.add(new Step(begin(pod), 1));
                steps.add(new Step(end(pod), -1));
            }
        }
        steps.sort(Comparator.comparing(Step::at).thenComparing(Step::change));
        int now = 0;
        int most = 0;
        for (Step step : steps) {
            now += step.change();
            most = Math.max(most, now);
        }
        return most;
    }

    /** Returns when binding or creation was requested or, if that is missing, when the pod ran. */
    private Instant begin(JsonNode pod) {
        List<ApiRequest> bound = bindings.getOrDefault(name(pod), creations.getOrDefault(name(pod), List.of()));
        return bound.isEmpty()
                ? Instant.parse(pod.at("/status/startTime").asString())
                : bound.get(0).received();
    }

    /** Returns when the end was reported, after which another pod may take the place; the first report is the start. */
    private Instant end(JsonNode pod) {
        List<ApiRequest> reported = statuses.getOrDefault(name(pod), List.of());
        return reported.size() > 1
                ? reported.get(1).received()
                : Instant.parse(pod.at("/status/containerStatuses/0/state/terminated/finishedAt")
                        .asString());
    }
}
