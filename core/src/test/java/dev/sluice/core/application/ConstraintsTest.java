package dev.sluice.core.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Kubernetes documents about node selectors, node affinity, taints and tolerations, case by case. */
class ConstraintsTest {

    private static final Instant ADDED = Instant.parse("2026-01-01T12:00:00Z");

    /** The columns are the labels of the node, a requirement, and whether the node meets it. */
    @Test
    void requirement_everyOperator_matchesAsDocumented() {
        table("""
                zone=a        | zone In a          | yes
                zone=a        | zone In b a        | yes
                zone=c        | zone In a b        | no
                disk=ssd      | zone In a          | no
                zone=         | zone In a          | no
                zone=A        | zone In a          | no
                zone=a        | zone NotIn a       | no
                zone=c        | zone NotIn a b     | yes
                disk=ssd      | zone NotIn a       | yes
                zone=         | zone NotIn a       | yes
                zone=a        | zone Exists        | yes
                zone=         | zone Exists        | yes
                disk=ssd      | zone Exists        | no
                zone=a        | zone DoesNotExist  | no
                zone=         | zone DoesNotExist  | no
                disk=ssd      | zone DoesNotExist  | yes
                cores=8       | cores Gt 4         | yes
                cores=4       | cores Gt 4         | no
                cores=10      | cores Gt 9         | yes
                cores=-3      | cores Gt -4        | yes
                cores=+5      | cores Gt 4         | yes
                cores=many    | cores Gt 4         | no
                cores=8.5     | cores Gt 4         | no
                cores=        | cores Gt 4         | no
                disk=ssd      | cores Gt 4         | no
                cores=٨       | cores Gt 4         | no
                cores=9223372036854775807 | cores Gt 9223372036854775806 | yes
                cores=9223372036854775808 | cores Gt -4 | no
                cores=9223372036854775808 | cores Lt 4 | no
                cores=3       | cores Lt 4         | yes
                cores=4       | cores Lt 4         | no
                cores=many    | cores Lt 4         | no
                disk=ssd      | cores Lt 4         | no
                """)
                .forEach(row -> assertThat(requirement(row[1]).matches(labels(row[0])))
                        .as(String.join(" | ", row))
                        .isEqualTo(row[2].equals("yes")));
    }

    /** The columns are the labels of node n, terms separated by "or", and whether the node matches. */
    @Test
    void affinity_terms_anyOfWhichAllConditions() {
        table("""
                zone=a disk=ssd | zone In a & disk In ssd            | yes
                zone=a disk=hdd | zone In a & disk In ssd            | no
                zone=b disk=hdd | zone In a or disk In hdd           | yes
                zone=b disk=ssd | zone In a or disk In hdd           | no
                zone=a          | empty                              | no
                zone=a          | empty or zone In a                 | yes
                zone=a          | name In n                          | yes
                zone=a          | name In m                          | no
                zone=a          | name NotIn m                       | yes
                zone=a          | name NotIn n                       | no
                zone=a          | zone In a & name In m              | no
                zone=b          | zone In a & name In n              | no
                zone=a          | zone In a & name In n              | yes
                zone=a          | name In m or name In n             | yes
                """).forEach(row -> {
            Constraints constraints = required(
                    Stream.of(row[1].split(" or ")).map(ConstraintsTest::term).toList());
            assertThat(constraints.permits("n", labels(row[0]), List.of()))
                    .as(String.join(" | ", row))
                    .isEqualTo(row[2].equals("yes"));
        });
    }

    @Test
    void selectorAndAffinity_both_mustBeMet() {
        Constraints both =
                new Constraints(labels("disk=ssd"), new NodeAffinity(List.of(term("zone In a")), List.of()), List.of());

        assertThat(both.permits("n", labels("disk=ssd zone=a"), List.of())).isTrue();
        assertThat(both.permits("n", labels("disk=ssd"), List.of())).isFalse();
        assertThat(both.permits("n", labels("zone=a"), List.of())).isFalse();
    }

    /** The columns are a taint, a toleration as key, operator, value, effect ("*" for none), and the answer. */
    @Test
    void toleration_everyForm_toleratesAsDocumented() {
        table("""
                gpu=yes:NoSchedule       | gpu Equal yes NoSchedule       | yes
                gpu=yes:NoSchedule       | gpu Equal yes *                | yes
                gpu=yes:NoSchedule       | gpu Equal no NoSchedule        | no
                gpu=yes:NoSchedule       | gpu Equal yes NoExecute        | no
                gpu=yes:NoSchedule       | cpu Equal yes NoSchedule       | no
                gpu=yes:NoSchedule       | gpu Exists - NoSchedule        | yes
                gpu=yes:NoSchedule       | gpu Exists - *                 | yes
                gpu=yes:NoSchedule       | * Exists - *                   | yes
                gpu=yes:NoExecute        | * Exists - *                   | yes
                gpu=yes:NoExecute        | * Exists - NoSchedule          | no
                gpu:NoSchedule           | gpu Equal - NoSchedule         | yes
                gpu:NoSchedule           | gpu Equal yes NoSchedule       | no
                gpu=yes:PreferNoSchedule | gpu Exists - PreferNoSchedule  | yes
                """)
                .forEach(row -> assertThat(toleration(row[1], null).tolerates(taint(row[0])))
                        .as(String.join(" | ", row))
                        .isEqualTo(row[2].equals("yes")));
    }

    /** The example of Kubernetes' documentation: two of three taints are tolerated, the third decides. */
    @Test
    void taints_several_theUntoleratedOnesDecide() {
        Constraints constraints = Constraints.NONE.withTolerations(List.of(
                toleration("key1 Equal value1 NoSchedule", null), toleration("key1 Equal value1 NoExecute", null)));
        List<Taint> first = List.of(taint("key1=value1:NoSchedule"), taint("key1=value1:NoExecute"));

        assertThat(constraints.untolerated(first)).isNull();
        assertThat(constraints.untolerated(Stream.concat(first.stream(), Stream.of(taint("key2=value2:NoSchedule")))
                        .toList()))
                .hasToString("key2=value2:NoSchedule");
        assertThat(constraints.untolerated(List.of(taint("key2=value2:PreferNoSchedule"))))
                .isNull();
    }

    @Test
    void rank_preferences_addUpBelowAvoidedTaints() {
        Constraints constraints = Constraints.NONE
                .withNodeAffinity(new NodeAffinity(
                        List.of(),
                        List.of(
                                new NodePreference(1, term("zone In a")),
                                new NodePreference(50, term("disk In ssd")),
                                new NodePreference(100, term("empty")))))
                .withTolerations(List.of(toleration("slow Exists - *", null)));

        assertThat(rank(constraints, "zone=a disk=ssd")).isEqualTo(51);
        assertThat(rank(constraints, "disk=ssd")).isEqualTo(50);
        assertThat(rank(constraints, "zone=a")).isEqualTo(1);
        assertThat(rank(constraints, "zone=b")).isZero();
        assertThat(rank(constraints, "zone=a disk=ssd", "old:PreferNoSchedule"))
                .isLessThan(rank(constraints, "zone=b"))
                .isGreaterThan(rank(constraints, "zone=b", "old:PreferNoSchedule"));
        assertThat(rank(constraints, "zone=b", "old:PreferNoSchedule", "hot:PreferNoSchedule"))
                .isLessThan(rank(constraints, "zone=b", "old:PreferNoSchedule"));
        assertThat(rank(constraints, "zone=b", "slow:PreferNoSchedule", "gpu:NoSchedule"))
                .isZero();
    }

    /** The columns are tolerations with seconds ("-": for ever) and when the task leaves. */
    @Test
    void leavesAt_noExecute_afterTheLongestToleration() {
        assertThat(leaves()).isEqualTo(ADDED);
        assertThat(leaves(toleration("gpu Exists - NoExecute", 60))).isEqualTo(ADDED.plusSeconds(60));
        assertThat(leaves(toleration("gpu Exists - NoExecute", 0))).isEqualTo(ADDED);
        assertThat(leaves(toleration("gpu Exists - NoExecute", -5))).isEqualTo(ADDED);
        assertThat(leaves(toleration("other Exists - NoExecute", 60))).isEqualTo(ADDED);
        assertThat(leaves(toleration("gpu Exists - NoExecute", null))).isNull();
        assertThat(leaves(toleration("gpu Exists - NoExecute", 60), toleration("* Exists - *", null)))
                .isNull();
        assertThat(leaves(toleration("gpu Exists - NoExecute", 60), toleration("* Exists - NoExecute", 90)))
                .isEqualTo(ADDED.plusSeconds(90));
        assertThat(leaves(toleration("gpu Exists - NoSchedule", null))).isEqualTo(ADDED);
        assertThat(leaves(new Toleration(
                        "gpu",
                        Toleration.Operator.EXISTS,
                        "",
                        TaintEffect.NO_EXECUTE,
                        Duration.ofSeconds(Long.MAX_VALUE))))
                .isEqualTo(Instant.MAX);
        Constraints limited = Constraints.NONE.withTolerations(List.of(toleration("gpu Exists - NoExecute", 60)));
        assertThat(limited.untolerated(List.of(taint("gpu=yes:NoExecute"))))
                .as("a limited toleration lets no task start")
                .isNotNull();
    }

    @Test
    void parts_thatDoNotSuit_areRefused() {
        refused(() -> new NodeSelectorRequirement("a", Operator.IN, List.of()), "operator In needs at least one value");
        refused(
                () -> new NodeSelectorRequirement("a", Operator.EXISTS, List.of("x")),
                "operator Exists takes no values");
        for (List<String> values : List.of(List.<String>of(), List.of("1", "2"), List.of("x"), List.of("1.5"))) {
            refused(
                    () -> new NodeSelectorRequirement("a", Operator.GT, values),
                    "operator Gt needs one value, an integer such as \"4\"");
        }
        refused(
                () -> new NodeSelectorTerm(List.of(), List.of(requirement("metadata.name In a b"))),
                "a field must be metadata.name with the operator In or NotIn and one value");
        refused(
                () -> new NodeSelectorTerm(List.of(), List.of(requirement("metadata.uid In a"))),
                "a field must be metadata.name with the operator In or NotIn and one value");
        refused(() -> new NodePreference(0, term("empty")), "weight must be between 1 and 100");
        refused(() -> new NodePreference(101, term("empty")), "weight must be between 1 and 100");
        refused(() -> toleration("* Equal yes *", null), "a toleration without a key needs the operator Exists");
        refused(() -> toleration("gpu Exists yes *", null), "a toleration with the operator Exists has no value");
        refused(() -> toleration("gpu Exists - NoSchedule", 5), "tolerationSeconds needs the effect NoExecute");
    }

    private static void refused(Runnable action, String message) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static @Nullable Instant leaves(Toleration... tolerations) {
        return Constraints.NONE
                .withTolerations(List.of(tolerations))
                .leavesAt(List.of(taint("gpu=yes:NoExecute").addedAt(ADDED), taint("x:NoSchedule")));
    }

    private static long rank(Constraints constraints, String labels, String... taints) {
        return constraints.rank(
                "n",
                labels(labels),
                Stream.of(taints).map(ConstraintsTest::taint).toList());
    }

    private static Stream<String[]> table(String rows) {
        return rows.lines().map(row -> row.strip().split(" *\\| *", -1));
    }

    private static Constraints required(List<NodeSelectorTerm> terms) {
        return Constraints.NONE.withNodeAffinity(new NodeAffinity(terms, List.of()));
    }

    private static NodeSelectorTerm term(String text) {
        List<NodeSelectorRequirement> all = text.equals("empty")
                ? List.of()
                : Stream.of(text.split(" & "))
                        .map(each -> requirement(each.replace("name ", NodeSelectorRequirement.NAME_FIELD + " ")))
                        .toList();
        return new NodeSelectorTerm(
                all.stream().filter(each -> !isField(each)).toList(),
                all.stream().filter(ConstraintsTest::isField).toList());
    }

    private static boolean isField(NodeSelectorRequirement requirement) {
        return requirement.key().equals(NodeSelectorRequirement.NAME_FIELD);
    }

    private static NodeSelectorRequirement requirement(String text) {
        List<String> words = List.of(text.split(" "));
        Operator operator = Stream.of(Operator.values())
                .filter(each -> each.wireName().equals(words.get(1)))
                .findFirst()
                .orElseThrow();
        return new NodeSelectorRequirement(words.get(0), operator, words.subList(2, words.size()));
    }

    private static SortedMap<String, String> labels(String text) {
        SortedMap<String, String> labels = new TreeMap<>();
        for (String label : text.split(" ")) {
            String[] parts = label.split("=", 2);
            labels.put(parts[0], parts[1]);
        }
        return labels;
    }

    private static Taint taint(String text) {
        String[] parts = text.split(":");
        String[] label = parts[0].split("=");
        return new Taint(label[0], label.length > 1 ? label[1] : "", effect(parts[1]));
    }

    private static Toleration toleration(String text, @Nullable Integer seconds) {
        String[] words = text.split(" ");
        return new Toleration(
                words[0].equals("*") ? null : words[0],
                words[1].equals("Exists") ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                words[2].equals("-") ? "" : words[2],
                words[3].equals("*") ? null : effect(words[3]),
                seconds == null ? null : Duration.ofSeconds(seconds));
    }

    private static TaintEffect effect(String name) {
        return Stream.of(TaintEffect.values())
                .filter(each -> each.wireName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Labels cannot be looked up by values that are missing. */
    @Test
    void constraints_equalParts_areEqual() {
        Constraints one = Constraints.ofSelector(Map.of("a", "b"));

        assertThat(one)
                .isEqualTo(Constraints.ofSelector(new TreeMap<>(Map.of("a", "b"))))
                .hasSameHashCodeAs(one);
        assertThat(Constraints.ofSelector(Map.of())).isSameAs(Constraints.NONE);
        assertThat(one.isEmpty()).isFalse();
    }
}
