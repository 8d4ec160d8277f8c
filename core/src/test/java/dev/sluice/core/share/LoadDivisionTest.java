package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds of every division, on random classes. The worked examples are tested through {@code sluice plan}. */
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
    void division_ofAnything_startsNoMoreThanIsIdle() {
        forAll((each, division) -> assertThat(sum(division.starts())).isLessThanOrEqualTo(each.idle()));
    }

    @Test
    void division_ofAnything_leavesNoWorkerIdleThatSomebodyMayUse() {
        forAll((each, division) -> {
            int usable = 0;
            for (LoadClass of : each.classes()) {
                usable += of.percent() > 0 ? of.waiting() : 0;
            }
            assertThat(sum(division.starts())).isEqualTo(Math.min(usable, each.idle()));
        });
    }

    @Test
    void class_inAnyDivision_startsNoMoreThanWaitsAndNothingAtZeroPercent() {
        forAll((each, division) -> {
            for (int i = 0; i < each.classes().size(); i++) {
                LoadClass of = each.classes().get(i);
                assertThat(division.starts().get(i)).isBetween(0, of.percent() == 0 ? 0 : of.waiting());
            }
        });
    }

    @Test
    void percentages_ofAnyClasses_addUpToAHundredAndNoneIsLost() {
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
}
