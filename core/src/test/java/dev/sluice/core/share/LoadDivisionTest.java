package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Invariants of load divisions on random classes. The worked examples are tested through {@code sluice plan}. */
class LoadDivisionTest {

    private static final int ROUNDS = 20_000;

    private record Case(int workers, int idle, List<LoadClass> classes) {

        private static Case random(SplittableRandom random) {
            int workers = random.nextInt(random.nextBoolean() ? 12 : 3000);
            List<LoadClass> classes = new ArrayList<>();
            int free = workers;
            for (int i = random.nextInt(9); i >= 0; i--) {
                int running = random.nextInt(3) == 0 ? 0 : random.nextInt(free + 1);
                int waiting = random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextBoolean() ? 5 : 5000);
                classes.add(new LoadClass(random.nextInt(4) == 0 ? 0 : random.nextInt(101), running, waiting));
                free -= running;
            }
            return new Case(workers, free, classes);
        }

        private LoadDivision divided() {
            return LoadDivision.allocate(workers, idle, classes);
        }
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }

    private interface Check {
        void check(Case each, LoadDivision division);
    }

    private static void forAll(Check check) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Case each = Case.random(new SplittableRandom(seed));
            try {
                check.check(each, each.divided());
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + each, e);
            }
        }
    }

    @Test
    void division_any_startsAtMostIdle() {
        forAll((each, division) -> assertThat(sum(division.starts())).isLessThanOrEqualTo(each.idle()));
    }

    @Test
    void division_any_leavesNoUsableWorkerIdle() {
        forAll((each, division) -> {
            int usable = 0;
            for (LoadClass of : each.classes()) {
                usable += of.percent() > 0 ? of.waiting() : 0;
            }
            assertThat(sum(division.starts())).isEqualTo(Math.min(usable, each.idle()));
        });
    }

    @Test
    void class_anyDivision_startsAtMostWaiting() {
        forAll((each, division) -> {
            for (int i = 0; i < each.classes().size(); i++) {
                LoadClass of = each.classes().get(i);
                assertThat(division.starts().get(i)).isBetween(0, of.percent() == 0 ? 0 : of.waiting());
            }
        });
    }

    @Test
    void percentages_ofAnyClasses_sumToHundred() {
        forAll((each, division) -> {
            boolean any = each.classes().stream().anyMatch(of -> of.percent() > 0);
            assertThat(sum(division.percents())).isEqualTo(any ? 100 : 0);
            assertThat(sum(division.entitlements())).isEqualTo(any ? each.workers() : 0);
            for (int i = 0; i < each.classes().size(); i++) {
                assertThat(division.percents().get(i) > 0)
                        .isEqualTo(each.classes().get(i).percent() > 0);
            }
        });
    }

    private static LoadDivision rebalanced(Case each) {
        return LoadDivision.rebalance(
                each.workers(),
                each.idle(),
                each.classes(),
                each.classes().stream().map(LoadClass::running).toList());
    }

    /** The classes after a rebalance, with the preempted tasks pending again. */
    private static Case after(Case each, LoadDivision division) {
        List<LoadClass> classes = new ArrayList<>();
        int running = 0;
        for (int i = 0; i < each.classes().size(); i++) {
            LoadClass of = each.classes().get(i);
            int change = division.starts().get(i) - division.preemptions().get(i);
            classes.add(new LoadClass(of.percent(), of.running() + change, of.waiting() - change));
            running += of.running() + change;
        }
        return new Case(each.workers(), each.workers() - running, classes);
    }

    @Test
    void rebalance_repeatedAtOnce_preemptsNothing() {
        forAll((each, division) -> assertThat(
                        rebalanced(after(each, rebalanced(each))).preemptions())
                .allMatch(preemptions -> preemptions == 0));
    }

    @Test
    void class_inRebalance_startsOrStopsNeverBoth() {
        forAll((each, division) -> {
            LoadDivision rebalanced = rebalanced(each);
            for (int i = 0; i < each.classes().size(); i++) {
                LoadClass of = each.classes().get(i);
                int starts = rebalanced.starts().get(i);
                int preemptions = rebalanced.preemptions().get(i);
                assertThat(Math.min(starts, preemptions)).isZero();
                assertThat(starts).isBetween(0, of.percent() == 0 ? 0 : of.waiting());
                assertThat(preemptions).isBetween(0, rebalanced.loaned().get(i));
            }
        });
    }

    @Test
    @Tag("slow")
    void rebalance_any_stopsNothingInVain() {
        forAll((each, division) -> {
            LoadDivision rebalanced = rebalanced(each);
            int starts = sum(rebalanced.starts());
            int preemptions = sum(rebalanced.preemptions());
            assertThat(preemptions).isLessThanOrEqualTo(Math.max(0, starts - each.idle()));
            int idle = each.idle() + preemptions - starts;
            assertThat(idle).isGreaterThanOrEqualTo(0);
            for (int i = 0; i < each.classes().size(); i++) {
                LoadClass of = each.classes().get(i);
                boolean uses = of.percent() > 0
                        && of.waiting() > rebalanced.starts().get(i)
                        && rebalanced.preemptions().get(i) == 0;
                assertThat(idle > 0 && uses)
                        .as("idle that class " + i + " may use")
                        .isFalse();
            }
        });
    }

    @Test
    void rebalance_withoutReclaimableTasks_startsAtMostIdle() {
        forAll((each, division) -> {
            List<Integer> none = each.classes().stream().map(of -> 0).toList();
            LoadDivision rebalanced = LoadDivision.rebalance(each.workers(), each.idle(), each.classes(), none);
            assertThat(rebalanced.preemptions()).allMatch(preemptions -> preemptions == 0);
            assertThat(sum(rebalanced.starts())).isLessThanOrEqualTo(each.idle());
        });
    }

    @Test
    void spread_ofClasses_isMaximumMinusMinimum() {
        // 70 − ⌊20 ÷ 1⌋ = 50, 20 − 40 = −20, 10 − 40 = −30
        List<LoadClass> classes = List.of(new LoadClass(70, 2, 20), new LoadClass(20, 4, 10), new LoadClass(10, 4, 30));
        assertThat(LoadDivision.spread(10, classes)).isEqualTo(80);
        assertThat(LoadDivision.spread(0, classes)).isZero();
        assertThat(LoadDivision.spread(10, List.of(new LoadClass(100, 0, 0)))).isZero();
        assertThat(LoadDivision.spread(10, List.of(new LoadClass(60, 0, 0), new LoadClass(40, 10, 0))))
                .as("the class that waits for nothing does not count, 0 does")
                .isEqualTo(60);
    }

    private static List<Integer> entitlements(int workers, int... percents) {
        List<LoadClass> classes = IntStream.of(percents)
                .mapToObj(percent -> new LoadClass(percent, 0, 0))
                .toList();
        return LoadDivision.allocate(workers, 0, classes).entitlements();
    }

    @Test
    void fractionalEntitlements_remainder_goesToLargestFractions() {
        assertThat(entitlements(3, 34, 33, 33)).containsExactly(1, 1, 1);
        assertThat(entitlements(9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))
                .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 0);
        assertThat(entitlements(10, 46, 34, 20)).containsExactly(5, 3, 2); // 4.6, 3.4, 2.0
        assertThat(entitlements(50, 1, 98, 1)).as("ties: the larger %").containsExactly(1, 49, 0); // 0.5, 49.0, 0.5
        assertThat(entitlements(2, 25, 75)).as("0.5 and 1.5: the larger %").containsExactly(0, 2);
        assertThat(entitlements(5, 0, 100)).containsExactly(0, 5);
        assertThat(entitlements(5, 0, 0)).containsExactly(0, 0);
    }

    @Test
    void entitlements_ofManyClasses_doNotExceedWorkers() {
        int[] percents = new int[150];
        Arrays.fill(percents, 1);
        assertThat(sum(entitlements(100, percents))).isEqualTo(100);
        assertThat(entitlements(300, percents)).allMatch(entitlement -> entitlement == 2);
    }

    @Test
    void loans_ofZeroPercentClass_areNotCounted() {
        // a has 2 on loan, b none: of 8 idle workers and those 2, a should have 5 and b 5; workers of the third class
        // are not counted
        List<LoadClass> classes =
                List.of(new LoadClass(40, 42, 50), new LoadClass(40, 40, 50), new LoadClass(20, 0, 0));
        List<LoadClass> more = new ArrayList<>(classes);
        more.add(new LoadClass(0, 10, 5));
        assertThat(LoadDivision.allocate(100, 8, classes).starts()).containsExactly(3, 5, 0);
        assertThat(LoadDivision.allocate(100, 8, more).starts()).containsExactly(3, 5, 0, 0);
    }

    @Test
    void rebalance_withoutVictims_startsUpToEntitlementsFirst() {
        // entitled to 24 (24.4) and 16 (15.6)
        List<LoadClass> classes = List.of(new LoadClass(61, 7, 42), new LoadClass(39, 14, 15));
        LoadDivision rebalanced = LoadDivision.rebalance(40, 19, classes, List.of(7, 14));
        assertThat(rebalanced.entitlements()).containsExactly(24, 16);
        assertThat(rebalanced.starts()).containsExactly(17, 2);
        assertThat(rebalanced.preemptions()).containsExactly(0, 0);
        assertThat(LoadDivision.allocate(40, 19, classes).starts()).containsExactly(18, 1);
    }
}
