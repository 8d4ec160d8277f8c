package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The application transition table: every transition in it occurs, no other does, and the documented diagram matches.
 */
class TransitionTest {

    private static final Path DOCUMENT = Path.of("../docs/application-states.md");
    private static final TaskSpec TASK = TaskSpec.single("t", Resources.parse("vcore", "1"));

    /** An event sequence, and the states that the application passes through. */
    private record Scenario(String states, Consumer<ClusterUnderTest> script) {
        @Override
        public String toString() {
            return states;
        }
    }

    private static List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        add(
                scenarios,
                "New Rejected Expired",
                c -> c.submit("a", "root.no", TASK).advance(days(3)).cycle());
        add(scenarios, "New Failing Failed", c -> c.submit("a", null).cancel("a"));
        add(
                scenarios,
                "New Completing Completed Expired",
                c -> c.submit("a", null).seal("a").advance(days(3)).cycle());
        add(
                scenarios,
                "New Accepted Failing Failed Expired",
                c -> c.submit("a", null, TASK).cancel("a").advance(days(3)).cycle());
        add(scenarios, "New Accepted Starting Failing Failed", c -> placed(c).fail("a/t"));
        add(
                scenarios,
                "New Accepted Starting Completing Completed",
                c -> placed(c).succeed("a/t").seal("a"));
        add(
                scenarios,
                "New Accepted Starting Completing Running",
                c -> placed(c).succeed("a/t").add("a", TaskSpec.single("u", Resources.NONE)));
        add(
                scenarios,
                "New Accepted Starting Completing Failing Failed",
                c -> placed(c).succeed("a/t").cancel("a"));
        add(scenarios, "New Accepted Starting Resuming Accepted", c -> placed(c).lose("a/t"));
        add(
                scenarios,
                "New Accepted Starting Running Completing Completed",
                c -> placed(c).seal("a").succeed("a/t"));
        add(
                scenarios,
                "New Accepted Starting Running Failing Failed",
                c -> placed(c).seal("a").fail("a/t"));
        add(
                scenarios,
                "New Accepted Starting Running Resuming Accepted",
                c -> placed(c).seal("a").removeNode("n"));
        add(
                scenarios,
                "New Accepted Starting Completing Completed Resuming Accepted",
                c -> placed(c).succeed("a/t").seal("a").retry("a", true));
        add(
                scenarios,
                "New Accepted Failing Failed Resuming Accepted",
                c -> c.submit("a", null, TASK).cancel("a").retry("a", false));
        return scenarios;
    }

    private static void add(List<Scenario> scenarios, String states, Consumer<ClusterUnderTest> script) {
        scenarios.add(new Scenario(states, script));
    }

    private static Duration days(int days) {
        return Duration.ofDays(days);
    }

    private static ClusterUnderTest placed(ClusterUnderTest cluster) {
        cluster.submit("a", null, TASK).cycle();
        return cluster;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void application_scripted_passesExpectedStates(Scenario scenario) {
        List<String> states = new ArrayList<>();
        for (ApplicationEvent.StateChanged change : play(scenario)) {
            if (states.isEmpty()) {
                states.add(change.from().wireName());
            }
            assertThat(change.from().wireName()).isEqualTo(states.get(states.size() - 1));
            states.add(change.to().wireName());
        }
        assertThat(String.join(" ", states)).isEqualTo(scenario.states());
    }

    @Test
    void transitionTable_allScripts_coverEveryTransition() {
        Set<String> taken = new TreeSet<>();
        for (Scenario scenario : scenarios()) {
            play(scenario).forEach(change -> taken.add(change.from() + " -> " + change.to()));
        }
        Set<String> table = new TreeSet<>();
        for (ApplicationState from : ApplicationState.values()) {
            from.mayBecome().forEach(to -> table.add(from + " -> " + to));
        }
        assertThat(taken).isEqualTo(table);
    }

    private static List<ApplicationEvent.StateChanged> play(Scenario scenario) {
        CheckedScheduler scheduler = new CheckedScheduler();
        ClusterUnderTest cluster = new ClusterUnderTest(scheduler);
        cluster.configure(PartitionConfiguration.simplest()).node("n", "vcore", "1");
        scenario.script().accept(cluster);
        scheduler.check();
        List<ApplicationEvent.StateChanged> changes = new ArrayList<>();
        for (Event event : scheduler.journal()) {
            if (event instanceof ApplicationEvent.StateChanged change) {
                changes.add(change);
            }
        }
        return changes;
    }

    @Test
    void documentation_ofStates_matchesTable() throws IOException {
        String generated = document();
        if (Boolean.getBoolean("sluice.write")) {
            Files.createDirectories(DOCUMENT.getParent());
            Files.writeString(DOCUMENT, generated);
        }
        assertThat(DOCUMENT)
                .as("docs/application-states.md is generated from ApplicationState.mayBecome; regenerate it with%n"
                        + "  mvn -pl core test -Dtest=TransitionTest -Dsluice.write=true%n")
                .hasContent(generated);
    }

    private static String document() {
        StringBuilder text = new StringBuilder();
        text.append("""
                # Application states

                Generated from the transition table in `ApplicationState` by `TransitionTest`; do not edit.

                ```mermaid
                stateDiagram-v2
                    [*] --> New: submitted
                """);
        for (ApplicationState from : ApplicationState.values()) {
            for (ApplicationState to : from.mayBecome()) {
                text.append("    %s --> %s: %s\n".formatted(from.wireName(), to.wireName(), cause(from, to)));
            }
            if (from.mayBecome().isEmpty()) {
                text.append("    %s --> [*]\n".formatted(from.wireName()));
            }
        }
        text.append("""
                ```

                | from | to | when |
                | --- | --- | --- |
                """);
        for (ApplicationState from : ApplicationState.values()) {
            for (ApplicationState to : from.mayBecome()) {
                text.append("| %s | %s | %s |\n".formatted(from.wireName(), to.wireName(), cause(from, to)));
            }
        }
        return text.toString();
    }

    private static String cause(ApplicationState from, ApplicationState to) {
        String cause = CAUSES.get(from.wireName() + " " + to.wireName());
        assertThat(cause)
                .as("the cause of %s to %s, missing in CAUSES", from, to)
                .isNotNull();
        return cause == null ? "" : cause;
    }

    private static final Map<String, String> CAUSES = causes("""
            New Accepted: first task added
            New Rejected: no queue accepts it
            New Completing: sealed without tasks
            New Failing: cancelled
            Accepted Starting: first task placed
            Accepted Failing: cancelled, or all tasks stopped
            Starting Running: second task placed, after five minutes, or sealed with a single task
            Starting Completing: no tasks left
            Starting Resuming: all running tasks lost or preempted
            Starting Failing: cancelled, or no tasks left and one failed or was stopped
            Running Completing: no tasks left
            Running Resuming: all running tasks lost or preempted
            Running Failing: cancelled, or no tasks left and one failed or was stopped
            Resuming Accepted: immediately
            Completing Running: task added
            Completing Completed: after 30 seconds, or sealed
            Completing Failing: cancelled
            Failing Failed: all running tasks ended
            Rejected Expired: after three days
            Completed Expired: after three days
            Completed Resuming: retried
            Failed Expired: after three days
            Failed Resuming: retried
            """);

    private static Map<String, String> causes(String text) {
        Map<String, String> causes = new LinkedHashMap<>();
        text.lines()
                .forEach(line ->
                        causes.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2)));
        return causes;
    }
}
