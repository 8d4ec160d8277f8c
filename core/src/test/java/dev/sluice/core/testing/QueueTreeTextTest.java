package dev.sluice.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTreeTextTest {

    @Test
    void tree_withEveryAttribute_isParsed() {
        QueueConfiguration root = QueueTreeText.of("""
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
    void tree_withSharePolicies_isParsed() {
        QueueConfiguration root = QueueTreeText.of("""
                root            usage halftime(PT10M) probabilistic draws(5)
                └─ a            load factor(0.5)
                   └─ b         percent(30)
                """);

        QueueProperties none = QueueProperties.DEFAULTS;
        UsageProperties usage = UsageProperties.DEFAULTS;
        assertThat(root.properties())
                .isEqualTo(none.withSharePolicy(SharePolicyKind.USAGE)
                        .withUsage(new UsageProperties(Duration.ofMinutes(10), true, 5, usage.factor())));
        QueueConfiguration a = root.children().get(0);
        assertThat(a.properties())
                .isEqualTo(none.withSharePolicy(SharePolicyKind.LOAD)
                        .withUsage(new UsageProperties(usage.halftime(), false, usage.drawsMax(), 0.5)));
        assertThat(a.children().get(0).properties()).isEqualTo(none.withLoad(LoadProperties.ofClass(30)));
    }

    @Test
    void tree_withUnknownWordOrLevel_isRefused() {
        assertThatThrownBy(() -> QueueTreeText.of("root fifoo")).hasMessageContaining("fifoo");
        assertThatThrownBy(() -> QueueTreeText.of("root\n      └─ a")).hasMessageContaining("no parent");
        assertThatThrownBy(() -> QueueTreeText.of("root\n a")).hasMessageContaining("not a queue");
    }
}
