package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON is read into the tree that the YAML parser makes of it, or left to that parser. */
final class JsonReaderTest {

    private static @Nullable YamlValue json(String text) {
        return JsonReader.read(text, new TextInterner());
    }

    private static String treeOf(String text) {
        return String.valueOf(json(text));
    }

    /** Returns the tree that the YAML parser makes of this text. */
    private static ParseResult<YamlValue> yaml(String text) {
        Problems problems = new Problems("f");
        return problems.result(YamlReader.yaml(text, problems, new TextInterner()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "\"a\"",
                "a: 1",
                "{",
                "[",
                "{}{}",
                "[] # end",
                "{a: 1}",
                "{'a': 1}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[01]",
                "[+1]",
                "[.5]",
                "[1.]",
                "[1e]",
                "[-]",
                "[0x10]",
                "[tru]",
                "[truex]",
                "[nul]",
                "[\"a]",
                "[\"\\x41\"]",
                "[\"\\u00g0\"]",
                "[\"\\u00",
                "[\"\\",
                "[\"\\ud83d\\ude00\"]",
                "[\"\ud83d\"]",
                "[\"a\nb\"]",
                "[\"a\tb\"]",
                "[\"\u0000\"]",
                "[\"\u007f\"]",
                "[\"\u2028\"]",
                "[\"\ufeff\"]",
                "\ufeff{}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"a\":1}",
                "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"i\":1}"
            })
    void text_notPlainJson_isLeftToYaml(String text) {
        assertThat(json(text)).isNull();
    }

    @Test
    void document_random_hasTreeOfYaml() {
        int read = 0;
        for (long seed = 0; seed < 5_000; seed++) {
            Documents documents = new Documents(new Random(seed));
            String text = documents.space() + documents.collection(0) + documents.space();
            String damaged = seed % 2 == 0 ? text : documents.damaged(text);
            YamlValue tree = json(damaged);
            if (tree != null) {
                read++;
                ParseResult<YamlValue> wanted = yaml(damaged);
                assertThat(wanted.problems()).as("seed %d: %s", seed, damaged).isEmpty();
                assertThat(tree).as("seed %d: %s", seed, damaged).isEqualTo(wanted.value());
            } else {
                assertThat(damaged).as("seed %d is valid JSON", seed).isNotSameAs(text);
            }
        }
        assertThat(read).isBetween(2_600, 4_500);
    }

    /** The YAML parser refuses these, although they are JSON. */
    @Test
    void json_notInYaml_isRead() {
        String longKey = "k".repeat(2_000);

        assertThat(treeOf("{\"a\"\n:\t1}")).contains("text=1", "line=2, column=3");
        assertThat(treeOf("{\"" + longKey + "\": 1}")).contains(longKey);
        assertThat(treeOf("{\"a\":\r\n1,\r\"b\": 2}")).contains("text=1, quoted=false, line=2", "line=3, column=6");
    }

    @Test
    void depth_greatest_isSameAsInYaml() {
        String deep = "[".repeat(YamlLimits.DEPTH_MAX) + "]".repeat(YamlLimits.DEPTH_MAX);

        assertThat(json(deep)).isEqualTo(yaml(deep).value());
        assertThat(json("[" + deep + "]")).isNull();
        assertThat(yaml("[" + deep + "]").isOk()).isFalse();
        assertThat(json("[".repeat(1_000_000))).isNull();
    }

    @Test
    @Tag("slow")
    void values_tooMany_areLeftToYaml() {
        String most = "[" + "1,".repeat(YamlLimits.VALUES_MAX - 2) + "1]";

        assertThat(json(most)).isNotNull();
        assertThat(json("[" + most + "]")).isNull();
    }

    @Test
    void texts_equal_areOneObject() {
        YamlList list = (YamlList)
                Objects.requireNonNull(YamlReader.read("[\"vcore\", \"vcore\", {\"vcore\": 1}]", new Problems("f")));

        String first = ((YamlScalar) list.items().get(0)).text();
        assertThat(((YamlScalar) list.items().get(1)).text()).isSameAs(first);
        assertThat(((YamlMap) list.items().get(2)).entries().get(0).key().text())
                .isSameAs(first);
    }

    /** Random documents. */
    private static final class Documents {

        private static final List<String> SCALARS = List.of(
                "0", "-0", "12", "-1.5", "1e3", "1E-3", "1.25e+10", "9223372036854775808", "true", "false", "null");
        private static final List<String> PIECES = List.of(
                "a",
                "id",
                "x y",
                "#",
                ": ",
                "- ",
                "'",
                "{",
                "]",
                ",",
                "<<",
                "null",
                "~",
                "\\\"",
                "\\\\",
                "\\/",
                "\\n",
                "\\t",
                "\\b",
                "\\f",
                "\\r",
                "\\u0000",
                "\\u00e9",
                "\\u2028",
                "é",
                "汉",
                "\ud83d\ude00",
                "\u00a0",
                " ");
        private static final String DAMAGES = "{}[],\"\\e10 -+.x";

        private final Random random;

        Documents(Random random) {
            this.random = random;
        }

        private String any(List<String> values) {
            return values.get(random.nextInt(values.size()));
        }

        String space() {
            return any(List.of("", "", "", " ", "  ", "\n", "\n\n  ", "\r\n"));
        }

        private String string() {
            StringBuilder string = new StringBuilder("\"");
            for (int pieces = random.nextInt(4); pieces > 0; pieces--) {
                string.append(any(PIECES));
            }
            return string.append('"').toString();
        }

        private String value(int depth) {
            return random.nextInt(4) == 0 && depth < 6
                    ? collection(depth)
                    : random.nextBoolean() ? string() : any(SCALARS);
        }

        String collection(int depth) {
            List<String> values = new ArrayList<>();
            boolean isMap = random.nextBoolean();
            for (int size = random.nextInt(random.nextInt(10) == 0 ? 20 : 5); size > 0; size--) {
                String number = Integer.toString(values.size());
                String key = isMap ? string().replaceFirst("\"$", number + "\"") + any(List.of("", " ")) + ":" : "";
                values.add(key + (isMap ? space() : "") + value(depth + 1));
            }
            String inner = space() + String.join(space() + "," + space(), values) + space();
            return isMap ? "{" + inner + "}" : "[" + inner + "]";
        }

        /** Returns the text with one character removed, inserted or replaced. */
        String damaged(String text) {
            int at = random.nextInt(text.length());
            int change = random.nextInt(3);
            String added =
                    change == 0 ? "" : DAMAGES.substring(at % DAMAGES.length()).substring(0, 1);
            return text.substring(0, at) + added + text.substring(change == 1 ? at : at + 1);
        }
    }
}
