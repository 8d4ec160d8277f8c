package dev.sluice.kubernetes.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and pods of namespace {@code default} of an API server, with their versions, history, lists and watches, and
 * faults that a test asks for. A pod runs as soon as it is bound.
 */
final class WatchedApiServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String POD = "/api/v1/namespaces/default/pods/";

    /** What happens to a request for a page of a list, or to a binding. */
    enum Fault {
        /** It is executed. */
        NONE,
        /** It is answered as by the limits of API Priority and Fairness: 429, a header, and a body that is no JSON. */
        THROTTLED,
        /** It is answered with 410. */
        GONE,
        /** It is answered with 409, although the pod is not bound. */
        CONFLICT,
        /** The pod is bound to {@code n2} before, by somebody else. */
        OVERTAKEN
    }

    /** A change of an object. */
    private record Change(long version, String kind, String type, String object) {

        String event() {
            return WatchedApiServer.event(type, object);
        }
    }

    /** A watch that a client has opened. */
    private record Watch(String kind, WatchStream stream) {}

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, ObjectNode>> objects = new HashMap<>();
    private final List<Change> history = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Queue<Fault> pageFaults = new ArrayDeque<>();
    private final Queue<Fault> bindingFaults = new ArrayDeque<>();
    private long version = 1;
    private long compacted;
    private boolean silent;
    private WatchStream.Transport transport = WatchStream.Transport.SOCKET;
    private int pageSize = Integer.MAX_VALUE;

    /** The requests for pods, such as {@code LIST}, {@code LIST 2}, {@code WATCH} and {@code BIND p n1 201}. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    WatchedApiServer() throws IOException {
        threads.execute(this::accept);
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + listener.getLocalPort())
                        .withRequestRetryBackoffLimit(0)
                        .withWatchReconnectInterval(1)
                        .build())
                .build();
    }

    /** Sets how events are sent. */
    synchronized void sendBy(WatchStream.Transport way) {
        transport = way;
    }

    private synchronized WatchStream.Transport transport() {
        return transport;
    }

    /** Sets the maximum number of objects in an answer to a list. */
    synchronized void pages(int size) {
        pageSize = size;
    }

    /** Sets what happens to the next requests for pages of lists of pods. */
    synchronized void failPages(Fault... faults) {
        pageFaults.addAll(List.of(faults));
    }

    /** Sets what happens to the next bindings. */
    synchronized void failBindings(Fault... faults) {
        bindingFaults.addAll(List.of(faults));
    }

    /** Sends no events of changes until {@link #resume}. */
    synchronized void silence() {
        silent = true;
    }

    /** Sends events of changes again. */
    synchronized void resume() {
        silent = false;
    }

    /** Makes the open watches silent for ever, without an end. */
    synchronized void freeze() {
        watches.forEach(watch -> watch.stream().freeze());
    }

    /** Forgets the history, so that no watch can begin before now. */
    synchronized void compact() {
        compacted = version;
        history.clear();
    }

    /** Creates or replaces an object, and returns it as JSON. */
    synchronized String put(String kind, HasMetadata object) throws IOException {
        return put(kind, JSON.<ObjectNode>valueToTree(object));
    }

    private String put(String kind, ObjectNode object) throws IOException {
        String name = object.at("/metadata/name").asText();
        object.withObject("/metadata").put("resourceVersion", String.valueOf(++version));
        boolean isNew = objects(kind).put(name, object) == null;
        record(kind, isNew ? "ADDED" : "MODIFIED", object);
        return object.toString();
    }

    /** Deletes a pod, and returns its last description as JSON. */
    synchronized String delete(String pod) throws IOException {
        ObjectNode removed = Objects.requireNonNull(objects("pods").remove(pod));
        removed.withObject("/metadata").put("resourceVersion", String.valueOf(++version));
        record("pods", "DELETED", removed);
        return removed.toString();
    }

    /** Ends a pod. */
    synchronized void finish(String pod) throws IOException {
        ObjectNode ended = JSON.readTree(pod(pod)).deepCopy();
        ended.withObject("/status").put("phase", "Succeeded");
        put("pods", ended);
    }

    /** Returns a pod as JSON. */
    synchronized String pod(String name) {
        return Objects.requireNonNull(objects("pods").get(name)).toString();
    }

    /** Returns the nodes of pods that run by their names. */
    synchronized Map<String, String> bound() {
        Map<String, String> nodes = new TreeMap<>();
        objects("pods").forEach((name, pod) -> {
            if (pod.at("/status/phase").asText().equals("Running")) {
                nodes.put(name, pod.at("/spec/nodeName").asText());
            }
        });
        return nodes;
    }

    /** Returns how often pods were listed from the first page on. */
    int lists() {
        return Collections.frequency(requests, "LIST");
    }

    /** Returns the bindings of a pod that were requested, with the codes of their answers. */
    List<String> bindings(String pod) {
        return requests.stream()
                .filter(request -> request.startsWith("BIND " + pod + " "))
                .toList();
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    /** Sends an event on the watches of pods, whatever the objects are. */
    synchronized void send(String event) throws IOException {
        send("pods", event);
    }

    private void send(String kind, String event) throws IOException {
        for (Watch watch : watches) {
            if (watch.kind().equals(kind)) {
                watch.stream().send(event);
            }
        }
    }

    /** Sends the first half of an event on the watches of pods, and ends their connections. */
    synchronized void sendHalf(String event) throws IOException {
        for (Iterator<Watch> each = watches.iterator(); each.hasNext(); ) {
            Watch watch = each.next();
            if (watch.kind().equals("pods")) {
                each.remove();
                watch.stream().sendHalf(event);
            }
        }
        silent = false;
    }

    private Map<String, ObjectNode> objects(String kind) {
        return objects.computeIfAbsent(kind, any -> new TreeMap<>());
    }

    private void record(String kind, String type, ObjectNode object) throws IOException {
        Change change = new Change(version, kind, type, object.toString());
        history.add(change);
        if (!silent) {
            send(kind, change.event());
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket connection = listener.accept();
                open.add(connection);
                threads.execute(() -> serve(connection));
            } catch (IOException e) {
                return; // the listener was closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            RawRequest request = RawRequest.read(connection);
            if (request.isWatch()) {
                watch(request);
            } else {
                answer(request);
            }
        } catch (IOException e) { // the client has closed the connection
            return;
        } finally {
            open.remove(connection);
        }
    }

    private void watch(RawRequest request) throws IOException {
        WatchStream.Transport way = transport();
        if (way == WatchStream.Transport.LINES && request.asksForSocket()) {
            request.answer(200, "", "{}"); // clients then ask without
            return;
        }
        String kind = kind(request.path());
        String key = request.headers().getOrDefault("sec-websocket-key", "");
        WatchStream stream = WatchStream.begin(way, request.connection().getOutputStream(), key);
        Watch watch = new Watch(kind, stream);
        synchronized (this) {
            if (kind.equals("pods")) {
                requests.add("WATCH");
            }
            long after = Long.parseLong(request.parameters().getOrDefault("resourceVersion", "0"));
            if (after < compacted) {
                stream.send(event("ERROR", gone()));
            }
            for (Change change : history) {
                if (change.kind().equals(kind) && change.version() > after) {
                    stream.send(change.event());
                }
            }
            watches.add(watch);
        }
        try {
            stream.awaitEnd(request.connection().getInputStream());
        } finally {
            synchronized (this) {
                watches.remove(watch);
            }
        }
    }

    static String gone() {
        return status(410, "Expired");
    }

    static String status(int code, String reason) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"status\":\"Failure\",\"code\":" + code + ",\"reason\":\""
                + reason + "\",\"message\":\"because\"}";
    }

    private static String kind(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private synchronized void answer(RawRequest request) throws IOException {
        String path = request.path();
        if (path.startsWith(POD)) {
            String name = path.substring(POD.length()).replaceFirst("/.*", "");
            if (path.endsWith("/binding")) {
                String node = JSON.readTree(request.body()).at("/target/name").asText();
                bind(request, name, node);
            } else {
                ObjectNode pod = objects("pods").get(name);
                request.answer(pod == null ? 404 : 200, "", pod == null ? status(404, "NotFound") : pod.toString());
            }
        } else if (request.method().equals("GET")) {
            list(request);
        } else { // events
            request.answer(201, "", "{}");
        }
    }

    private void list(RawRequest request) throws IOException {
        String kind = kind(request.path());
        int first = Integer.parseInt(request.parameters().getOrDefault("continue", "0"));
        if (kind.equals("pods")) {
            requests.add(first == 0 ? "LIST" : "LIST " + first);
            if (isRefused(request, pageFaults.poll())) {
                return;
            }
        }
        List<ObjectNode> all = List.copyOf(objects(kind).values());
        ObjectNode list = JSON.createObjectNode();
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", String.valueOf(version));
        ArrayNode items = list.putArray("items");
        int end = (int) Math.min(all.size(), (long) first + pageSize);
        all.subList(first, end).forEach(items::add);
        if (end < all.size()) {
            metadata.put("continue", String.valueOf(end));
        }
        request.answer(200, "", list.toString());
    }

    private static boolean isRefused(RawRequest request, @Nullable Fault fault) throws IOException {
        if (fault == Fault.THROTTLED) {
            request.answer(429, "Retry-After: 1\r\n", "Too many requests, please try again later.\n");
        } else if (fault == Fault.GONE) {
            request.answer(410, "", gone());
        } else if (fault == Fault.CONFLICT) {
            request.answer(409, "", status(409, "Conflict"));
        } else {
            return false;
        }
        return true;
    }

    private void bind(RawRequest request, String name, String node) throws IOException {
        Fault fault = bindingFaults.poll();
        if (isRefused(request, fault)) {
            requests.add("BIND " + name + " " + node + " " + fault);
            return;
        }
        if (fault == Fault.OVERTAKEN) {
            run(name, "n2");
        }
        boolean isFree = objects("pods").containsKey(name)
                && JSON.readTree(pod(name)).at("/spec/nodeName").asText().isEmpty();
        requests.add("BIND " + name + " " + node + " " + (isFree ? 201 : 409));
        if (isFree) {
            run(name, node);
        }
        request.answer(isFree ? 201 : 409, "", isFree ? "{}" : status(409, "Conflict"));
    }

    private void run(String name, String node) throws IOException {
        ObjectNode pod = JSON.readTree(pod(name)).deepCopy();
        pod.withObject("/spec").put("nodeName", node);
        pod.withObject("/status").put("phase", "Running");
        put("pods", pod);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket connection : List.copyOf(open)) {
            connection.close();
        }
        threads.shutdownNow();
    }
}
