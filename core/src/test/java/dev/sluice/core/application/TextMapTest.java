package dev.sluice.core.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Immutable sorted texts. */
class TextMapTest {

    private final Map<String, String> source = new HashMap<>(Map.of("b", "2", "a", "1", "c", "3"));
    private final TextMap texts = TextMap.copyOf(source);

    @Test
    void map_equalsTreeMap() {
        Map<String, String> tree = new TreeMap<>(source);

        assertThat(texts).isEqualTo(tree).hasSameHashCodeAs(tree).containsExactlyEntriesOf(tree);
        assertThat(tree).isEqualTo(texts);
        assertThat(texts).isEqualTo(TextMap.copyOf(tree)).isNotEqualTo(TextMap.copyOf(Map.of("a", "1")));
        assertThat(texts.entrySet()).contains(Map.entry("a", "1")).doesNotContain(Map.entry("a", "2"));
        assertThat(texts.get("d")).isNull();
        assertThat(texts.firstKey() + texts.lastKey()).isEqualTo("ac");
        assertThat(texts.headMap("c")).containsOnlyKeys("a", "b");
    }

    @Test
    void copy_isSameObject() {
        assertThat(TextMap.copyOf(texts)).isSameAs(texts);
        assertThat(TextMap.copyOf(new TreeMap<>())).isSameAs(TextMap.EMPTY);
    }

    @Test
    void map_neverChanges() {
        source.clear();

        assertThat(texts).hasSize(3);
        assertThatThrownBy(() -> texts.put("a", "2")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(texts::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
