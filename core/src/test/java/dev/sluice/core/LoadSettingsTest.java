package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes of load settings and the throttle at run time. */
@ExtendWith(SchedulerExtension.class)
class LoadSettingsTest {

    private static final String DEFAULT = PartitionConfiguration.DEFAULT_NAME;

    private static QueueConfiguration queue(String name, SharePolicyKind share, int percent) {
        QueueProperties properties =
                QueueProperties.DEFAULTS.withSharePolicy(share).withLoad(LoadProperties.ofClass(percent));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, List.of());
    }

    // root (load)
    //  ├─ land 60 %
    //  └─ diff 40 %
    private static ClusterUnderTest loadCluster(ClusterUnderTest cluster) {
        return cluster.queues(queue("root", SharePolicyKind.LOAD, 0)
                        .withChildren(List.of(
                                queue("land", SharePolicyKind.FAIR, 60), queue("diff", SharePolicyKind.FAIR, 40))))
                .nodes("w", 10, "slots", "1");
    }

    private static TaskSpec tasks(int count) {
        return TaskSpec.of("t", count, Resources.NONE);
    }

    private static ApplicationSpec by(String user, String id) {
        return ApplicationSpec.open(id, null, tasks(1)).withUser(user);
    }

    private static PartitionConfiguration configuration(ClusterUnderTest cluster) {
        return cluster.partition().configuration();
    }

    @Test
    void percents_changed_applyFromNextCycle(ClusterUnderTest cluster) {
        loadCluster(cluster).submit("l", "root.land", tasks(20)).submit("d", "root.diff", tasks(20));
        cluster.handle(new Command.SetClassLoadPercents(DEFAULT, "root", Map.of("land", 20, "diff", 80)))
                .cycle();
        assertThat(cluster.queue("root.land").allocatedTasks()).isEqualTo(2);
        assertThat(cluster.queue("root.diff").allocatedTasks()).isEqualTo(8);
        assertThat(LoadSettings.classLoadPercents(configuration(cluster), "root"))
                .containsExactly(Map.entry("land", 20), Map.entry("diff", 80));
        cluster.handle(new Command.SetClassLoadPercents(DEFAULT, "root", Map.of("diff", 0)));
        assertThat(LoadSettings.classLoadPercents(configuration(cluster), "root"))
                .as("classes that are not named keep their percentages")
                .containsExactly(Map.entry("land", 20), Map.entry("diff", 0));
    }

    @Test
    void requestors_mapped_goToFirstMatchingClass(ClusterUnderTest cluster) {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("root.land", "^land.*");
        map.put("root.diff", ".*bot$");
        loadCluster(cluster).handle(new Command.SetRequestorMap(DEFAULT, map));
        assertThat(LoadSettings.requestorMap(configuration(cluster)).entrySet())
                .containsExactlyElementsOf(map.entrySet());
        cluster.submit(by("landbot", "a")).submit(by("reviewbot", "b")).submit(by("alice", "c"));
        assertThat(cluster.application("a").queue().path()).isEqualTo("root.land");
        assertThat(cluster.application("b").queue().path()).isEqualTo("root.diff");
        assertThat(cluster.state("c")).isEqualTo(ApplicationState.REJECTED);
        assertThat(cluster.application("c").stateReason())
                .isEqualTo("no placement rule matches (fixed: filter excludes user alice; "
                        + "fixed: filter excludes user alice; provided: the application names no queue)");
    }

    private static List<String> classesOf(ClusterUnderTest cluster, String expression, String... users) {
        cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of("root.land", expression)));
        assertThat(LoadSettings.requestorMap(configuration(cluster)))
                .containsExactly(Map.entry("root.land", expression));
        return Stream.of(users)
                .filter(user -> new QueuePlacement()
                                .place(by(user, "a"), cluster.partition())
                                .queue()
                        != null)
                .toList();
    }

    @Test
    void requestorMap_withoutSpecialCharacters_isExpression(ClusterUnderTest cluster) {
        loadCluster(cluster);
        assertThat(classesOf(cluster, "sand", "sandbox1", "my-sandbox", "sam"))
                .containsExactly("sandbox1", "my-sandbox");
        assertThat(classesOf(cluster, "d.v", "dev", "d.v", "dv")).containsExactly("dev", "d.v");
        assertThat(classesOf(cluster, "bot$", "landbot", "bots")).containsExactly("landbot");
        assertThat(classesOf(cluster, "1a b", "1a b", "11a b2", "1ab")).containsExactly("1a b", "11a b2");
        assertThat(classesOf(cluster, "u\\d", "u1", "ud")).containsExactly("u1");
        assertThat(classesOf(cluster, "(?:sand)", "sandbox1", "sam")).containsExactly("sandbox1");
        assertThat(classesOf(cluster, "^sand$", "sand", "sandbox1")).containsExactly("sand");
    }

    @Test
    void requestorMap_ofSingleNameRule_matchesOnlyThatName(ClusterUnderTest cluster) {
        loadCluster(cluster);
        RuleFilter bob = new RuleFilter(true, List.of("bob.x"), List.of());
        cluster.configure(configuration(cluster)
                .withPlacementRules(
                        List.of(new PlacementRule(PlacementRule.Kind.FIXED, "root.land", false, null, bob))));
        assertThat(LoadSettings.requestorMap(configuration(cluster)))
                .containsExactly(Map.entry("root.land", "^bob\\.x$"));
        assertThat(classesOf(cluster, "^bob\\.x$", "bob.x", "bobby", "bob-x")).containsExactly("bob.x");
    }

    @Test
    void requestorMap_setAndCleared_restoresRules(ClusterUnderTest cluster) {
        loadCluster(cluster);
        PlacementRule provided = new PlacementRule(PlacementRule.Kind.PROVIDED, "", false, null, RuleFilter.EVERYBODY);
        for (List<PlacementRule> before : List.of(List.<PlacementRule>of(), List.of(provided))) {
            cluster.configure(configuration(cluster).withPlacementRules(before));
            cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of("root.land", "l")));
            cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of("root.diff", "d")));
            assertThat(configuration(cluster).placementRules()).hasSize(2);
            cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of()));
            assertThat(configuration(cluster).placementRules()).isEqualTo(before);
        }
        cluster.configure(configuration(cluster).withPlacementRules(List.of()));
        assertThat(cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of()))
                        .events())
                .as("clearing an empty map")
                .isEmpty();
    }

    @Test
    void percentWarning_sumNotHundred_isReturned(ClusterUnderTest cluster) {
        PartitionConfiguration partition = configuration(loadCluster(cluster));
        assertThat(LoadSettings.percentWarning(partition, "root")).isNull();
        assertThat(LoadSettings.percentWarning(
                        LoadSettings.withClassLoadPercents(partition, "root", Map.of("land", 50)), "root"))
                .isEqualTo("the load percentages below root add up to 90, not to 100: they are scaled");
        assertThat(LoadSettings.percentWarning(
                        LoadSettings.withClassLoadPercents(partition, "root", Map.of("land", 0, "diff", 0)), "root"))
                .isEqualTo("all load classes below root are at 0 %: none is ever served");
        assertThat(LoadSettings.percentWarning(partition, "root.land")).isNull();
    }

    @Test
    void requestorMap_amongOtherRules_keepsPosition(ClusterUnderTest cluster) {
        loadCluster(cluster);
        PlacementRule tag = new PlacementRule(PlacementRule.Kind.TAG, "class", false, null, RuleFilter.EVERYBODY);
        PlacementRule land = new PlacementRule(
                PlacementRule.Kind.FIXED, "root.land", false, null, new RuleFilter(true, List.of("l.*"), List.of()));
        PlacementRule rest =
                new PlacementRule(PlacementRule.Kind.FIXED, "root.diff", false, null, RuleFilter.EVERYBODY);
        cluster.configure(configuration(cluster).withPlacementRules(List.of(tag, land, rest)));
        cluster.handle(new Command.SetRequestorMap(DEFAULT, Map.of("root.diff", "d.*")));
        assertThat(configuration(cluster).placementRules())
                .extracting(PlacementRule::value, rule -> rule.filter().users())
                .containsExactly(
                        tuple("class", List.of()), tuple("root.diff", List.of("d.*")), tuple("root.diff", List.of()));
    }

    @Test
    void requestorMap_severalRulesPerClass_matchesSameUsers(ClusterUnderTest cluster) {
        loadCluster(cluster);
        cluster.configure(configuration(cluster)
                .withPlacementRules(List.of(
                        new PlacementRule(
                                PlacementRule.Kind.FIXED,
                                "root.land",
                                false,
                                null,
                                new RuleFilter(true, List.of("bob"), List.of())),
                        new PlacementRule(
                                PlacementRule.Kind.FIXED,
                                "root.land",
                                false,
                                null,
                                new RuleFilter(true, List.of("al.*"), List.of())))));
        Map<String, String> map = LoadSettings.requestorMap(configuration(cluster));
        cluster.handle(new Command.SetRequestorMap(DEFAULT, map));
        cluster.submit(by("bob", "a")).submit(by("alice", "b")).submit(by("bobby", "c"));
        assertThat(cluster.application("a").queue().path()).isEqualTo("root.land");
        assertThat(cluster.application("b").queue().path()).isEqualTo("root.land");
        assertThat(cluster.state("c")).isEqualTo(ApplicationState.REJECTED);
    }

    @Test
    void rebalanceSettings_changed_areKept(ClusterUnderTest cluster) {
        loadCluster(cluster)
                .handle(new Command.SetRebalanceThreshold(DEFAULT, "root", 30))
                .handle(new Command.SetRebalanceMinimumDuration(DEFAULT, "root", Duration.ofMinutes(1)));
        assertThat(LoadSettings.rebalanceThreshold(configuration(cluster), "root"))
                .isEqualTo(30);
        assertThat(LoadSettings.rebalanceMinimumDuration(configuration(cluster), "root"))
                .isEqualTo(Duration.ofMinutes(1));
        cluster.submit("d", "root.diff", tasks(10)).cycle();
        cluster.startAll().submit("l", "root.land", tasks(10)).cycle();
        cluster.advance(Duration.ofSeconds(30))
                .handle(new Command.SetRebalanceMinimumDuration(DEFAULT, "root", Duration.ofSeconds(40)));
        assertThat(cluster.scheduler().scheduler().nextDue(DEFAULT))
                .as("the elapsed time counts")
                .isEqualTo(ClusterUnderTest.BEGIN.plusSeconds(40));
        assertThat(cluster.advance(Duration.ofSeconds(10)).cycle()).hasSize(6);
    }

    @Test
    void setting_invalid_isRefused(ClusterUnderTest cluster) {
        loadCluster(cluster);
        assertThat(refused(cluster, new Command.SetClassLoadPercents(DEFAULT, "root", Map.of("lnad", 1))))
                .isEqualTo("load class lnad not found below root");
        assertThat(refused(cluster, new Command.SetClassLoadPercents(DEFAULT, "root", Map.of("land", 101))))
                .isEqualTo("load of land must be a whole number from 0 to 100, not 101");
        assertThat(refused(cluster, new Command.SetClassLoadPercents(DEFAULT, "root.land", Map.of())))
                .isEqualTo("queue root.land does not share by load");
        assertThat(refused(cluster, new Command.SetRebalanceThreshold(DEFAULT, "root.x", 1)))
                .isEqualTo("queue root.x not found");
        assertThat(refused(cluster, new Command.SetRebalanceThreshold(DEFAULT, "root", -1)))
                .isEqualTo("rebalance threshold must be 0 (off) or more percentage points, not -1");
        assertThat(refused(cluster, new Command.SetRebalanceMinimumDuration(DEFAULT, "root", Duration.ofMillis(-1))))
                .isEqualTo("rebalance minimum duration must be greater than 0, not PT-0.001S");
        assertThat(refused(cluster, new Command.SetRebalanceMinimumDuration(DEFAULT, "root", Duration.ZERO)))
                .as("classes whose tasks fit no node would preempt others forever")
                .isEqualTo("rebalance minimum duration must be greater than 0, not PT0S");
        assertThat(refused(cluster, new Command.SetRequestorMap(DEFAULT, Map.of("root.x", "a"))))
                .isEqualTo("root.x is not a load class");
        assertThat(refused(cluster, new Command.SetRequestorMap(DEFAULT, Map.of("root.land", ""))))
                .isEqualTo("the regular expression for root.land is empty");
        assertThat(refused(cluster, new Command.SetRequestorMap(DEFAULT, Map.of("root.land", "a(b"))))
                .isEqualTo("\"a(b\" is not a regular expression: Unclosed group");
        assertThat(refused(cluster, new Command.SetRequestorMap(DEFAULT, Map.of("root.land", "a)"))))
                .isEqualTo("\"a)\" is not a regular expression: Unmatched closing ')'");
        assertThat(refused(cluster, new Command.SetThrottle(DEFAULT, -2)))
                .isEqualTo("throttle must be a number of tasks, 0 (start nothing) or -1 (unlimited), not -2");
        assertThat(refused(cluster, new Command.SetThrottle("other", 1))).isEqualTo("partition other not found");
    }

    private static String refused(ClusterUnderTest cluster, Command command) {
        Refusal refusal = cluster.refusal(command);
        return refusal.message();
    }

    @Test
    void setting_unchanged_causesNoEvent(ClusterUnderTest cluster) {
        loadCluster(cluster).handle(new Command.SetClassLoadPercents(DEFAULT, "root", Map.of("land", 60)));
        assertThat(cluster.events()).isEmpty();
        assertThat(cluster.handle(new Command.SetThrottle(DEFAULT, -1)).events())
                .isEmpty();
    }

    @Test
    void throttle_aboveZero_limitsRunningTasks(ClusterUnderTest cluster) {
        loadCluster(cluster).handle(new Command.SetThrottle(DEFAULT, 5));
        cluster.submit("l", "root.land", tasks(20)).submit("d", "root.diff", tasks(20));
        assertThat(cluster.cycle()).hasSize(5);
        assertThat(cluster.queue("root.land").allocatedTasks())
                .as("the classes share the throttled number of workers")
                .isEqualTo(3);
        assertThat(new Explainer(cluster.partition())
                        .explain(cluster.application("l"))
                        .get(0)
                        .reason())
                .isEqualTo(new WaitReason.Throttled(5));
        cluster.startAll().succeed("d/t-0");
        assertThat(cluster.cycle())
                .as("the class whose task ended starts the next one")
                .containsExactly("d/t-2 -> w-3");
    }

    @Test
    void throttle_zero_startsNothing(ClusterUnderTest cluster) {
        loadCluster(cluster).submit("l", "root.land", tasks(20)).cycle();
        cluster.handle(new Command.SetThrottle(DEFAULT, 0)).succeed("l/t-0");
        assertThat(cluster.cycle()).isEmpty();
        assertThat(cluster.queue("root.land").allocatedTasks()).isEqualTo(9);
        cluster.handle(new Command.SetThrottle(DEFAULT, -1));
        assertThat(cluster.cycle()).hasSize(1);
    }

    @Test
    void properties_outOfRange_areRefused() {
        Duration minute = Duration.ofMinutes(1);
        assertThatThrownBy(() -> new LoadProperties(-1, 0, minute))
                .hasMessage("load percentage must be 0 or greater, not -1");
        assertThatThrownBy(() -> new LoadProperties(null, -1, minute)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LoadProperties(null, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
