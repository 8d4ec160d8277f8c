package dev.sluice.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrawnQueuesTest {

    @Test
    void tree_withEveryAttribute_isRead() {
        QueueConfiguration root = DrawnQueues.of("""
                root            max(vcore 8)
                ├─ production   guaranteed(vcore 4, memory 8Gi) offset(10) fence
                │  └─ web       stateaware
                └─ research     applications(2) priorities(disabled)
                """);

        QueueProperties none = QueueProperties.DEFAULTS;
        QueueConfiguration web = QueueConfiguration.of(
                "web",
                Resources.NONE,
                Resources.NONE,
                0,
                none.withApplicationSortPolicy(ApplicationSortPolicy.STATE_AWARE),
                List.of());
        assertThat(root)
                .isEqualTo(QueueConfiguration.of(
                        "root",
                        Resources.NONE,
                        Resources.parse("vcore", "8"),
                        0,
                        none,
                        List.of(
                                QueueConfiguration.of(
                                        "production",
                                        Resources.parse("vcore", "4", "memory", "8Gi"),
                                        Resources.NONE,
                                        0,
                                        none.withPriorities(null, 10, true),
                                        List.of(web)),
                                QueueConfiguration.of(
                                        "research",
                                        Resources.NONE,
                                        Resources.NONE,
                                        2,
                                        none.withPriorities(false, 0, false),
                                        List.of()))));
    }

    @Test
    void tree_withAnUnknownWordOrALevelTooMany_isRefused() {
        assertThatThrownBy(() -> DrawnQueues.of("root fifoo")).hasMessageContaining("fifoo");
        assertThatThrownBy(() -> DrawnQueues.of("root\n      └─ a")).hasMessageContaining("hangs from nothing");
        assertThatThrownBy(() -> DrawnQueues.of("root\n a")).hasMessageContaining("not a queue");
    }
}
