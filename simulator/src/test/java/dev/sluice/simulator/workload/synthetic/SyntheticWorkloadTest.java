package dev.sluice.simulator.workload.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SyntheticWorkloadTest {

    private static final String OFFICE = """
            nodes:
              - {name: w, count: 10, capacity: {vcore: 16, memory: 64Gi}}
            synthetic:
              seed: 3
              begin: 2026-01-05T00:00:00Z
              applications: 20000
              arrivals: {every: 30s}
              users:
                - {name: ada, weight: 3, groups: [web], queue: root.Web, tags: {team: web}}
                - {name: dev, count: 50, zipf: 1, weight: 7, groups: [data]}
              kinds:
                - name: small
                  weight: 9
                  duration: {lognormal: {median: 2m, sigma: 1}}
                  resources: {vcore: 500m}
                - name: large
                  users: [dev]
                  tasks: {powersoftwo: {from: 1, to: 8}}
                  priority: {choice: [-1, 5]}
                  duration: {exponential: {mean: 1h, max: 6h}}
                  resources: {vcore: {choice: [1, {value: 4, weight: 3}]}, memory: {lognormal: {median: 4Gi, sigma: 1, max: 60Gi}}}
            """;

    private static SyntheticWorkload workload(String text) {
        return SyntheticWorkload.read("w.yaml", text).value();
    }

    private static List<Arrival> arrivals(String text, int max) {
        List<Arrival> arrivals = new ArrayList<>();
        try (ArrivalStream stream = workload(text).open()) {
            for (Arrival next = stream.next(); next != null && arrivals.size() < max; next = stream.next()) {
                arrivals.add(next);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return arrivals;
    }

    private static List<Arrival> arrivals(String text) {
        return arrivals(text, Integer.MAX_VALUE);
    }

    private static double share(List<Arrival> arrivals, Predicate<Arrival> wanted) {
        return (double) arrivals.stream().filter(wanted).count() / arrivals.size();
    }

    private static String kindOf(Arrival arrival) {
        return arrival.application().name();
    }

    private static List<Arrival> ofKind(List<Arrival> arrivals, String kind) {
        return arrivals.stream().filter(each -> kindOf(each).equals(kind)).toList();
    }

    private static void check(String text, String... expected) {
        assertThat(SyntheticWorkload.read("w", text).report()).isEqualTo(String.join("\n", expected));
    }

    @Test
    void workload_ofFile_matchesSpecification() {
        List<Arrival> arrivals = arrivals(OFFICE);

        assertThat(workload(OFFICE).name()).isEqualTo("w.yaml");
        assertThat(workload(OFFICE).nodes()).hasSize(1);
        assertThat(arrivals).hasSize(20_000);
        Duration length = Duration.between(
                Instant.parse("2026-01-05T00:00:00Z"), arrivals.get(19_999).submitted());
        assertThat((double) length.toSeconds()).isCloseTo(20_000 * 30, within(20_000 * 30 * 0.02));
        assertThat(share(arrivals, each -> kindOf(each).equals("small"))).isCloseTo(0.9, within(0.01));
        assertThat(arrivals).extracting(Arrival::submitted).isSorted();
        assertThat(arrivals.stream().map(each -> each.application().id()).distinct())
                .hasSize(20_000);
        assertThat(arrivals.get(0).application().id()).endsWith("-0");
        assertThat(arrivals).allMatch(each -> each.application().sealed());
    }

    @Test
    void users_submitInProportionToWeights() {
        List<Arrival> small = ofKind(arrivals(OFFICE), "small");

        assertThat(share(small, each -> each.application().user().equals("ada")))
                .isCloseTo(0.3, within(0.01));
        double first = share(small, each -> each.application().user().equals("dev-0"));
        double second = share(small, each -> each.application().user().equals("dev-1"));
        assertThat(first / second).isCloseTo(2, within(0.15));
        Arrival ofAda = small.stream()
                .filter(each -> each.application().user().equals("ada"))
                .findFirst()
                .orElseThrow();
        assertThat(ofAda.application().groups()).containsExactly("web");
        assertThat(ofAda.application().queue()).isEqualTo("root.web");
        assertThat(ofAda.application().tags()).isEqualTo(Map.of("team", "web"));
    }

    @Test
    void kind_hasItsOwnDistributions() {
        List<Arrival> large = ofKind(arrivals(OFFICE), "large");

        assertThat(large).allMatch(each -> each.application().groups().equals(List.of("data")));
        assertThat(large.stream()
                        .map(each -> each.application().tasks().get(0).size())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(1, 2, 4, 8);
        assertThat(large.stream()
                        .map(each -> each.application().tasks().get(0).priority())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(-1, 5);
        assertThat(share(
                        large,
                        each -> each.application()
                                        .tasks()
                                        .get(0)
                                        .resources()
                                        .amount(ResourceTypes.VCORE)
                                        .value()
                                == 4000))
                .isCloseTo(0.75, within(0.03));
        assertThat(large).allMatch(each -> each.durations().get(0).compareTo(Duration.ofHours(6)) <= 0);
        assertThat(large.stream()
                        .mapToLong(each -> each.durations().get(0).toSeconds())
                        .average()
                        .orElseThrow())
                .isCloseTo(3600, within(200.0));
    }

    @Test
    void seed_same_givesSameArrivals() {
        List<Arrival> arrivals = arrivals(OFFICE, 500);

        assertThat(arrivals(OFFICE, 500)).isEqualTo(arrivals);
        List<Arrival> others = arrivals(OFFICE.replace("seed: 3", "seed: 4"), 500);
        assertThat(others.get(0).submitted()).isNotEqualTo(arrivals.get(0).submitted());
        assertThat(ofKind(others, "large").get(0).durations())
                .isNotEqualTo(ofKind(arrivals, "large").get(0).durations());
    }

    @Test
    void stream_openedTwice_isTheSame() {
        SyntheticWorkload workload = workload(OFFICE);
        ArrivalStream one = workload.open();
        ArrivalStream other = workload.open();
        try (one;
                other) {
            for (int i = 0; i < 100; i++) {
                assertThat(one.next()).isEqualTo(other.next());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void kind_changed_doesNotAffectOthers() {
        List<Arrival> before = arrivals(OFFICE, 500);
        List<Arrival> after = arrivals(OFFICE.replace("median: 2m", "median: 9m"), 500);

        assertThat(after)
                .extracting(Arrival::submitted)
                .isEqualTo(before.stream().map(Arrival::submitted).toList());
        assertThat(after.stream().filter(each -> kindOf(each).equals("large")))
                .containsExactlyElementsOf(before.stream()
                        .filter(each -> kindOf(each).equals("large"))
                        .toList());
        assertThat(after).isNotEqualTo(before);
    }

    @Test
    @Tag("slow")
    void daily_perKind_peaksAtItsOwnTime() {
        List<Arrival> arrivals = arrivals("""
                synthetic:
                  begin: 2026-01-05T06:00:00Z
                  for: 100d
                  arrivals: {perhour: 60, daily: {peak: 12h, ratio: 9}}
                  kinds:
                    - {name: day, duration: 1m}
                    - {name: night, duration: 1m, daily: {peak: 0s, ratio: 9}}
                """);

        assertThat((double) arrivals.size()).isCloseTo(100 * 24 * 60, within(2000.0));
        assertThat(at(arrivals, "day", 12) / at(arrivals, "day", 0)).isCloseTo(9, within(1.5));
        assertThat(at(arrivals, "night", 0) / at(arrivals, "night", 12)).isCloseTo(9, within(1.5));
        assertThat(share(arrivals, each -> kindOf(each).equals("day"))).isCloseTo(0.5, within(0.01));
    }

    private static double at(List<Arrival> arrivals, String kind, int hour) {
        return share(
                arrivals,
                each -> kindOf(each).equals(kind)
                        && each.submitted().atOffset(ZoneOffset.UTC).getHour() == hour);
    }

    @Test
    void burst_submitsSeveralAtOnceByOneUser() {
        List<Arrival> arrivals = arrivals("""
                synthetic:
                  for: 10h
                  arrivals: {every: 1m, burst: 3}
                  users: [{name: u, count: 100}]
                  kinds: [{name: k, duration: {uniform: {from: 1s, to: 1h}}}]
                """);

        assertThat(arrivals.size() % 3).isZero();
        for (int i = 0; i < arrivals.size(); i += 3) {
            assertThat(arrivals.subList(i, i + 3))
                    .extracting(Arrival::submitted)
                    .containsOnly(arrivals.get(i).submitted());
            assertThat(arrivals.subList(i, i + 3))
                    .extracting(each -> each.application().user())
                    .containsOnly(arrivals.get(i).application().user());
            assertThat(arrivals.get(i).durations())
                    .isNotEqualTo(arrivals.get(i + 1).durations());
        }
        assertThat((double) arrivals.size()).isCloseTo(3 * 600, within(200.0));
    }

    @Test
    void end_isEarlierOfTimeAndApplications() {
        String text = "synthetic: {arrivals: {every: 1s}, kinds: [{name: k, duration: 1s}], for: 1m, applications: %s}";

        assertThat(arrivals(text.formatted("1000000000000")).size()).isBetween(30, 100);
        assertThat(arrivals(text.formatted("7"))).hasSize(7);
        assertThat(arrivals("synthetic: {arrivals: {perhour: 1e-300}, kinds: [{name: k, duration: 1s}], for: 24h}"))
                .isEmpty();
    }

    @Test
    void file_invalid_reportsPositionAndFix() {
        check("nodes: []", "w:1:1: missing section synthetic");
        check(
                "synthetic: {users: []}",
                "w:1:12: missing arrivals, the arrival rate: write for example arrivals: {every: 1m}",
                "w:1:12: missing kinds of work: write kinds: and a list",
                "w:1:12: missing end: write for: 24h, applications: 1000, or both",
                "w:1:20: empty list: write at least one user");
        String kinds = ", for: 1h, kinds: [{name: k, duration: 1s}]}";
        check("synthetic: {arrivals: {}" + kinds, "w:1:23: missing arrival rate: write every: 1m or perhour: 60");
        check(
                "synthetic: {arrivals: {every: 0s}" + kinds,
                "w:1:31: duration must be greater than 0: write for example 90s");
        check(
                "synthetic: {arrivals: {every: 1s, perhour: 3}" + kinds,
                "w:1:44: every and perhour are mutually exclusive: remove one");
        check("synthetic: {arrivals: {perhour: 0}" + kinds, "w:1:33: perhour must be greater than 0, not 0.0");
        check(
                "synthetic: {arrivals: {perhour: 1e300}" + kinds,
                "w:1:33: arrival rate too high: the maximum is one per microsecond");
        check(
                "synthetic: {arrivals: {every: 1s, daily: {peak: 25h, ratio: 2}}" + kinds,
                "w:1:49: peak must be a time of day before 24h: write for example 14h");
        check(
                "synthetic: {arrivals: {every: 1s, daily: {ratio: 0}}" + kinds,
                "w:1:50: ratio must be from 1 (no daily cycle) to 1000, not 0.0");
        check("synthetic: {arrivals: {every: 1s}, for: 1h, kinds: []}", "w:1:52: empty list: write at least one kind");
        check(
                "synthetic: {arrivals: {every: 1s}, for: 1h, kinds: [{name: k, wieght: 3, duration: 1s}]}",
                "w:1:63: unknown key \"wieght\" of a kind of work: did you mean \"weight\"? (see docs/reference/workload.md)");
    }

    @Test
    void kindsAndUsers_invalid_reportPositionAndFix() {
        String head = "synthetic: {arrivals: {every: 1s}, for: 1h,\n";
        check(
                head + "kinds: [{name: k, weight: 0, duration: 1s}, {name: k, weight: 0, duration: 1s}]}",
                "w:2:8: every kind has weight 0: at least one weight must be greater than 0",
                "w:2:52: duplicate kind \"k\": first defined in line 2");
        check(
                head + "kinds: [{name: k, weight: -1}]}",
                "w:2:9: missing duration of the tasks: write for example duration: 5m",
                "w:2:27: weight must be from 0 to 1000000000, not -1.0");
        check(
                head + "users: [{name: a}, {name: a}],\nkinds: [{name: k, users: [b], duration: 1s}]}",
                "w:2:27: duplicate user \"a\": first defined in line 2",
                "w:3:27: unknown user \"b\": expected a");
        check(
                head + "users: [{name: a, weight: 0}, {name: b}],\nkinds: [{name: k, users: [a], duration: 1s}]}",
                "w:3:26: every user has weight 0: at least one weight must be greater than 0");
        check(
                head + "users: [{name: a, zipf: 2}, {name: b, count: 1000000}],\nkinds: [{name: k, duration: 1s}]}",
                "w:2:25: zipf requires count: write count: too",
                "w:2:36: too many users: the maximum is 1000000 in total");
        check(
                head + "kinds: [{name: k, duration: 1s, resources: {slots: 1}}]}",
                "w:2:52: every task takes one slot: remove slots");
    }

    @Test
    void distribution_invalid_reportsPositionAndFix() {
        checkDuration("[1s]", "w:1:73: expected a duration such as 90s or 1h30m, found a list");
        checkDuration("{}", "w:1:73: missing distribution: write a value, or a map such as {exponential: {mean: …}}");
        checkDuration(
                "{gauss: {mean: 1s}}",
                "w:1:73: missing distribution: write a value, or a map such as {exponential: {mean: …}}",
                "w:1:74: unknown key \"gauss\" of a distribution: expected one of uniform, exponential, lognormal, pareto, powersoftwo"
                        + " and choice (see docs/reference/workload.md)");
        checkDuration(
                "{choice: [1s], uniform: {from: 1s, to: 2s}}",
                "w:1:73: more than one distribution: remove all but one");
        checkDuration("{uniform: {from: 2s, to: 1s}}", "w:1:98: to must be at least from, which is 2s");
        checkDuration("{uniform: {from: 2s}}", "w:1:83: missing to: the maximum");
        checkDuration("{powersoftwo: {from: 0s, to: 1s}}", "w:1:94: from must be greater than 0");
        checkDuration(
                "{exponential: {mean: 40d}}", "w:1:87: the mean is 40d, above the maximum of 30d: write a larger max");
        checkDuration(
                "{exponential: {mean: 1h, max: 5m}}",
                "w:1:103: the mean is 1h, above the maximum of 5m: write a larger max");
        checkDuration(
                "{lognormal: {median: 1h, sigma: -1}}",
                "w:1:105: sigma must be greater than 0 and at most 100, not -1.0");
        checkDuration("{lognormal: {median: 1h}}", "w:1:85: missing sigma: the standard deviation of the logarithm");
        checkDuration(
                "{lognormal: {median: 1h, mean: 2h, sigma: 1}}",
                "w:1:94: mean and median are mutually exclusive: remove one");
        checkDuration("{pareto: {from: 1s, alpha: 1e999}}", "w:1:100: \"1e999\" is not a finite decimal number");
        checkDuration("{choice: []}", "w:1:82: empty list: write at least one value");
        checkDuration(
                "{choice: [{value: 1s, weight: 0}]}",
                "w:1:82: every value has weight 0: at least one weight must be greater than 0");
        check(
                "synthetic: {arrivals: {every: 1s}, for: 1h, kinds: [{name: k, duration: 1s, resources: {memory: {exponential: {mean: 1Gi}}}}]}",
                "w:1:111: unbounded distribution: write max:, the maximum that a task may request");
        check(
                "synthetic: {arrivals: {every: 1s}, for: 1h, kinds: [{name: k, duration: 1s, tasks: 0}]}",
                "w:1:84: 0 is out of range: must be a whole number from 1 to 10000000");
    }

    private static void checkDuration(String distribution, String... expected) {
        check(
                "synthetic: {arrivals: {every: 1s}, for: 1h, kinds: [{name: k, duration: " + distribution + "}]}",
                expected);
    }

    @Test
    void nodesAndPartitions_invalid_areReported() {
        String synthetic = "\nsynthetic: {arrivals: {every: 1s}, for: 1h, kinds: [{name: k, duration: 1s}]}";
        SyntheticWorkload workload =
                workload("partitions: [{queues: [{name: a}]}]\nnodes: [{name: n, capacity: {vcore: 1}}]" + synthetic);

        assertThat(workload.partitions()).hasSize(1);
        check(
                "partitions: [{queues: [{name: a}]}]\nnodes: [{name: n, partition: gpu, capacity: {}}]" + synthetic,
                "w:2:30: unknown partition \"gpu\": expected default");
    }
}
