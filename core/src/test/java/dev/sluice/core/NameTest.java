package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid names. */
@ExtendWith(SchedulerExtension.class)
class NameTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final String ODD = "a\u001b[31mb";

    static Stream<Command> named() {
        ApplicationSpec plain = ApplicationSpec.open("fresh", null, TaskSpec.of("t", 1, Resources.NONE));
        TaskSpec task = TaskSpec.of("u", 1, Resources.NONE);
        return Stream.of(
                submit(plain.withId(ODD)),
                submit(plain.withName(ODD)),
                submit(plain.withUser(ODD)),
                submit(ApplicationSpec.open("fresh", "root." + ODD)),
                submit(plain.withGroups(List.of("staff", ODD))),
                submit(plain.withTags(Map.of("key", ODD))),
                submit(plain.withTags(Map.of(ODD, "value"))),
                submit(plain.withTag(ODD, null)),
                submit(plain.withTag("tag", ODD)),
                submit(plain.withTasks(List.of(TaskSpec.of(ODD, 1, Resources.NONE)))),
                submit(plain.withTasks(List.of(task.withConstraints(Map.of(), ODD)))),
                submit(plain.withTasks(List.of(task.withConstraints(Map.of("disk", ODD), null)))),
                new Command.AddTasks(PARTITION, "open", List.of(TaskSpec.of(ODD, 1, Resources.NONE))),
                new Command.RegisterNode(PARTITION, ODD, Resources.NONE, Collections.emptySortedMap()),
                new Command.RegisterNode(PARTITION, "n", Resources.NONE, new TreeMap<>(Map.of("disk", ODD))));
    }

    private static Command submit(ApplicationSpec spec) {
        return new Command.SubmitApplication(PARTITION, spec);
    }

    @ParameterizedTest
    @MethodSource("named")
    void name_withControlCharacter_isRefused(Command command, ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("root\n└─ default\n"))
                .submit("open", null, TaskSpec.of("t", 1, Resources.NONE));

        Refusal refusal = cluster.refusal(command);

        assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID);
        assertThat(refusal.message())
                .contains("contains the control character U+001B at position")
                .doesNotContain(ODD);
    }
}
