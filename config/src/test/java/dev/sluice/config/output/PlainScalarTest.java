package dev.sluice.config.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares which strings need no quotes with regular expressions. */
final class PlainScalarTest {

    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z_/.][A-Za-z0-9_./@+-]*(:[A-Za-z0-9_./@+-]+)*|[0-9]+[A-Za-z]+[A-Za-z0-9]*");
    private static final Pattern NOT_TEXT = Pattern.compile(
            "(?i)true|false|yes|no|on|off|y|n|null|[-+]?\\.(inf|nan).*|[-+.0-9][0-9_.xobea-f+-]*|[-+.]+|\\.[0-9].*");
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");
    private static final String[] PARTS = {
        "true",
        "NO",
        "on",
        "y",
        "null",
        ".inf",
        ".NaN",
        "2026-01-01",
        "T",
        "12:00:00",
        "Z",
        ":",
        ".",
        "-",
        "+",
        "0x1f",
        "1e3",
        "_",
        "/",
        "@",
        "a",
        "G",
        "Mi",
        "7",
        " ",
        "#",
        "ä",
        "::",
        "'",
        "\n",
        "o",
        "e"
    };

    private static void check(String text) {
        boolean plain = TIME.matcher(text).matches()
                || (PLAIN.matcher(text).matches() && !NOT_TEXT.matcher(text).matches());
        assertThat(PlainScalar.is(text)).as("plain: '%s'", text).isEqualTo(plain);
    }

    @Test
    void text_ofEveryKind_matchesPatterns() {
        for (String part : PARTS) {
            check(part);
        }
        check("");
        check("2026-01-01T12:00:00.5Z");
        check("2026-01-01TZ");
        check("root.a-b/c@d+e");
        check("16Gi");
        long seed = 11;
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = 1 + random.nextInt(5); left > 0; left--) {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            check(text.toString());
        }
    }
}
