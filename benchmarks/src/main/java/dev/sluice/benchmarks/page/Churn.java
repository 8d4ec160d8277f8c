package dev.sluice.benchmarks.page;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** Keeps the scheduler busy: ends running tasks at a fixed rate, and submits as many applications. */
final class Churn {

    private static final int AT_ONCE = 50;
    private static final int FIRST_NODES = 1_000;
    private static final String EVENTS = "/events?limit=1000&after=";

    private final PageClient client;
    private final Deque<String> running = new ArrayDeque<>();
    private int next = LargeState.APPLICATIONS;
    private long after;

    private Churn(PageClient client, long after) {
        this.client = client;
        this.after = after;
    }

    /** Prepares the load of a filled server. */
    static Churn of(PageClient client) throws IOException, InterruptedException {
        long last = client.get("/health").get("sequence").asLong();
        Churn churn = new Churn(client, last);
        for (int i = 0; i < FIRST_NODES; i++) {
            for (JsonNode task : client.get(LargeState.PARTITION + "/nodes/n" + i + "/tasks")) {
                churn.running.add(task.get("application").asString());
            }
        }
        return churn;
    }

    /** Runs for this time, with this many ended tasks per second; returns how many tasks were placed. */
    long run(double seconds, int rate) throws IOException, InterruptedException {
        long began = System.nanoTime();
        long pause = TimeUnit.SECONDS.toNanos(AT_ONCE) / rate;
        long placed = 0;
        for (long due = began; due - began < seconds * 1e9; due += pause) {
            LockSupport.parkNanos(due - System.nanoTime());
            if (System.nanoTime() - began > seconds * 1e9) {
                break; // the server is slower than the rate
            }
            step();
            placed += follow();
        }
        return placed;
    }

    private void step() throws IOException, InterruptedException {
        StringBuilder reports = new StringBuilder("{\"reports\": [");
        for (int i = 0; i < AT_ONCE; i++) {
            reports.append(i == 0 ? "" : ", ")
                    .append("{\"application\": \"")
                    .append(running.remove())
                    .append("\", \"task\": \"t\", \"attempt\": 1, \"status\": \"succeeded\"}");
        }
        client.post(LargeState.PARTITION + "/reports", reports + "]}");
        LargeState.submit(client, next, AT_ONCE);
        next += AT_ONCE;
    }

    /** Reads the new events; returns the number of placements. */
    private long follow() throws IOException, InterruptedException {
        long placed = 0;
        while (true) {
            Iterator<JsonNode> events = client.get(EVENTS + after).get("items").iterator();
            if (!events.hasNext()) {
                return placed;
            }
            while (events.hasNext()) {
                JsonNode event = events.next();
                after = event.get("sequence").asLong();
                if (event.get("type").asString().equals("task.placed")) {
                    running.add(event.get("data").get("application").asString());
                    placed++;
                }
            }
        }
    }
}
