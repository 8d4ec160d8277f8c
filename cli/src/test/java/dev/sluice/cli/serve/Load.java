package dev.sluice.cli.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Clients that submit applications, singly and in files, with and without keys, and cancel some. They record
 * acknowledged requests, and retry without a response, with the same key if they have one.
 */
final class Load implements AutoCloseable {

    private static final String APPLICATIONS = "/partitions/default/applications";

    /** Maximum number of waiting tasks, so that the backlog at the end is short. */
    private static final int BACKLOG_MAX = 150;

    private final TaskRunLog runLog;
    private final Supplier<@Nullable RetryingTestClient> server;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private volatile boolean ending;

    /** Number of tasks by acknowledged application. */
    final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

    /** Applications with a cancel request, regardless of its response. */
    final Set<String> cancelled = ConcurrentHashMap.newKeySet();

    /** Tokens of requests sent with a key until they were answered. */
    final Set<String> keyed = ConcurrentHashMap.newKeySet();

    /** Violations of the guarantees. */
    final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger repeated = new AtomicInteger();

    /**
     * @param seed random seed
     * @param server current server, null between a kill and a restart
     */
    Load(int clients, long seed, TaskRunLog runLog, Supplier<@Nullable RetryingTestClient> server) {
        this.runLog = runLog;
        this.server = server;
        for (int i = 0; i < clients; i++) {
            Random random = new Random(seed * 1000 + i);
            Thread thread = new Thread(() -> run(random), "client-" + i);
            thread.setUncaughtExceptionHandler((failed, reason) -> faults.add(failed.getName() + ": " + reason));
            threads.add(thread);
            thread.start();
        }
    }

    private void run(Random random) {
        while (!ending) {
            try {
                if (tasks.get() - runLog.ends().size() > BACKLOG_MAX) {
                    Thread.sleep(100);
                    continue;
                }
                int number = numbers.incrementAndGet();
                switch (random.nextInt(4)) {
                    case 0 -> single(random, "s" + number, null);
                    case 1 -> single(random, "t" + number, "key-" + number);
                    case 2 -> nameless(random, "n" + number, "key-" + number);
                    default -> file(random, "f" + number, random.nextBoolean() ? "key-" + number : null);
                }
                Thread.sleep(random.nextInt(15));
            } catch (InterruptedException e) {
                return;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String task(Random random, String token) {
        // Some tasks outlive their server and the start of the next one.
        String seconds = random.nextInt(12) == 0 ? "8" : "0.0" + random.nextInt(10);
        return "{id: t, count: " + (1 + random.nextInt(3)) + ", resources: {vcore: 10m}, command: '"
                + runLog.command(token, seconds) + "'}";
    }

    private static int count(String task) {
        return Integer.parseInt(task.substring(task.indexOf("count: ") + 7, task.indexOf(", resources")));
    }

    private void single(Random random, String id, @Nullable String key) throws InterruptedException {
        String task = task(random, id);
        RetryingTestClient.TestResponse answer =
                insist(APPLICATIONS, "{id: " + id + ", sealed: true, tasks: [" + task + "]}", key);
        if (answer == null) {
            return;
        }
        if (answer.status() == 201 || (key == null && answer.status() == 409)) {
            acknowledge(id, count(task));
            if (key != null) {
                keyed.add(id);
            }
            if (random.nextInt(6) == 0) {
                cancelled.add(id);
                tasks.addAndGet(-count(task));
                insist(APPLICATIONS + "/" + id + "/cancel", "", null);
            }
        } else {
            faults.add(id + " was answered " + answer);
        }
    }

    /** The server assigns the id, so only the key identifies the request. */
    private void nameless(Random random, String token, String key) throws InterruptedException {
        String task = task(random, token);
        RetryingTestClient.TestResponse answer = insist(APPLICATIONS, "{sealed: true, tasks: [" + task + "]}", key);
        if (answer == null) {
            return;
        }
        if (answer.status() == 201) {
            acknowledge(answer.json().get("id").asString(), count(task));
            keyed.add(token);
        } else {
            faults.add(token + " was answered " + answer);
        }
    }

    private void file(Random random, String id, @Nullable String key) throws InterruptedException {
        StringBuilder text = new StringBuilder("applications:\n");
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String task = task(random, id + "." + i);
            counts.add(count(task));
            text.append("- {id: ").append(id).append('.').append(i).append(", tasks: [");
            text.append(task).append("]}\n");
        }
        RetryingTestClient.TestResponse answer = insist("/submissions", text.toString(), key);
        if (answer == null) {
            return;
        }
        if (answer.status() != 200) {
            faults.add(id + " was answered " + answer);
            return;
        }
        JsonNode results = answer.json().get("results");
        for (int i = 0; i < 3; i++) {
            JsonNode result = results.get(i);
            boolean known = result.get("accepted").asBoolean()
                    || (key == null && result.get("problem").get("status").asInt() == 409);
            if (known) {
                acknowledge(result.get("id").asString(), counts.get(i));
            } else {
                faults.add(id + "." + i + " was answered " + result);
            }
            if (key != null) {
                keyed.add(id + "." + i);
            }
        }
    }

    private void acknowledge(String id, int count) {
        acknowledged.put(id, count);
        tasks.addAndGet(count);
    }

    /** Retries until a response gives the outcome; returns null if the load ends first. */
    private RetryingTestClient.@Nullable TestResponse insist(String path, String body, @Nullable String key)
            throws InterruptedException {
        boolean again = false;
        while (true) {
            RetryingTestClient client = server.get();
            if (client != null) {
                try {
                    requests.incrementAndGet();
                    if (again) {
                        repeated.incrementAndGet();
                    }
                    RetryingTestClient.TestResponse answer =
                            client.post(path, body, key == null ? Map.of() : Map.of("Idempotency-Key", key));
                    if (answer.status() != 503) {
                        return answer;
                    }
                } catch (IOException e) {
                    // the server is down or going down
                    again = true;
                }
            }
            if (ending && client == null) {
                return null;
            }
            Thread.sleep(30);
        }
    }

    @Override
    public void close() {
        finish();
    }

    /** Stops new requests and waits for the responses of the last ones. */
    void finish() {
        ending = true;
        for (Thread thread : threads) {
            try {
                thread.join(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                faults.add(thread.getName() + " has no answer after a minute");
                thread.interrupt();
            }
        }
    }
}
