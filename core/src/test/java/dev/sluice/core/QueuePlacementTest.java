package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.PlacementRule.Kind;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Placement of applications in queues: placement rules, filters, parent rules and dynamic queues. */
@ExtendWith(SchedulerExtension.class)
class QueuePlacementTest {

    private static final String TREE = """
            root
            ├─ default
            ├─ land
            ├─ alice
            ├─ teams      parent
            │  └─ alice
            └─ full
               └─ leaf
            """;

    private static final PlacementRule TEAMS = rule(Kind.FIXED, "teams", false, null);

    private int submissions;

    @Test
    void submission_withoutQueue_isNotAccepted() {
        Scheduler scheduler = new Scheduler();
        Instant now = Instant.EPOCH;
        scheduler.handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())), now);

        CommandResult rejected = scheduler.handle(
                new Command.SubmitApplication("default", ApplicationSpec.open("a", "root.nowhere")), now);
        CommandResult accepted = scheduler.handle(
                new Command.SubmitApplication("default", ApplicationSpec.open("b", "root.default")), now);

        assertThat(rejected.refusal()).isNull();
        assertThat(rejected.isAccepted()).isFalse();
        assertThat(accepted.isAccepted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "root.land,      root.land",
                "land,           root.land",
                "ROOT.Land,      root.land",
                "full.leaf,      root.full.leaf",
                "none,           root.default",
                "root.full,      'queue root.full is not a leaf queue'",
                "root.nowhere,   queue root.nowhere not found",
                "root,           'queue root is not a leaf queue'",
            })
    void noRules_requestedQueue_isUsed(@Nullable String asked, String result, ClusterUnderTest cluster) {
        check(cluster, List.of(), submission(asked, "bob"), result);
    }

    @ParameterizedTest
    @CsvSource({
        // create, asked, result
        "false, root.land, root.land",
        "false, land, root.land",
        "false, root.new, 'no placement rule matches (provided: queue root.new not found)'",
        "true, root.new, root.new",
        "true, root.a.b.c, root.a.b.c",
        // an unqualified name is a single name: its dots are escaped
        "true, a.b, root.a_dot_b",
        "true, root.land.below, 'no placement rule matches (provided: cannot create queues below root.land)'",
        "true, root.a..b, 'no placement rule matches (provided: \"\" is not a valid queue name)'",
        "true, root.a b, 'no placement rule matches (provided: \"a b\" is not a valid queue name)'",
    })
    void provided_requestedQueue_isUsedOrCreated(
            boolean create, String asked, String result, ClusterUnderTest cluster) {
        check(cluster, List.of(rule(Kind.PROVIDED, "", create, null)), submission(asked, "bob"), result);
    }

    @ParameterizedTest
    @CsvSource({
        "1019, root.made",
        "1020, 'no placement rule matches (provided: queue path has 1025 characters: maximum is 1024)'",
    })
    void provided_longPath_isCreatedUpToLimit(int length, String result, ClusterUnderTest cluster) {
        StringBuilder asked = new StringBuilder("root.");
        for (int i = 0; i < length; i++) {
            asked.append(i % 50 == 49 ? '.' : 'x');
        }
        check(
                cluster,
                List.of(rule(Kind.PROVIDED, "", true, null)),
                submission(asked.toString(), "bob"),
                result.equals("root.made") ? asked.toString() : result);
    }

    @ParameterizedTest
    @CsvSource({
        "alice, false, root.alice",
        "bob, false, 'no placement rule matches (user: queue root.bob not found)'",
        "bob, true, root.bob",
        "bob.smith, true, root.bob_dot_smith",
        "Bob, true, root.bob",
        "root, true, root.root",
        "root.land, true, root.root_dot_land",
    })
    void user_userName_isQueue(String user, boolean create, String result, ClusterUnderTest cluster) {
        check(cluster, List.of(rule(Kind.USER, "", create, null)), submission("root.land", user), result);
    }

    @ParameterizedTest
    @CsvSource({"land, root.land", "root.full.leaf, root.full.leaf", "full.leaf, root.full.leaf"})
    void fixed_queueOfRule_isUsed(String value, String result, ClusterUnderTest cluster) {
        check(cluster, List.of(rule(Kind.FIXED, value, false, null)), submission("root.alice", "bob"), result);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "land, root.land",
                "root.full.leaf, root.full.leaf",
                "new.space, root.new_dot_space",
                "none, no placement rule matches (tag: the application has no tag namespace)",
                "'', no placement rule matches (tag: the application has no tag namespace)",
            })
    void tag_valueOfTag_isQueue(@Nullable String value, String result, ClusterUnderTest cluster) {
        ApplicationSpec application =
                submission(null, "bob").withTags(value == null ? Map.of() : Map.of("namespace", value));
        check(cluster, List.of(rule(Kind.TAG, "namespace", true, null)), application, result);
    }

    @Test
    void rule_withInvalidRegex_isRefused() {
        RuleFilter filter = new RuleFilter(true, List.of("(land"), List.of());
        PlacementRule rule = new PlacementRule(PlacementRule.Kind.FIXED, "root.a", false, null, filter);
        PartitionConfiguration configuration = new PartitionConfiguration(
                "default",
                QueueConfiguration.parent("root", QueueConfiguration.leaf("a")),
                List.of(rule),
                NodeSortPolicy.FAIR,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                true);
        assertThat(new Scheduler()
                        .handle(new Command.ApplyConfiguration(List.of(configuration)), Instant.EPOCH)
                        .refusal())
                .isNotNull()
                .extracting(Refusal::message)
                .asString()
                .startsWith("placement rule fixed: \"(land\" is not a regular expression: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(.*a){20}c", "(((((a|b)*)*)*)*)*c", "(a+)+\\1$"})
    @Timeout(20)
    void regex_tooSlow_rejectsApplication(String expression, ClusterUnderTest cluster) {
        String user = "a".repeat(40) + "b";
        RuleFilter keptOut = new RuleFilter(false, List.of(expression), List.of());
        List<PlacementRule> rules = List.of(
                new PlacementRule(Kind.FIXED, "land", false, null, keptOut), rule(Kind.FIXED, "default", false, null));

        check(cluster, rules, submission(null, "bob"), "root.land");
        check(
                cluster,
                rules,
                submission(null, user),
                "placement rule fixed: regular expression \"" + expression + "\" takes too long to match \"" + user
                        + "\": avoid nested repetitions such as (a*)*");
    }

    @Test
    void regex_optimizedByJdk_completes(ClusterUnderTest cluster) {
        RuleFilter filter = new RuleFilter(false, List.of("(a+)+$"), List.of());
        List<PlacementRule> rules = List.of(new PlacementRule(Kind.FIXED, "land", false, null, filter));

        check(cluster, rules, submission(null, "a".repeat(40) + "b"), "root.land");
    }

    @Test
    void regex_tooSlowForManyGroups_rejectsApplication(ClusterUnderTest cluster) {
        RuleFilter filter = new RuleFilter(true, List.of(), List.of("(.*a){5}c"));
        List<PlacementRule> rules = List.of(
                new PlacementRule(Kind.FIXED, "land", false, null, filter), rule(Kind.FIXED, "default", false, null));
        String group = "a".repeat(10) + "b";
        ApplicationSpec application = submission(null, "bob");

        check(cluster, rules, application.withGroups(List.of(group)), "root.default");
        check(
                cluster,
                rules,
                application.withGroups(Collections.nCopies(100, group)),
                "placement rule fixed: regular expression \"(.*a){5}c\" takes too long to match \"" + group
                        + "\": avoid nested repetitions such as (a*)*");
    }

    @Test
    void regex_tooDeep_isRefused() {
        String deep = "(".repeat(100_000) + ")".repeat(100_000);
        RuleFilter filter = new RuleFilter(true, List.of(deep), List.of());

        assertThat(QueuePlacement.problemWith(new PlacementRule(Kind.FIXED, "land", false, null, filter)))
                .startsWith("\"((((")
                .contains("…\" is not a regular expression: ")
                .hasSizeLessThan(200);
    }

    @Test
    void parentRule_ofRule_yieldsParentQueue(ClusterUnderTest cluster) {
        check(cluster, List.of(rule(Kind.USER, "", false, TEAMS)), submission(null, "alice"), "root.teams.alice");
        check(cluster, List.of(rule(Kind.USER, "", true, TEAMS)), submission(null, "bob"), "root.teams.bob");
    }

    @Test
    void parentRules_nested_createQueuesTopDown(ClusterUnderTest cluster) {
        PlacementRule tag = rule(Kind.TAG, "namespace", true, TEAMS);
        ApplicationSpec application = submission(null, "bob").withTags(Map.of("namespace", "blue"));

        check(cluster, List.of(rule(Kind.USER, "", true, tag)), application, "root.teams.blue.bob");

        assertThat(cluster.queue("root.teams.blue").isLeaf()).isFalse();
        assertThat(cluster.queue("root.teams.blue").isDynamic()).isTrue();
    }

    @Test
    void parentRule_leafOrMissingQueue_yieldsNothing(ClusterUnderTest cluster) {
        check(
                cluster,
                List.of(rule(Kind.USER, "", true, rule(Kind.FIXED, "land", true, null))),
                submission(null, "bob"),
                "no placement rule matches (user: queue root.land is a leaf)");
        check(
                cluster,
                List.of(rule(Kind.USER, "", true, rule(Kind.FIXED, "absent", false, null))),
                submission(null, "bob"),
                "no placement rule matches (user: queue root.absent not found)");
    }

    @Test
    void rules_severalMatch_firstWins(ClusterUnderTest cluster) {
        List<PlacementRule> rules = List.of(
                rule(Kind.USER, "", false, null),
                rule(Kind.PROVIDED, "", false, null),
                rule(Kind.FIXED, "default", false, null));

        check(cluster, rules, submission("root.land", "alice"), "root.alice");
        check(cluster, rules, submission("root.land", "bob"), "root.land");
        check(cluster, rules, submission(null, "bob"), "root.default");
    }

    @ParameterizedTest
    @CsvSource({
        // allow, entries, user, passes
        "true, alice bob, alice, true",
        "true, alice bob, carol, false",
        "false, alice bob, alice, false",
        "false, alice bob, carol, true",
        // a single entry with a character that no name contains is a regular expression
        "true, land.*, landsat, true",
        "true, land.*, inland, true",
        "true, ^land.*, inland, false",
        "true, [ab]lice, blice, true",
        "false, land.*, landsat, false",
        // a single plain entry is literal
        "true, land, landsat, false",
        "true, a.ice, alice, false",
        // several entries are literal
        "true, land.* bob, landsat, false",
        "true, land.* bob, land.*, true",
    })
    void filter_ofUsers_allowsOrDenies(
            boolean allow, String entries, String user, boolean passes, ClusterUnderTest cluster) {
        RuleFilter filter = new RuleFilter(allow, List.of(entries.split(" ", -1)), List.of());
        List<PlacementRule> rules = List.of(new PlacementRule(Kind.FIXED, "land", false, null, filter));

        check(
                cluster,
                rules,
                submission(null, user),
                passes ? "root.land" : "no placement rule matches (fixed: filter excludes user " + user + ")");
    }

    @ParameterizedTest
    @CsvSource({
        "true, dev, alice, dev ops, true",
        "true, dev, alice, ops, false",
        "false, dev, alice, ops dev, false",
        "false, dev, alice, ops, true",
        "true, d.*, alice, ops dev, true",
        "true, d.* ops, alice, dev, false",
    })
    void filter_ofGroups_checksEachGroup(
            boolean allow, String entries, String user, String groups, boolean passes, ClusterUnderTest cluster) {
        RuleFilter filter = new RuleFilter(allow, List.of(), List.of(entries.split(" ", -1)));
        List<PlacementRule> rules = List.of(
                new PlacementRule(Kind.FIXED, "land", false, null, filter), rule(Kind.FIXED, "default", false, null));
        ApplicationSpec application = submission(null, user).withGroups(Arrays.asList(groups.split(" ", -1)));

        check(cluster, rules, application, passes ? "root.land" : "root.default");
    }

    @Test
    void filter_ofParentRule_applies(ClusterUnderTest cluster) {
        PlacementRule parent =
                new PlacementRule(Kind.FIXED, "teams", false, null, new RuleFilter(true, List.of("alice"), List.of()));
        List<PlacementRule> rules =
                List.of(rule(Kind.USER, "", true, parent), rule(Kind.FIXED, "default", false, null));

        check(cluster, rules, submission(null, "alice"), "root.teams.alice");
        check(cluster, rules, submission(null, "bob"), "root.default");
    }

    @Test
    void dynamicQueue_belowTemplate_usesIt(ClusterUnderTest cluster) {
        ChildTemplate template = new ChildTemplate(
                2,
                Resources.parse("vcore", "1"),
                Resources.parse("vcore", "3"),
                QueueProperties.DEFAULTS.withApplicationSortPolicy(ApplicationSortPolicy.STATE_AWARE));
        QueueConfiguration root = new QueueConfiguration(
                "root",
                true,
                Resources.NONE,
                Resources.NONE,
                0,
                QueueProperties.DEFAULTS,
                "",
                "",
                List.of(),
                template,
                List.of());
        cluster.configure(partition(root, List.of(rule(Kind.PROVIDED, "", true, null))));

        cluster.submit("app", "root.a.b");

        Queue made = cluster.queue("root.a.b");
        assertThat(made.maxApplications()).isEqualTo(2);
        assertThat(made.configuration().guaranteed()).isEqualTo(template.guaranteed());
        assertThat(made.configuration().max()).isEqualTo(template.max());
        assertThat(made.sortPolicy()).isEqualTo(ApplicationSortPolicy.STATE_AWARE);
        assertThat(cluster.queue("root.a").maxApplications())
                .as("templates only apply to leaves")
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void dynamicQueues_lastApplicationEnds_areRemovedWithParents(ClusterUnderTest cluster) {
        cluster.configure(partition(QueueTreeText.of(TREE), List.of(rule(Kind.PROVIDED, "", true, null))));
        cluster.node("n", "vcore", "4");
        cluster.submitSealed("one", "root.teams.x.y", TaskSpec.single("t", Resources.NONE))
                .submitSealed("two", "root.teams.x.y", TaskSpec.single("t", Resources.NONE))
                .cycle();
        cluster.succeed("one/t");
        assertThat(cluster.partition().queues().find("root.teams.x.y")).isNotNull();

        cluster.succeed("two/t");

        assertThat(cluster.partition().queues().find("root.teams.x.y")).isNull();
        assertThat(cluster.partition().queues().find("root.teams.x")).isNull();
        assertThat(cluster.partition().queues().find("root.teams")).isNotNull();
        cluster.submit("three", "root.teams.x");
        assertThat(cluster.queue("root.teams.x").isLeaf()).isTrue();
    }

    private void check(
            ClusterUnderTest cluster, List<PlacementRule> rules, ApplicationSpec application, String result) {
        cluster.configure(partition(QueueTreeText.of(TREE), rules));
        String id = "app-" + submissions++;
        cluster.submit(ApplicationSpec.open(id, application.queue())
                .withUser(application.user())
                .withGroups(application.groups())
                .withTags(application.tags()));

        Application placed = cluster.application(id);
        if (result.startsWith("root.")) {
            assertThat(placed.stateReason()).isEmpty();
            assertThat(placed.queue().path()).isEqualTo(result);
        } else {
            assertThat(placed.state()).isEqualTo(ApplicationState.REJECTED);
            assertThat(placed.stateReason()).isEqualTo(result);
        }
    }

    private static ApplicationSpec submission(@Nullable String queue, String user) {
        return ApplicationSpec.open("app", queue).withUser(user);
    }

    private static PlacementRule rule(Kind kind, String value, boolean create, @Nullable PlacementRule parent) {
        return new PlacementRule(kind, value, create, parent, RuleFilter.EVERYBODY);
    }

    private static PartitionConfiguration partition(QueueConfiguration root, List<PlacementRule> rules) {
        return new PartitionConfiguration(
                PartitionConfiguration.DEFAULT_NAME,
                root,
                rules,
                NodeSortPolicy.FAIR,
                PartitionConfiguration.DEFAULT_WEIGHTS,
                false);
    }
}
