package dev.sluice.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Invariants of divisions by usage. */
class UsageDivisionTest {

    private static final int ROUNDS = 20_000;

    private static final class Case {
        private final double free;
        private final double[] priorities;
        private final double[] usages;
        private final boolean[] participates;

        private Case(double free, double[] priorities, double[] usages, boolean[] participates) {
            this.free = free;
            this.priorities = priorities;
            this.usages = usages;
            this.participates = participates;
        }

        private static Case random(SplittableRandom random) {
            int count = 1 + random.nextInt(8);
            boolean wild = random.nextInt(4) == 0;
            double[] priorities = new double[count];
            double[] usages = new double[count];
            boolean[] participates = new boolean[count];
            for (int i = 0; i < count; i++) {
                priorities[i] = wild
                        ? amount(random, 1e-320, 0x1p-500, 1e-9, 1, 1e300, Double.MAX_VALUE, Double.POSITIVE_INFINITY)
                        : 0.5 + 20 * random.nextDouble();
                usages[i] = random.nextInt(3) == 0
                        ? 0
                        : wild ? amount(random, 1e-9, 1, 1e18, 1e33) : 30 * random.nextDouble();
                participates[i] = random.nextInt(4) > 0;
            }
            double free = random.nextInt(4) == 0 ? 0 : wild ? amount(random, 1e-9, 1, 1e33) : 50 * random.nextDouble();
            return new Case(free, priorities, usages, participates);
        }

        private static double amount(SplittableRandom random, double... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private boolean anyParticipates() {
            for (boolean each : participates) {
                if (each) {
                    return true;
                }
            }
            return false;
        }

        private double everything() {
            double sum = free;
            for (int i = 0; i < usages.length; i++) {
                sum += participates[i] ? usages[i] : 0;
            }
            return sum;
        }

        @Override
        public String toString() {
            return free + " free, " + Arrays.toString(priorities) + ", " + Arrays.toString(usages) + ", "
                    + Arrays.toString(participates);
        }
    }

    private interface Check {
        void check(Case each, UsageDivision division);
    }

    private static void forAll(Check check) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Case each = Case.random(new SplittableRandom(seed));
            try {
                check.check(each, new UsageDivision(each.free, each.priorities, each.usages, each.participates));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + each, e);
            }
        }
    }

    @Test
    void fractions_ofParticipants_sumToOne() {
        forAll((each, division) -> {
            double sum = 0;
            for (int i = 0; i < each.usages.length; i++) {
                assertThat(division.fraction(i)).isBetween(0.0, each.participates[i] ? 1.0 : 0.0);
                sum += division.fraction(i);
            }
            assertThat(sum).isEqualTo(each.anyParticipates() ? 1 : 0, within(1e-12));
        });
    }

    @Test
    void parts_ofFreeCapacity_sumToOneOrZero() {
        forAll((each, division) -> {
            double sum = 0;
            for (int i = 0; i < each.usages.length; i++) {
                assertThat(division.part(i)).isBetween(0.0, 1.0);
                sum += division.part(i);
            }
            // If nothing is free, queues below their fraction still have a part, and there may be none.
            boolean some = each.anyParticipates() && (each.free > 1e-12 * each.everything() || sum > 0);
            assertThat(sum).isEqualTo(some ? 1 : 0, within(1e-12));
        });
    }

    @Test
    void queue_aboveItsFraction_hasNoSlice() {
        forAll((each, division) -> {
            for (int i = 0; i < each.usages.length; i++) {
                if (each.usages[i] > division.fraction(i) * each.everything()) {
                    assertThat(division.part(i)).isZero();
                }
            }
        });
    }

    /**
     * A queue that gets something does not exceed its fraction, and has at least the minimum relative to fractions.
     */
    @Test
    void parts_ofQueues_areProportionalToDeficit() {
        forAll((each, division) -> {
            double lacking = 0;
            for (int i = 0; i < each.usages.length; i++) {
                lacking += Math.max(0, division.fraction(i) * each.everything() - each.usages[i]);
            }
            for (int i = 0; i < each.usages.length && lacking > 0; i++) {
                double lacks = Math.max(0, division.fraction(i) * each.everything() - each.usages[i]);
                assertThat(division.part(i)).isEqualTo(each.participates[i] ? lacks / lacking : 0, within(1e-9));
            }
        });
    }

    @Test
    void fractions_ofQueues_followInversePriority() {
        UsageDivision division = new UsageDivision(
                9, new double[] {1, 2, 0.5}, new double[] {0, 0, 0}, new boolean[] {true, true, false});
        assertThat(division.fraction(0)).isEqualTo(2.0 / 3, within(1e-15));
        assertThat(division.fraction(1)).isEqualTo(1.0 / 3, within(1e-15));
        assertThat(division.fraction(2)).isZero();
        assertThat(division.part(0)).isEqualTo(2.0 / 3, within(1e-15));
    }

    @Test
    void queues_withInfinitePriority_stillShare() {
        UsageDivision division = new UsageDivision(
                8,
                new double[] {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY},
                new double[] {0, 0},
                new boolean[] {true, true});
        assertThat(division.fraction(0)).isEqualTo(0.5);
        assertThat(division.part(1)).isEqualTo(0.5);
    }
}
