package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Resources;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ValueInternerTest {

    private final ValueInterner shared = new ValueInterner();

    @Test
    void text_repeated_isSameObject() {
        String first = shared.text(new String("--input"));

        assertThat(shared.text(new String("--input"))).isSameAs(first);
    }

    @Test
    void text_withCollidingHash_isUnchanged() {
        assertThat("Aa").hasSameHashCodeAs("BB");

        assertThat(shared.text("Aa")).isEqualTo("Aa");
        assertThat(shared.text("BB")).isEqualTo("BB");
        assertThat(shared.text("Aa")).isEqualTo("Aa");
    }

    @Test
    void text_long_isNotInterned() {
        String first = shared.text("x".repeat(1000));

        assertThat(shared.text("x".repeat(1000))).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void resources_withCollidingHash_areUnchanged() {
        Resources one = Resources.parse("vcore", "1");
        Resources two = Resources.parse("vcore", "2");

        assertThat(shared.resources("Aa", () -> one)).isSameAs(one);
        assertThat(shared.resources("Aa", () -> two)).isSameAs(one);
        assertThat(shared.resources("BB", () -> two)).isSameAs(two);
        assertThat(shared.resources("Aa", () -> two)).isSameAs(two);
    }

    @Test
    void submissions_similar_shareValues() {
        TaskKind first = kindOf("1");
        TaskKind second = kindOf("2");

        assertThat(second.resources()).isSameAs(first.resources());
        assertThat(second.attempts()).isSameAs(first.attempts());
        assertThat(words(second).get(0)).isSameAs(words(first).get(0));
        assertThat(words(second)).containsExactly("work", "2");
    }

    private static List<String> words(TaskKind kind) {
        return Objects.requireNonNull(kind.command()).words();
    }

    private TaskKind kindOf(String number) {
        ApplicationSpec spec = new FastSubmissionReader(shared, path -> true)
                .read(
                        "{\"id\": \"a" + number + "\", \"tasks\": [{\"id\": \"t\","
                                + " \"resources\": {\"vcore\": \"500m\", \"memory\": \"1Gi\"}, \"command\":"
                                + " [\"work\", \""
                                + number + "\"]}]}",
                        "none");
        return Objects.requireNonNull(spec).tasks().get(0).kind();
    }
}
