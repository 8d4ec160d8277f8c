package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.manual.CommandManual;
import dev.sluice.cli.manual.CommandManual.ManualEntry;
import dev.sluice.cli.manual.CommandManual.TextBlock;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference in {@code docs/reference} matches the program. */
final class CommandReferenceTest {

    /** System property; true rewrites the generated parts instead of comparing them. */
    private static final String WRITE = "sluice.write";

    private static final Path REFERENCE = Program.REPOSITORY.resolve("docs/reference");
    private static final Set<String> SERVER_OPTIONS =
            Set.of("--server", "--partition", "--context", "--token-file", "--ca", "--timeout", "--color", "--output");
    private static final String END = "<!-- end generated -->";

    @Test
    void commands_inTheReference_areThoseOfTheProgram() throws IOException {
        Path file = REFERENCE.resolve("commands.md");
        String actual = Files.readString(file);
        List<CommandManual> manuals = CommandManual.all(Sluice.commandLine());
        String expected = replaced(actual, "server options", serverOptions(manuals));
        expected = replaced(
                expected,
                "commands",
                manuals.stream().map(CommandReferenceTest::section).collect(Collectors.joining("\n")));
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(file, expected);
            return;
        }
        assertThat(actual).as("outdated: rewrite it with -D" + WRITE + "=true").isEqualTo(expected);
    }

    @Test
    void exitCodes_inTheReference_areAllOfThem() throws Exception {
        String text = Files.readString(REFERENCE.resolve("exit-codes.md"));
        List<String> rows = new ArrayList<>();
        for (Field field : ExitCode.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                rows.add("| " + field.getInt(null) + " | `" + field.getName() + "` |");
            }
        }

        assertThat(rows).isNotEmpty();
        assertThat(text).contains(rows);
        assertThat(text.lines().filter(line -> line.matches("\\| \\d.*"))).hasSameSizeAs(rows);
    }

    private static String replaced(String text, String name, String content) {
        String begin = "<!-- begin generated: " + name + " -->\n";
        int from = text.indexOf(begin) + begin.length();
        assertThat(from).as(begin).isGreaterThanOrEqualTo(begin.length());
        return text.substring(0, from) + content + text.substring(text.indexOf(END, from));
    }

    private static boolean isServerCommand(CommandManual manual) {
        return manual.options().stream().anyMatch(each -> each.names().contains("--timeout"));
    }

    private static boolean isServerOption(ManualEntry option) {
        return option.names().stream().anyMatch(SERVER_OPTIONS::contains);
    }

    private static String serverOptions(List<CommandManual> manuals) {
        CommandManual list = manuals.stream()
                .filter(each -> each.name().equals("sluice list"))
                .findFirst()
                .orElseThrow();
        return table(
                "Option",
                list.options().stream()
                        .filter(CommandReferenceTest::isServerOption)
                        .toList());
    }

    private static String section(CommandManual manual) {
        StringBuilder text = new StringBuilder("## " + manual.name() + "\n\n");
        text.append(escaped(manual.summary()))
                .append(".\n\n```\n")
                .append(manual.synopsis())
                .append("\n```\n");
        for (TextBlock block : manual.description()) {
            text.append('\n')
                    .append(block.preformatted() ? "```\n" + block.text() + "\n```" : escaped(block.text()))
                    .append('\n');
        }
        boolean server = isServerCommand(manual);
        List<ManualEntry> options = manual.options().stream()
                .filter(each -> !server || !isServerOption(each) || differs(manual, each))
                .toList();
        append(text, table("Parameter", manual.parameters()));
        append(text, table("Option", options));
        append(text, server ? "It has the [server options](#server-options).\n" : "");
        append(text, table("Command", manual.commands()));
        if (!manual.examples().isEmpty()) {
            append(text, "```\n" + String.join("\n", manual.examples()).stripIndent() + "\n```\n");
        }
        manual.notes().forEach(each -> append(text, escaped(each) + "\n"));
        return text.toString();
    }

    /** Whether a command has an option of its own in place of a server option. */
    private static boolean differs(CommandManual manual, ManualEntry option) {
        return option.names().contains("--output") && manual.name().equals("sluice snapshot");
    }

    private static void append(StringBuilder text, String part) {
        if (!part.isEmpty()) {
            text.append('\n').append(part);
        }
    }

    private static String table(String title, List<ManualEntry> entries) {
        if (entries.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder("| " + title + " | Description |\n| --- | --- |\n");
        for (ManualEntry entry : entries) {
            String names = entry.names().stream()
                    .map(name -> {
                        boolean last =
                                name.equals(entry.names().get(entry.names().size() - 1));
                        return "`" + name
                                + (last && !entry.label().isEmpty()
                                        ? "=" + entry.label().replace("|", "\\|")
                                        : "") + "`";
                    })
                    .collect(Collectors.joining(", "));
            table.append("| ")
                    .append(names)
                    .append(" | ")
                    .append(escaped(entry.text()))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;");
    }
}
