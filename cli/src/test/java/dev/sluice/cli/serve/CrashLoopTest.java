package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers killed at random times under load: no acknowledged request is lost, and no task runs twice. */
@Timeout(900)
@ProgramTest
final class CrashLoopTest {

    private static final Set<String> ENDED = Set.of("Completed", "Failed", "Expired", "Rejected");

    @TempDir
    Path folder;

    private final AtomicReference<@Nullable RetryingTestClient> client = new AtomicReference<>();

    @Test
    @Tag("slow")
    void server_killedTenTimes_keepsItsPromises() throws Exception {
        crashes(10, seed(2));
    }

    @Test
    @Tag("long")
    void server_killedRepeatedly_losesNothing() throws Exception {
        crashes(50, seed(3));
    }

    private static long seed(long usual) {
        return Long.getLong("sluice.seed", usual);
    }

    private void crashes(int rounds, long seed) throws Exception {
        System.out.println("crash loop: -Dsluice.seed=" + seed);
        Random random = new Random(seed);
        Path data = folder.resolve("data");
        TaskRunLog runLog = new TaskRunLog(folder.resolve("witness"));
        long checkpoints = 0;
        int early = 0;
        Load load = new Load(6, seed, runLog, client::get);
        try (load) {
            for (int round = 0; round < rounds; round++) {
                try (ServerProcess server = begin(data)) {
                    if (round > 0 && random.nextInt(4) == 0) {
                        Thread.sleep(200 + random.nextInt(1_500)); // during the start
                        early++;
                    } else {
                        client.set(new RetryingTestClient(server.awaitReady()));
                        Thread.sleep(200 + random.nextInt(2_000));
                    }
                    server.kill();
                    client.set(null);
                }
                StoredState kept = StoredState.read(data, true);
                assertKnown(load, kept);
                checkpoints = Math.max(checkpoints, kept.checkpoint());
            }
            try (ServerProcess server = begin(data)) {
                client.set(new RetryingTestClient(server.awaitReady()));
                load.finish();
                awaitEnds();
                client.set(null);
                server.terminate();
                assertThat(server.exitCode()).as(server.err()).isZero();
            }
        }
        assertThat(load.faults).isEmpty();
        StoredState kept = StoredState.read(data, true);
        assertKnown(load, kept);
        assertThat(kept.checkpoint()).as("there were checkpoints").isPositive();
        Set<String> stopped = new TreeSet<>(load.cancelled);
        runLog.checkRunsOnce(stopped);
        Map<String, Set<String>> applications = runLog.applications();
        for (String token : load.keyed) {
            assertThat(applications.getOrDefault(token, Set.of()))
                    .as("applications of the one request %s", token)
                    .hasSizeLessThanOrEqualTo(1);
        }
        Map<String, Integer> expected = new LinkedHashMap<>();
        Map<String, Integer> actual = new LinkedHashMap<>();
        Map<String, Integer> ends = runLog.ends();
        load.acknowledged.forEach((id, count) -> {
            assertThat(kept.ended().get(id)).as("application %s", id).isIn(ENDED);
            if (!stopped.contains(id)) {
                for (String task : names(count)) {
                    expected.put(id + "/" + task, 1);
                    actual.put(id + "/" + task, ends.getOrDefault(id + "/" + task, 0));
                }
            }
        });
        assertThat(actual).as("runs that came to their end").isEqualTo(expected);
        System.out.println("crash loop: " + rounds + " kills, " + early + " of them before it was ready; "
                + load.requests + " requests, " + load.repeated + " of them again; " + load.acknowledged.size()
                + " applications, " + stopped.size() + " cancelled, "
                + runLog.lines().size() + " lines of tasks; "
                + kept.sequence() + " events, checkpoint of " + kept.checkpoint() + ", at the last kill of "
                + checkpoints);
    }

    private static Set<String> names(int count) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            names.add("t-" + i);
        }
        return names;
    }

    private static ServerProcess begin(Path data) throws IOException {
        return ServerProcess.begin(data, "--slots", "10", "--checkpoint-events", "60", "--retain-ended", "40");
    }

    private static void assertKnown(Load load, StoredState kept) {
        assertThat(kept.ended().keySet()).as("what was acknowledged").containsAll(load.acknowledged.keySet());
    }

    private void awaitEnds() {
        Awaitility.await("all that was acknowledged has ended")
                .atMost(180, TimeUnit.SECONDS)
                .pollInterval(250, TimeUnit.MILLISECONDS)
                .until(() -> {
                    RetryingTestClient server = client.get();
                    return server != null
                            && server.get("/partitions/default/applications?state=active&limit=1")
                                    .json()
                                    .get("items")
                                    .isEmpty();
                });
    }
}
