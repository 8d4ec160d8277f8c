package dev.sluice.core.share;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Divides workers among load classes: computes how many tasks each class starts (Scoot's algorithm, in integers).
 *
 * <p>A class is entitled to its percentage of the workers, rounded down; the remaining workers go one each to the
 * classes with the largest fractions. {@link #allocate} starts classes up to their entitlement, then loans the rest to
 * classes that still wait, in proportion to their percentages and counting existing loans, then hands out the last idle
 * workers one by one. {@link #rebalance} also reclaims long loans. No division by zero occurs, no class starts more
 * tasks than it has waiting, and no worker stays idle that a class above 0 % can use.
 */
public final class LoadDivision {

    private final List<LoadClass> classes;
    private final int count;
    private final int[] percent;
    private final int[] entitlement;
    private final int[] byLoad;
    private final int[] starts;
    private final int[] preemptions;
    private int idle;

    private LoadDivision(int workers, int idle, List<LoadClass> classes) {
        this.classes = List.copyOf(classes);
        this.count = classes.size();
        this.percent = scaled(classes.stream().mapToInt(LoadClass::percent).toArray());
        this.byLoad = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> -percent[i]).thenComparing(i -> i))
                .mapToInt(Integer::intValue)
                .toArray();
        this.entitlement = entitlements(workers);
        this.starts = new int[count];
        this.preemptions = new int[count];
        this.idle = idle;
    }

    /**
     * Computes what each class starts, without preemption. Classes are in configuration order.
     *
     * @param workers the number of workers, idle or not
     * @param idle the number of idle workers
     */
    public static LoadDivision allocate(int workers, int idle, List<LoadClass> classes) {
        LoadDivision division = new LoadDivision(workers, idle, classes);
        division.meetEntitlements();
        division.loan();
        division.distributeRemainder();
        return division;
    }

    /**
     * Computes what each class starts and preempts so that all classes return to their entitlements. No class does
     * both, and no task is preempted unless another class uses its worker. Applied again to the result, it preempts
     * nothing.
     *
     * @param workers the number of workers, idle or not
     * @param idle the number of idle workers
     * @param classes in configuration order; tasks that were preempted and have not ended yet count as waiting
     * @param reclaimable the number of tasks per class whose preemption makes their workers idle
     */
    public static LoadDivision rebalance(int workers, int idle, List<LoadClass> classes, List<Integer> reclaimable) {
        LoadDivision division = new LoadDivision(workers, idle, classes);
        division.reclaimLoans(reclaimable);
        division.relendReclaimed();
        division.dropUselessPreemptions();
        division.distributeRemainder();
        return division;
    }

    /**
     * Returns the spread of the classes around their loads: the maximum minus the minimum of (load % − ⌊100 × running ÷
     * workers⌋), including 0, in percentage points, over the classes that wait or exceed their entitlement.
     */
    public static int spread(int workers, List<LoadClass> classes) {
        if (workers <= 0) {
            return 0;
        }
        LoadDivision division = new LoadDivision(workers, 0, classes);
        long least = 0;
        long most = 0;
        for (int i = 0; i < division.count; i++) {
            LoadClass each = classes.get(i);
            if (each.waiting() > 0 || division.loaned(i) > 0) {
                long under = division.percent[i] - 100L * each.running() / workers;
                least = Math.min(least, under);
                most = Math.max(most, under);
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, most - least);
    }

    /** The effective percentages: as configured if they add up to 100, else scaled. */
    public List<Integer> percents() {
        return boxed(percent);
    }

    /** The positions of the classes in descending load order. */
    int[] byLoad() {
        return byLoad.clone();
    }

    /** The number of workers that each class is entitled to. */
    public List<Integer> entitlements() {
        return boxed(entitlement);
    }

    /** The number of tasks that each class starts. */
    public List<Integer> starts() {
        return boxed(starts);
    }

    /** The number of tasks that are preempted in each class. */
    public List<Integer> preemptions() {
        return boxed(preemptions);
    }

    /** The number of workers that each class has beyond its entitlement, before any starts and preemptions. */
    public List<Integer> loaned() {
        return IntStream.range(0, count).mapToObj(this::loaned).toList();
    }

    private static List<Integer> boxed(int[] numbers) {
        return IntStream.of(numbers).boxed().toList();
    }

    /**
     * Scales percentages to a sum of 100, rounding down; the largest takes the rest, and values above 0 stay above 0.
     */
    static int[] scaled(int[] percents) {
        long sum = IntStream.of(percents).asLongStream().sum();
        if (sum == 100 || sum == 0) {
            return percents.clone();
        }
        int[] scaled = new int[percents.length];
        int largest = 0;
        int rest = 100;
        for (int i = 0; i < percents.length; i++) {
            scaled[i] = percents[i] == 0 ? 0 : (int) Math.max(1, percents[i] * 100L / sum);
            rest -= scaled[i];
            largest = percents[i] > percents[largest] ? i : largest;
        }
        scaled[largest] = Math.max(1, scaled[largest] + rest);
        return scaled;
    }

    /** Divides by largest remainder. Percentages add up to 100, or to more if there are more than 100 classes. */
    private int[] entitlements(int workers) {
        int[] entitled = new int[count];
        long sum = IntStream.of(percent).asLongStream().sum();
        if (sum == 0 || workers <= 0) {
            return entitled;
        }
        int rest = workers;
        for (int i = 0; i < count; i++) {
            entitled[i] = (int) (workers * (long) percent[i] / sum);
            rest -= entitled[i];
        }
        Comparator<Integer> byFraction = Comparator.comparingLong(i -> -(workers * (long) percent[i] % sum));
        IntStream.of(byLoad)
                .boxed()
                .sorted(byFraction) // a stable sort: ties stay in descending load order
                .limit(rest)
                .forEach(i -> entitled[i]++);
        return entitled;
    }

    private int waiting(int i) {
        return percent[i] == 0 ? 0 : classes.get(i).waiting() - starts[i];
    }

    private int loaned(int i) {
        return Math.max(0, classes.get(i).running() - entitlement[i]);
    }

    private void meetEntitlements() {
        for (int round = 0; round < count && idle > 0; round++) {
            int[] unused = new int[count];
            for (int i = 0; i < count; i++) {
                int has = classes.get(i).running() + starts[i];
                unused[i] = waiting(i) > 0 ? Math.max(0, entitlement[i] - has) : 0;
            }
            long sum = IntStream.of(unused).asLongStream().sum();
            if (sum == 0) {
                return;
            }
            int[] parts = parts(unused, sum);
            parts[byLoad[0]] += 100 - IntStream.of(parts).sum();
            start(parts, (int) Math.min(idle, sum));
        }
    }

    /**
     * Loans of earlier rounds of this cycle do not count as loaned, so a later round corrects the rounding of an
     * earlier one.
     */
    private void loan() {
        for (int round = 0; round < count && idle > 0; round++) {
            long waitingPercent = 0;
            long total = idle;
            for (int i = 0; i < count; i++) {
                waitingPercent += waiting(i) > 0 ? percent[i] : 0;
                total += percent[i] == 0 ? 0 : loaned(i);
            }
            int[] adjusted = new int[count];
            for (int i = 0; i < count; i++) {
                adjusted[i] = waiting(i) > 0 ? (int) Math.max(0, total * percent[i] / waitingPercent - loaned(i)) : 0;
            }
            long sum = IntStream.of(adjusted).asLongStream().sum();
            if (sum == 0) {
                return;
            }
            start(parts(adjusted, sum), idle);
        }
    }

    private static int[] parts(int[] amounts, long sum) {
        return IntStream.of(amounts).map(amount -> (int) (100L * amount / sum)).toArray();
    }

    /** Starts each class's part of the budget, rounded up, in descending load order until the budget is used. */
    private void start(int[] parts, int budget) {
        int left = budget;
        for (int i : byLoad) {
            int started = Math.min(Math.min(waiting(i), roundedUp(budget, parts[i])), left);
            starts[i] += started;
            left -= started;
            idle -= started;
        }
    }

    private static int roundedUp(int budget, int part) {
        return (int) ((budget * (long) part + 99) / 100);
    }

    /** Preempts everything above the entitlements and starts the other classes up to theirs. */
    private void reclaimLoans(List<Integer> reclaimable) {
        for (int i = 0; i < count; i++) {
            preemptions[i] = Math.min(loaned(i), reclaimable.get(i));
            idle += preemptions[i];
        }
        for (int i : byLoad) {
            int unused = Math.max(0, entitlement[i] - classes.get(i).running());
            int started = Math.min(Math.min(waiting(i), unused), idle);
            starts[i] += started;
            idle -= started;
        }
    }

    /**
     * Makes one round of loans as if there were none; a loan to a class with preemptions cancels that number of them.
     */
    private void relendReclaimed() {
        int[] wanted = new int[count];
        long wantingPercent = 0;
        for (int i = 0; i < count; i++) {
            wanted[i] = percent[i] == 0 ? 0 : preemptions[i] > 0 ? preemptions[i] : waiting(i);
            wantingPercent += wanted[i] > 0 ? percent[i] : 0;
        }
        int[] adjusted = new int[count];
        for (int i = 0; i < count; i++) {
            adjusted[i] = wanted[i] > 0 ? (int) ((long) idle * percent[i] / wantingPercent) : 0;
        }
        long sum = IntStream.of(adjusted).asLongStream().sum();
        if (sum == 0) {
            return;
        }
        int[] parts = parts(adjusted, sum);
        int budget = idle;
        for (int i : byLoad) {
            int loan = Math.min(Math.min(wanted[i], roundedUp(budget, parts[i])), idle);
            if (preemptions[i] > 0) {
                preemptions[i] -= loan;
            } else {
                starts[i] += loan;
            }
            idle -= loan;
        }
    }

    /**
     * Cancels preemptions whose workers would stay idle, each in the class with the most preemptions, then the largest
     * load.
     */
    private void dropUselessPreemptions() {
        PriorityQueue<Integer> byStops = new PriorityQueue<>(Comparator.comparingInt((Integer i) -> -preemptions[i])
                .thenComparingInt(i -> -percent[i])
                .thenComparingInt(i -> i));
        for (int i = 0; i < count; i++) {
            if (preemptions[i] > 0) {
                byStops.add(i);
            }
        }
        while (idle > 0 && !byStops.isEmpty()) {
            int most = byStops.remove();
            preemptions[most]--;
            idle--;
            if (preemptions[most] > 0) {
                byStops.add(most);
            }
        }
    }

    private void distributeRemainder() {
        boolean given = true;
        while (idle > 0 && given) {
            given = false;
            for (int i : byLoad) {
                if (idle > 0 && waiting(i) > 0 && preemptions[i] == 0) {
                    starts[i]++;
                    idle--;
                    given = true;
                }
            }
        }
    }
}
