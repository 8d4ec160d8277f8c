package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every claim in {@code SECURITY.md} names tests, which exist. */
final class SecurityClaimsTest {

    private static final Pattern ROW = Pattern.compile("\\| (.+) \\| (.+) \\|");
    private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

    private static Map<String, String> tests() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(Program.REPOSITORY)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                            .toList()) {
                        sources.merge(
                                file.getFileName().toString().replace(".java", ""),
                                Files.readString(file),
                                String::concat);
                    }
                }
            }
        }
        return sources;
    }

    @Test
    void claims_nameExistingTests() throws IOException {
        String text = Files.readString(Program.REPOSITORY.resolve("SECURITY.md"));
        String claims = text.substring(text.indexOf("## Claims"), text.indexOf("## Not promised"));
        Map<String, String> sources = tests();
        List<String> wrong = new ArrayList<>();
        int named = 0;
        for (String line : claims.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (!row.matches() || row.group(1).equals("claim") || row.group(1).startsWith("-")) {
                continue;
            }
            List<Matcher> tests = new ArrayList<>();
            for (String part : row.group(2).split(", ")) {
                Matcher test = TEST.matcher(part);
                if (test.matches()) {
                    tests.add(test);
                } else {
                    wrong.add(line + ": " + part + " is not `SomeTest.method_condition_outcome`");
                }
            }
            for (Matcher test : tests) {
                named++;
                String source = sources.get(test.group(1));
                String method = test.group(2);
                if (source == null || !source.contains(" void " + method + "(")) {
                    wrong.add(line + ": " + test.group() + " does not exist");
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(named).as("tests named").isGreaterThan(50);
    }
}
