package dev.sluice.core.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Equality and hashes of task kinds. */
class TaskKindTest {

    /** Kinds that differ pairwise in one or two components, some of them nested. */
    private static Stream<TaskKind> kinds() {
        TaskKind plain = TaskKind.of(3, Resources.parse("vcore", "1"));
        TaskKind doing = plain.withCommand(TaskCommand.shell("true"));
        return Stream.of(
                plain,
                TaskKind.of(4, Resources.parse("vcore", "1")),
                plain.withResources(Resources.parse("vcore", "2")),
                plain.withResources(Resources.parse("memory", "1")),
                plain.withPriority(1),
                plain.withExpectedDuration(Duration.ofSeconds(1)),
                plain.withDurationKey("key"),
                plain.withConstraints(Constraints.ofSelector(Map.of("disk", "ssd")), null),
                plain.withConstraints(
                        Constraints.NONE.withTolerations(
                                List.of(new Toleration(null, Toleration.Operator.EXISTS, "", null, null))),
                        null),
                plain.withConstraints(
                        Constraints.NONE.withNodeAffinity(
                                new NodeAffinity(List.of(new NodeSelectorTerm(List.of(), List.of())), List.of())),
                        null),
                plain.withConstraints(
                        Constraints.NONE.withNodeAffinity(new NodeAffinity(
                                List.of(), List.of(new NodePreference(1, new NodeSelectorTerm(List.of(), List.of()))))),
                        null),
                plain.withConstraints(Constraints.NONE, "node"),
                plain.withAfter(Map.of("other", TaskCondition.STARTED)),
                plain.withAfter(Map.of("other", TaskCondition.SUCCEEDED)),
                plain.withAttempts(new Attempts(1, 10, null)),
                plain.withAttempts(new Attempts(0, 9, null)),
                plain.withAttempts(new Attempts(0, 10, Duration.ofSeconds(1))),
                doing,
                doing.withCommand(new TaskCommand(List.of("true"), false, new TreeMap<>(), null)),
                doing.withCommand(TaskCommand.shell("false")),
                doing.withCommand(new TaskCommand(List.of("true"), true, new TreeMap<>(Map.of("A", "1")), null)),
                doing.withCommand(new TaskCommand(List.of("true"), true, new TreeMap<>(), "/")),
                doing.withCommand(new TaskCommand(List.of("true"), true, new TreeMap<>(), null, "/", -1)),
                doing.withCommand(new TaskCommand(List.of("true"), true, new TreeMap<>(), null, null, 0)),
                doing.withCommand(new TaskCommand(
                        List.of("true"), true, new TreeMap<>(), null, null, 0, new TreeMap<>(Map.of("S", "x")))));
    }

    @Test
    void kinds_differingInOneComponent_haveDifferentHashes() {
        assertThat(kinds()).doesNotHaveDuplicates();
        assertThat(kinds().map(TaskKind::hashCode)).doesNotHaveDuplicates();
    }

    @Test
    void kinds_equal_haveEqualHashes() {
        List<TaskKind> again = kinds().toList();

        assertThat(kinds().toList()).isEqualTo(again);
        assertThat(kinds().map(TaskKind::hashCode).toList())
                .isEqualTo(again.stream().map(TaskKind::hashCode).toList());
    }
}
