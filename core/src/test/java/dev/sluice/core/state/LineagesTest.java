package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Retention of tags. */
class LineagesTest {

    private long submissions;

    private final Lineages lineages = new Lineages(2);

    @Test
    void inactiveLineage_beyondMaximum_evictsLongestInactive() {
        Application a = add("a", "v1");
        Application b = add("b", "v1");
        Application c = add("c", "v1");
        lineages.remove(b);
        lineages.remove(a);
        assertThat(lineages.all()).hasSize(3);

        lineages.remove(c);

        assertThat(lineages.all()).hasToString("[user/a, user/c]");
    }

    @Test
    void lineage_activeAgain_isEvictedLast() {
        lineages.remove(add("a", "v1"));
        lineages.remove(add("b", "v1"));
        lineages.remove(add("a", "v2"));

        lineages.remove(add("c", "v1"));

        assertThat(lineages.all()).hasToString("[user/a, user/c]");
    }

    @Test
    void activeLineages_many_areAllKept() {
        for (int i = 0; i < 100; i++) {
            add("basis " + i, "v1");
        }
        assertThat(lineages.all()).hasSize(100);
    }

    @Test
    void tags_replacedLongAgo_areForgotten() {
        for (int i = 0; i <= SchedulerLimits.LINEAGE_TAGS_MAX + 1; i++) {
            add("a", "v" + i);
        }
        Lineage lineage = lineages.find("user", "a");

        assertThat(lineage).isNotNull();
        assertThat(lineage.successors()).hasSize(SchedulerLimits.LINEAGE_TAGS_MAX);
        assertThat(lineage.successor("v0")).isNull();
        assertThat(lineage.successor("v1")).isEqualTo("v2");
        assertThat(lineage.tag()).isEqualTo("v" + (SchedulerLimits.LINEAGE_TAGS_MAX + 1));
    }

    @Test
    void replacedTag_currentAgain_isNotReplaced() {
        add("a", "v1");
        add("a", "v2");

        add("a", "v1");

        Lineage lineage = lineages.find("user", "a");
        assertThat(lineage).isNotNull();
        assertThat(lineage.successors()).hasToString("{v2=v1}");
        assertThat(lineage.livingExcept("v1")).hasToString("[a/v2]");
    }

    private Application add(String basis, String tag) {
        ApplicationSpec spec =
                ApplicationSpec.open(basis + "/" + tag, null).withUser("user").withTag(tag, basis);
        Application application = new Application("default", spec, null, 0, submissions++, Instant.EPOCH);
        lineages.add(application);
        return application;
    }
}
