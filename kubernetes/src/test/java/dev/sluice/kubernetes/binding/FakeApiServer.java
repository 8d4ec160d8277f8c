package dev.sluice.kubernetes.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Pods of namespace {@code team-a} of an API server, their bindings, evictions and conditions, and events, with faults
 * that a test asks for.
 */
public final class FakeApiServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/team-a/pods/";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/team-a/events";

    /** What happens to a request that changes something. */
    public enum Fault {
        /** It is answered with 429 and a delay of one second. */
        THROTTLED,
        /** It is answered with 500. */
        BROKEN,
        /** It is answered with 403. */
        FORBIDDEN,
        /** It is answered with 409, although the object is as the request requires it. */
        CONFLICT,
        /** The connection is closed before it has an effect. */
        LOST,
        /** The connection is closed after it has had its effect. */
        ANSWER_LOST,
        /** The pod is bound to another node before, by somebody else. */
        OVERTAKEN,
        /** It has no effect before {@link #release}. */
        HELD,
        /** It is executed; for tests in which only a later request fails. */
        NONE
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, ObjectNode> pods = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> events = new ConcurrentHashMap<>();
    private final Map<String, Log> logs = new ConcurrentHashMap<>();
    private final Map<String, String> budgets = new ConcurrentHashMap<>();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final Semaphore released = new Semaphore(0, true);

    /** The requests, such as {@code POST p} of a binding, {@code GET p}, {@code PATCH p} and {@code EVICT p}. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    /** The bodies of the requests that change something, except bindings. */
    public final List<JsonNode> bodies = new CopyOnWriteArrayList<>();

    public FakeApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(PODS, this::handlePods);
        server.createContext(PODS.substring(0, PODS.length() - 1), this::handleCreation);
        server.createContext(EVENTS, this::handleEvents);
        server.start();
    }

    public KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    public void create(PodRef pod) {
        ObjectNode created = JSON.createObjectNode();
        created.put("apiVersion", "v1").put("kind", "Pod");
        created.putObject("metadata")
                .put("namespace", "team-a")
                .put("name", pod.name())
                .put("uid", pod.uid())
                .put("resourceVersion", "1");
        created.putObject("spec").put("nodeName", "").putArray("containers");
        created.putObject("status");
        pods.put(pod.name(), created);
    }

    public void delete(PodRef pod) {
        pods.remove(pod.name());
    }

    public void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** The number of requests that wait for {@link #release}, which are released in the order in which they came. */
    public int held() {
        return released.getQueueLength();
    }

    /** Executes this many requests that are held. */
    public void release(int count) {
        released.release(count);
    }

    /** Makes a budget forbid the eviction of a pod, or, if it is empty, no budget any more. */
    public void forbidEviction(PodRef pod, String budget) {
        if (budget.isEmpty()) {
            budgets.remove(pod.name());
        } else {
            budgets.put(pod.name(), budget);
        }
    }

    public synchronized String nodeOf(PodRef pod) {
        ObjectNode stored = pods.get(pod.name());
        return stored == null ? "" : stored.at("/spec/nodeName").asText();
    }

    /** Returns a pod as JSON; empty if it does not exist. */
    public synchronized String pod(PodRef pod) {
        ObjectNode stored = pods.get(pod.name());
        return stored == null ? "" : stored.toString();
    }

    /** Returns a value of the events, such as {@code /series/count}, in the order of their names. */
    public synchronized List<String> events(String pointer) {
        return new TreeMap<>(events)
                .values().stream().map(event -> event.at(pointer).asText()).toList();
    }

    private void handleCreation(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        bodies.add(body);
        String name = body.at("/metadata/name").asText();
        change(exchange, "CREATE " + name, name, () -> create(name, (ObjectNode) body));
    }

    private Answer create(String name, ObjectNode pod) {
        ObjectNode created = pod.deepCopy();
        ((ObjectNode) created.path("metadata")).put("uid", "u-" + name);
        return pods.putIfAbsent(name, created) == null ? new Answer(201, created.toString()) : status(409, "");
    }

    /** Sets the beginning of the log of a pod, and whether it has ended; a log that has not is continued. */
    public void log(String pod, String text, boolean ended) {
        logs.put(pod, new Log(text, ended));
    }

    /** The log of a pod so far. */
    private record Log(String text, boolean ended) {}

    private void handleLog(HttpExchange exchange, String name) throws IOException {
        requests.add("LOG " + name);
        Log log = logs.get(name);
        if (log == null) {
            answer(exchange, status(400, ""));
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(log.text().getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        if (!log.ended() && exchange.getRequestURI().getQuery().contains("follow=true")) {
            released.acquireUninterruptibly();
            exchange.getResponseBody()
                    .write(Objects.requireNonNull(logs.get(name))
                            .text()
                            .substring(log.text().length())
                            .getBytes(StandardCharsets.UTF_8));
        }
        exchange.close();
    }

    private void handlePods(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(PODS.length());
        String name = path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
        if (path.endsWith("/log")) {
            handleLog(exchange, name);
            return;
        }
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        switch (exchange.getRequestMethod() + path.substring(name.length())) {
            case "POST/binding" -> change(exchange, "POST " + name, name, () -> bind(name, body));
            case "POST/eviction" -> change(exchange, "EVICT " + name, name, () -> evict(name, body));
            case "DELETE" -> change(exchange, "DELETE " + name, name, () -> delete(name, body));
            case "PATCH/status" -> change(exchange, "PATCH " + name, name, () -> patchStatus(name, body));
            case "GET" -> get(exchange, name);
            default -> throw new IOException("unexpected: " + exchange.getRequestMethod() + " " + path);
        }
        if (!path.endsWith("/binding") && !body.isMissingNode()) {
            bodies.add(body);
        }
    }

    private void handleEvents(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(EVENTS.length());
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        bodies.add(body);
        if (path.isEmpty()) {
            change(exchange, "POST event", "", () -> createEvent(body));
        } else {
            change(exchange, "PATCH event", "", () -> patchEvent(path.substring(1), body));
        }
    }

    /** An answer of a code and a body. */
    private record Answer(int code, String body) {}

    /** The effect of a request. */
    private interface Effect {
        Answer execute();
    }

    private void change(HttpExchange exchange, String request, String pod, Effect effect) throws IOException {
        requests.add(request);
        Fault polled = faults.poll();
        Fault fault = polled == null ? Fault.NONE : polled;
        if (fault == Fault.OVERTAKEN) {
            synchronized (this) {
                ((ObjectNode) Objects.requireNonNull(pods.get(pod)).path("spec")).put("nodeName", "stolen");
            }
        }
        if (fault == Fault.HELD) {
            released.acquireUninterruptibly();
        }
        switch (fault) {
            case LOST -> exchange.close();
            case THROTTLED -> answer(exchange, status(429, ", \"details\": {\"retryAfterSeconds\": 1}"));
            case BROKEN -> answer(exchange, status(500, ""));
            case FORBIDDEN -> answer(exchange, status(403, ""));
            case CONFLICT -> answer(exchange, status(409, ""));
            default -> {
                Answer answer = execute(effect);
                if (fault == Fault.ANSWER_LOST) {
                    exchange.close();
                } else {
                    answer(exchange, answer);
                }
            }
        }
    }

    private synchronized Answer execute(Effect effect) {
        return effect.execute();
    }

    private Answer bind(String name, JsonNode binding) {
        ObjectNode pod = pods.get(name);
        if (pod == null) {
            return status(404, "");
        }
        ObjectNode spec = (ObjectNode) pod.path("spec");
        if (isOtherThan(pod, binding.path("metadata"))
                || !spec.path("nodeName").asText().isEmpty()) {
            return status(409, "");
        }
        spec.put("nodeName", binding.at("/target/name").asText());
        return status(201, "");
    }

    private Answer evict(String name, JsonNode eviction) {
        String budget = budgets.get(name);
        if (pods.containsKey(name) && budget != null) {
            return status(429, """
                    , "details": {"causes": [{"reason": "DisruptionBudget", "message":
                      "The disruption budget %s needs 2 healthy pods and has 2 currently"}]}""".formatted(budget));
        }
        return delete(name, eviction.path("deleteOptions"));
    }

    private Answer delete(String name, JsonNode options) {
        ObjectNode pod = pods.get(name);
        if (pod == null || isOtherThan(pod, options.path("preconditions"))) {
            return status(pod == null ? 404 : 409, "");
        }
        pods.remove(name);
        return status(200, "");
    }

    private Answer patchStatus(String name, JsonNode patch) {
        ObjectNode pod = pods.get(name);
        if (pod == null) {
            return status(404, "");
        }
        if (isOtherThan(pod, patch.path("metadata"))) { // as the API server: without a version it is no conflict
            return status(patch.at("/metadata/resourceVersion").isMissingNode() ? 422 : 409, "");
        }
        ObjectNode status = (ObjectNode) pod.path("status");
        JsonNode node = patch.at("/status/nominatedNodeName");
        if (node.isNull()) {
            status.remove("nominatedNodeName");
        } else if (!node.isMissingNode()) {
            status.set("nominatedNodeName", node);
        }
        patch.at("/status/conditions").forEach(each -> mergeCondition(status.withArray("conditions"), each));
        ObjectNode metadata = (ObjectNode) pod.path("metadata");
        metadata.put(
                "resourceVersion",
                String.valueOf(metadata.path("resourceVersion").asLong() + 1));
        return new Answer(200, pod.toString());
    }

    private static void mergeCondition(ArrayNode conditions, JsonNode patch) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").equals(patch.path("type"))) {
                ((ObjectNode) condition).setAll((ObjectNode) patch);
                return;
            }
        }
        conditions.add(patch);
    }

    private Answer createEvent(JsonNode event) {
        String name = event.at("/metadata/name").asText();
        return events.putIfAbsent(name, (ObjectNode) event) == null ? status(201, "") : status(409, "");
    }

    private Answer patchEvent(String name, JsonNode patch) {
        ObjectNode event = events.get(name);
        if (event == null) {
            return status(404, "");
        }
        event.setAll((ObjectNode) patch);
        return status(200, "");
    }

    /** Returns whether an object has not the unique id, or not the version, that a request requires. */
    private static boolean isOtherThan(ObjectNode object, JsonNode required) {
        for (String field : List.of("uid", "resourceVersion")) {
            String value = required.path(field).asText();
            if (!value.isEmpty()
                    && !value.equals(object.at("/metadata/" + field).asText())) {
                return true;
            }
        }
        return false;
    }

    private void get(HttpExchange exchange, String name) throws IOException {
        requests.add("GET " + name);
        Answer answer;
        synchronized (this) {
            ObjectNode pod = pods.get(name);
            answer = pod == null ? status(404, "") : new Answer(200, pod.toString());
        }
        answer(exchange, answer);
    }

    private static Answer status(int code, String more) {
        return new Answer(
                code,
                "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"code\": " + code + ", \"status\": \""
                        + (code < 300 ? "Success" : "Failure") + "\", \"message\": \"because\"" + more + "}");
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.code(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
