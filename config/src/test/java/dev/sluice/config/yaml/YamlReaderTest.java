package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.Problems;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {

    private static final Object ANYTHING = new Object();

    private static String report(String text) {
        return Assertions.assertTimeout(Duration.ofMinutes(2), () -> {
            Problems problems = new Problems("f.yaml");
            YamlValue value = YamlReader.read(text, problems);
            return problems.result(value == null ? null : ANYTHING).report();
        });
    }

    private static String report(Path file) {
        Problems problems = new Problems("f.yaml");
        YamlValue value = YamlReader.read(file, problems);
        return problems.result(value == null ? null : ANYTHING).report();
    }

    private static void check(String text, String expected) {
        assertThat(report(text)).isEqualTo(expected);
    }

    @Test
    void tree_ofYaml_hasLinesAndColumns() {
        YamlMap map = (YamlMap) YamlReader.read("a: 1\nb:\n  - {c: x}\n", new Problems("f"));
        assertThat(map)
                .isNotNull()
                .extracting(Object::toString)
                .asString()
                .isEqualTo("YamlMap[entries=[Entry[key=YamlScalar[text=a, quoted=false, line=1, column=1], "
                        + "value=YamlScalar[text=1, quoted=false, line=1, column=4]], "
                        + "Entry[key=YamlScalar[text=b, quoted=false, line=2, column=1], "
                        + "value=YamlList[items=[YamlMap[entries=[Entry[key=YamlScalar[text=c, quoted=false, line=3, column=6], "
                        + "value=YamlScalar[text=x, quoted=false, line=3, column=9]]], line=3, column=5]], line=3, column=3]]], "
                        + "line=1, column=1]");
    }

    @Test
    void tree_ofJson_equalsThatOfYaml() {
        YamlMap map = (YamlMap) YamlReader.read("{\"a\": [1, \"2\", true, null, \"\\u00e9\\n\"]}", new Problems("f"));
        assertThat(map).isNotNull();
        YamlList list = (YamlList) map.entries().get(0).value();
        assertThat(list.items())
                .extracting(YamlValue::kind)
                .containsExactly("a number", "text", "true or false", "nothing", "text");
        assertThat(((YamlScalar) list.items().get(4)).text()).isEqualTo("é\n");
    }

    @Test
    void merge_ofMaps_addsMissingKeys() {
        YamlMap map = (YamlMap) YamlReader.read(
                "base: &b {x: 1, y: 2}\nmore: &m {z: 3}\nall:\n  <<: [*b, *m]\n  y: 9\n", new Problems("f"));
        assertThat(map).isNotNull();
        YamlMap all = (YamlMap) map.entries().get(2).value();
        assertThat(all.entries())
                .extracting(e -> e.key().text() + "=" + ((YamlScalar) e.value()).text())
                .containsExactly("y=9", "x=1", "z=3");
    }

    @Test
    void merge_ofOtherValue_isRejected() {
        check("a:\n  <<: 5\n", "f.yaml:2:7: the value of << must be an alias of a map, or a list of them");
    }

    @Test
    void key_duplicate_isRejected() {
        check("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: duplicate key \"a\": first in line 1");
        check(
                "{a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0, a: 1}",
                "f.yaml:1:56: duplicate key \"a\": first in line 1");
    }

    @Test
    void key_list_isRejected() {
        check("? [a, b]\n: 1\n", "f.yaml:1:3: a key must be text, not a list or a map: put it in quotes");
        check("a: &x [1]\n*x : 2\n", "f.yaml:2:1: a key must be text, not a list or a map: put it in quotes");
    }

    @Test
    void alias_withinItself_isRejected() {
        check("a: &x\n  - *x\n", "f.yaml:2:5: the alias *x refers to a value that contains it");
    }

    @Test
    void alias_undefined_isRejected() {
        check("a: *x\n", "f.yaml:1:4: the alias *x is not defined: no &x comes before it");
    }

    @Test
    void aliases_growingExponentially_areRejected() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i <= 12; i++) {
            bomb.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "*a" + (i - 1) + "]\n");
        }
        check(bomb.toString(), "f.yaml:7:25: too many values, including those of aliases: at most 5000000");
    }

    @Test
    @Tag("slow")
    void values_tooMany_areRejected() {
        check("[" + "1,".repeat(5_000_001) + "]", "f.yaml:1:10000002: too many values: at most 5000000");
    }

    @Test
    void depth_tooGreat_isRejected() {
        assertThat(report("[".repeat(100) + "]".repeat(100))).isEmpty();
        check(
                "[".repeat(101) + "]".repeat(101),
                "f.yaml:1:101: lists and maps are nested too deeply: the maximum is 100");
        check("[".repeat(1_000_000), "f.yaml:1:101: lists and maps are nested too deeply: the maximum is 100");
        check("- ".repeat(200_000) + "x", "f.yaml:1:201: lists and maps are nested too deeply: the maximum is 100");
        StringBuilder chain = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i <= 100; i++) {
            chain.append("a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n");
        }
        check(chain.toString(), "f.yaml:100:12: lists and maps are nested too deeply: the maximum is 100");
    }

    @Test
    void tab_beforeValue_isRejected() {
        check("a:\n\tb: 1\n", "f.yaml:2:1: tab in the indentation: indent YAML with spaces");
        check("a:\n  - x\n  -\ty: 1\n\t z: 2\n", "f.yaml:3:4: tab in the indentation: indent YAML with spaces");
    }

    @Test
    void file_empty_isRejected() {
        check("", "f.yaml:1:1: the file is empty");
        check("# nothing\n", "f.yaml:1:1: the file is empty");
        check("---\n", "f.yaml:1:1: the file is empty");
        check("null\n", "f.yaml:1:1: the file is empty");
    }

    @Test
    void documents_several_areRejected() {
        check("a: 1\n---\nb: 2\n", "f.yaml:2:1: only one document per file: a second one starts here");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "a: [1, 2;b: 3 ~ 1:4: this [ is not closed, or a comma is missing before line 2: add ] where it ends, or the comma",
                "a: {b: 1;c: 2 ~ 1:4: this { is not closed, or a comma is missing before line 2: add } where it ends, or the comma",
                "a: [1, 2 ~ 1:4: this [ is never closed: add ] where it ends",
                "x: 1;a: {b: 1 ~ 2:4: this { is never closed: add } where it ends",
                "a: {b: 1] ~ 1:9: this ] does not match the { in line 1, column 4: write }",
                "a: {b: 1 c: 2} ~ 1:11: missing comma: separate the values between { and } with commas",
                "a: ] ~ 1:4: this ] has no opening bracket: remove it, add [ where it starts, or put the text in quotes",
                "a: {b: c}} ~ 1:10: this } has no opening bracket: remove it, add { where it starts, or put the text in quotes",
                "a: [1,, 2] ~ 1:7: value missing before this comma: remove the comma, or write a value",
                "a: 'x;b: 1 ~ 1:4: this quote is never closed: add ' where the text ends",
                "a: [b, \"x] ~ 1:8: this quote is never closed: add \" where the text ends",
                "a: 'it's' ~ 1:8: text after the end of the value: put the whole value in quotes, and write a single quote inside single quotes twice",
                "a: \"x\\q\" ~ 1:7: \\q is not an escape in double quotes: write \\\\ for a backslash, or use single quotes",
                "a: \"\\uZZ\" ~ 1:7: missing hexadecimal digits after the backslash and its letter: write, for example, \\u00e9, or \\\\ for a backslash",
                "a: b: c ~ 1:5: second colon in one line: put the value in quotes, or the second key on a line of its own",
                "a: 1;b;c: 2 ~ 2:1: this line has no colon: write key: value, or put multi-line text in quotes",
                "a;b: 1 ~ 1:1: this line has no colon: write key: value",
                "a:;  b;  c: 1 ~ 2:3: this line has no colon: write key: value",
                "a: 1;  b: 2 ~ 2:3: wrong indentation: this line starts in column 3, the lines above in column 1: align it with those it belongs to",
                "a:;  - x; - y ~ 3:2: wrong indentation: this line starts in column 2, the lines above in column 1 or 3: align it with those it belongs to",
                "a:;   b: 1;  c: 2 ~ 3:3: wrong indentation: this line starts in column 3, the lines above in column 1 or 4: align it with those it belongs to",
                "- a;b: 1 ~ 2:1: this is a key among the items of a list: indent it, or start it with -",
                "a: b;- c ~ 2:1: this is a list item among keys: move it below a key, or remove the -",
                "a: - b ~ 1:4: a list cannot start on the line of its key: start it on a new line, or write [a, b]",
                "a: @x ~ 1:4: text cannot start with @: put it in quotes",
                "a: %x ~ 1:4: text cannot start with %: put it in quotes",
                "a: * ~ 1:4: text cannot start with *: put it in quotes",
                "a: !<x ~ 1:4: text cannot start with !: put it in quotes",
                "a: |5x;  y ~ 1:6: text after | or > must start on the next line: move it there, or put the value in quotes",
                "a: b;...;c: d ~ 3:1: only one document per file: remove everything after ...",
                "%FOO;a ~ 1:1: unexpected line with %: remove it",
                "%YAML 3.0;a: 1 ~ 1:1: unsupported version of YAML: remove the line with %YAML",
            })
    void syntaxError_isExplainedWithPosition(String text, String expected) {
        check(text.replace(';', '\n') + "\n", "f.yaml:" + expected);
    }

    @Test
    void escape_atEndOfText_isExplained() {
        check(
                "a: 1\nb: \"é\\u",
                "f.yaml:2:8: missing hexadecimal digits after the backslash and its letter: write, for example, \\u00e9,"
                        + " or \\\\ for a backslash");
    }

    /** Messages about truncated or modified files contain no terms of the parser. */
    @Test
    void syntaxError_anywhere_hasNoParserTerms() {
        String good = "a: {b: [1, 'x'], c: \"y\"}\nd:\n  - e: 1\n    f: |\n      text\n  - *g\n";
        for (int at = 0; at < good.length(); at++) {
            for (String put :
                    List.of("", ":", "- ", "]", "}", "'", "\"", "\t", " ", "@", ",", "%", "\\", "\n", "&", "!", "?")) {
                for (String text :
                        List.of(good.substring(0, at) + put, good.substring(0, at) + put + good.substring(at))) {
                    Problems problems = new Problems("f");
                    YamlReader.read(text, problems);
                    String report = problems.result("").report();
                    assertThat(report)
                            .as(text)
                            .doesNotContain(
                                    "<block",
                                    "expected",
                                    "scalar",
                                    "token",
                                    "while ",
                                    "node",
                                    "mapping",
                                    "flow",
                                    "<stream");
                }
            }
        }
    }

    @Test
    void character_notPrintable_isRejected() {
        check(
                "a: x\nb: y\u0001\n",
                "f.yaml:2:5: the character U+0001 must be escaped: in double quotes, write \"\\u0001\"");
    }

    @Test
    void tag_unknown_isRejected() {
        check("a: !!binary aGk=\n", "f.yaml:1:4: unknown tag \"!!binary\": leave it out");
        check("a: !!str 5\nb: !!int \"5\"\nc: !!map {}\n", "");
    }

    @Test
    void tag_str_makesNumberText() {
        YamlMap map = (YamlMap) YamlReader.read("a: !!str 5\nb: !!int \"5\"\n", new Problems("f"));
        assertThat(map).isNotNull();
        assertThat(map.entries()).extracting(e -> e.value().kind()).containsExactly("text", "a number");
    }

    @Test
    void file_thatIsNotThere_isRefused(@TempDir Path directory) {
        assertThat(report(directory.resolve("no.yaml"))).isEqualTo("f.yaml: file not found");
        assertThat(report(directory)).isEqualTo("f.yaml: is a directory: give a file");
    }

    @Test
    void file_notUtf8_isRejected(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("x.yaml"), "a: é\nbé: ü\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(report(file))
                .isEqualTo("f.yaml:1:4: not valid UTF-8: the byte 0xe9 is invalid here; save the file as UTF-8");
        byte[] cut = "a: 1\né: \u20ac".getBytes(StandardCharsets.UTF_8);
        Path truncated = Files.write(directory.resolve("y.yaml"), java.util.Arrays.copyOf(cut, cut.length - 1));
        assertThat(report(truncated))
                .isEqualTo("f.yaml:2:4: not valid UTF-8: the byte 0xe2 is invalid here; save the file as UTF-8");
    }

    @Test
    void file_withByteOrderMark_isRead(@TempDir Path directory) throws IOException {
        assertThat(report(Files.writeString(directory.resolve("x.yaml"), "\uFEFFa: 1\n")))
                .isEmpty();
    }

    @Test
    void file_tooLarge_isRejectedUnread(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("x.yaml");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(100L << 30);
        }
        assertThat(report(file))
                .isEqualTo("f.yaml: file too large: 107374182400 bytes, the maximum is 64 MiB; write equal tasks or"
                        + " nodes as one entry with a count");
    }
}
