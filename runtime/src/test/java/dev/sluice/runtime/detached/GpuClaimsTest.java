package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.machine.Gpus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Assignment of GPUs to runs. */
final class GpuClaimsTest {

    private final Map<String, List<Integer>> started = new TreeMap<>();

    @Test
    void claim_freeGpus_getsLowestIndices() {
        GpuClaims claims = new GpuClaims(Gpus.parse("0,2,3"));
        claim(claims, "a", 2);
        claim(claims, "b", 1);
        assertThat(started).containsEntry("a", List.of(0, 2)).containsEntry("b", List.of(3));
    }

    @Test
    void claim_gpusHeld_waitsInOrder() {
        GpuClaims claims = new GpuClaims(Gpus.parse("2"));
        claim(claims, "a", 1);
        claim(claims, "two", 2);
        claim(claims, "b", 1);
        assertThat(started).containsOnlyKeys("a");
        claims.release("a");
        assertThat(started).containsOnlyKeys("a", "two");
        claims.release("two");
        assertThat(started).containsEntry("b", List.of(0));
    }

    @Test
    void giveUp_waitingRun_startsWithoutAndLetsOthersStart() {
        GpuClaims claims = new GpuClaims(Gpus.parse("2"));
        claim(claims, "a", 1);
        claim(claims, "two", 2);
        claim(claims, "b", 1);
        claims.giveUp("two");
        assertThat(started).containsEntry("two", List.of()).containsEntry("b", List.of(1));
    }

    @Test
    void claim_noGpusManaged_startsWithoutIndices() {
        GpuClaims claims = new GpuClaims(Gpus.NONE);
        claim(claims, "a", 8);
        assertThat(started).containsEntry("a", List.of());
        assertThat(claims.isTooMany(8)).isFalse();
    }

    /** Starts, ends and restarts: a model of who is alive, of which only the records survive a restart. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void claims_randomStartsEndsAndRestarts_neverShareAnIndex(long seed) {
        Random random = new Random(seed);
        SortedMap<String, List<Integer>> alive = new TreeMap<>();
        GpuClaims claims = new GpuClaims(Gpus.parse("0-4"));
        int runs = 0;
        for (int step = 0; step < 2000; step++) {
            int kind = random.nextInt(100);
            if (kind < 50) {
                String run = "run-" + runs++;
                claims.claim(run, random.nextInt(4), indices -> alive.put(run, indices));
            } else if (kind < 98 && !alive.isEmpty()) {
                String run = new ArrayList<>(alive.keySet()).get(random.nextInt(alive.size()));
                alive.remove(run); // its last process ends before its claim
                claims.release(run);
            } else {
                // waiting starts are forgotten; the number of GPUs may be another one
                claims = new GpuClaims(Gpus.parse("0-" + (3 + random.nextInt(3))));
                for (Map.Entry<String, List<Integer>> run : alive.entrySet()) {
                    claims.restore(run.getKey(), run.getValue());
                }
            }
            List<Integer> used = alive.values().stream().flatMap(List::stream).toList();
            assertThat(new TreeSet<>(used)).as("step %s of seed %s", step, seed).hasSameSizeAs(used);
        }
        assertThat(runs).isGreaterThan(900);
    }

    private void claim(GpuClaims claims, String run, int count) {
        claims.claim(run, count, indices -> started.put(run, indices));
    }
}
