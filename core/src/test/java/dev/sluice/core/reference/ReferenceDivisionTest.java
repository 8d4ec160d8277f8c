package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.reference.ReferenceDivision.Counts;
import dev.sluice.core.share.LoadClass;
import dev.sluice.core.share.LoadDivision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The reference division matches the worked examples, and the engine's division matches the reference on random
 * classes.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class ReferenceDivisionTest {

    private static final int CASES = 10_000;

    private static Counts classOf(int percent, long running, long waiting) {
        return new Counts(percent, running, waiting, running);
    }

    private static void checkAllocate(long workers, List<Counts> classes, Long... starts) {
        long running = classes.stream().mapToLong(Counts::running).sum();
        ReferenceDivision division = ReferenceDivision.allocate(workers, Math.max(0, workers - running), classes);
        assertThat(division.classes).extracting(share -> share.start).containsExactly(starts);
    }

    private static ReferenceDivision rebalance(long workers, List<Counts> classes) {
        long running = classes.stream().mapToLong(Counts::running).sum();
        return ReferenceDivision.rebalance(workers, workers - running, classes);
    }

    @Test
    void allocate_workedExamples_match() {
        checkAllocate(
                1000,
                List.of(
                        classOf(30, 200, 290),
                        classOf(25, 300, 230),
                        classOf(20, 0, 150),
                        classOf(15, 100, 150),
                        classOf(10, 110, 90),
                        classOf(0, 0, 328)),
                94L,
                0L,
                150L,
                46L,
                0L,
                0L);
        checkAllocate(
                1000,
                List.of(
                        classOf(30, 200, 10),
                        classOf(25, 300, 230),
                        classOf(20, 0, 0),
                        classOf(15, 100, 50),
                        classOf(10, 110, 90)),
                10L,
                157L,
                0L,
                50L,
                73L);
        checkAllocate(
                1000,
                List.of(
                        classOf(30, 200, 100),
                        classOf(25, 300, 50),
                        classOf(15, 0, 200),
                        classOf(0, 100, 300),
                        classOf(10, 110, 500)),
                100L,
                10L,
                172L,
                0L,
                8L);
        checkAllocate(
                4000,
                List.of(
                        classOf(48, 0, 0),
                        classOf(25, 0, 0),
                        classOf(10, 0, 0),
                        classOf(9, 3111, 22121),
                        classOf(3, 0, 0),
                        classOf(2, 0, 0),
                        classOf(2, 70, 500),
                        classOf(1, 0, 0)),
                0L,
                0L,
                0L,
                319L,
                0L,
                0L,
                500L,
                0L);
    }

    @Test
    void rebalance_workedExamples_match() {
        List<Counts> ten = List.of(classOf(70, 2, 20), classOf(20, 4, 10), classOf(10, 4, 30));
        assertThat(ReferenceDivision.spread(10, ten)).isEqualTo(50 + 30);
        assertThat(rebalance(10, ten).classes).extracting(share -> share.start).containsExactly(5L, 0L, 0L);
        assertThat(rebalance(10, ten).classes).extracting(share -> share.stop).containsExactly(0L, 2L, 3L);
        List<Counts> withLoans = List.of(
                classOf(30, 166, 14220),
                classOf(25, 101, 9401),
                classOf(16, 420, 16542),
                classOf(14, 14, 104194),
                classOf(6, 404, 0),
                classOf(4, 42, 0),
                classOf(3, 977, 209145),
                classOf(2, 2612, 416781));
        assertThat(rebalance(10_000, withLoans).classes)
                .extracting(share -> share.start)
                .containsExactly(3017L, 2549L, 1275L, 1470L, 0L, 0L, 0L, 0L);
        assertThat(rebalance(10_000, withLoans).classes)
                .extracting(share -> share.stop)
                .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 660L, 2387L);
    }

    @Test
    @Tag("slow")
    void division_ofRandomClasses_matchesEngine() {
        long only = Long.getLong("sluice.seed", -1);
        long preemptions = 0;
        long starts = 0;
        for (long seed = Math.max(0, only); seed < (only < 0 ? CASES : only + 1); seed++) {
            RandomSource chance = new RandomSource(seed);
            int workers = chance.of(1, 3, 10, 100, 1000) + chance.below(10);
            List<Counts> classes = classes(chance, workers);
            int running =
                    classes.stream().mapToInt(counts -> (int) counts.running()).sum();
            int idle = Math.max(0, workers - running);
            if (chance.percent(30)) {
                idle = chance.below(workers + 1);
            }
            String what = "seed " + seed + ": " + workers + " workers, " + idle + " idle, " + classes;

            ReferenceDivision allocated = ReferenceDivision.allocate(workers, idle, classes);
            LoadDivision engines = LoadDivision.allocate(workers, idle, loadClasses(classes));
            assertThat(text(engines)).as("allocate, " + what).isEqualTo(text(allocated));
            ReferenceDivision balanced = ReferenceDivision.rebalance(workers, idle, classes);
            engines = LoadDivision.rebalance(
                    workers,
                    idle,
                    loadClasses(classes),
                    classes.stream().map(counts -> (int) counts.reclaimable()).toList());
            assertThat(text(engines)).as("rebalance, " + what).isEqualTo(text(balanced));
            assertThat(LoadDivision.spread(workers, loadClasses(classes)))
                    .as("spread, " + what)
                    .isEqualTo((int) ReferenceDivision.spread(workers, classes));
            starts += allocated.classes.stream().mapToLong(share -> share.start).sum();
            preemptions +=
                    balanced.classes.stream().mapToLong(share -> share.stop).sum();
        }
        if (only < 0) {
            assertThat(starts).isGreaterThan(CASES);
            assertThat(preemptions).isGreaterThan(CASES);
        }
    }

    private static List<Counts> classes(RandomSource chance, int workers) {
        List<Counts> classes = new ArrayList<>();
        int count = chance.percent(2) ? 90 + chance.below(60) : 1 + chance.below(8);
        int left = 100;
        boolean hundred = chance.percent(50);
        for (int i = 0; i < count; i++) {
            int percent = chance.of(0, 1, 2, 5, 10, 20, 30, 50, 100, chance.below(101));
            if (hundred) {
                percent = i == count - 1 ? left : Math.min(left, percent);
                left -= percent;
            }
            int running = chance.below(chance.of(1, 2, 1 + 2 * workers / count, 1 + 2 * workers));
            int waiting = chance.below(chance.of(1, 2, 1 + 2 * workers / count, 1 + 2 * workers));
            int reclaimable = chance.percent(70) ? running : chance.below(running + 1);
            classes.add(new Counts(percent, running, waiting, reclaimable));
        }
        return classes;
    }

    private static List<LoadClass> loadClasses(List<Counts> classes) {
        return classes.stream()
                .map(counts -> new LoadClass(counts.percent(), (int) counts.running(), (int) counts.waiting()))
                .toList();
    }

    private static String text(ReferenceDivision division) {
        StringBuilder text = new StringBuilder();
        for (ReferenceDivision.Share share : division.classes) {
            text.append("; ")
                    .append(share.percent + " %, entitled to " + share.entitlement)
                    .append(", start " + share.start + ", stop " + share.stop);
        }
        return text.toString();
    }

    private static String text(LoadDivision division) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < division.percents().size(); i++) {
            text.append("; ")
                    .append(division.percents().get(i) + " %, entitled to "
                            + division.entitlements().get(i))
                    .append(", start " + division.starts().get(i) + ", stop "
                            + division.preemptions().get(i));
        }
        return text.toString();
    }
}
