package dev.sluice.cli.manual;

import dev.sluice.cli.manual.CommandManual.ManualEntry;
import dev.sluice.cli.manual.CommandManual.TextBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Renders the manual of a command as a man page: roff with the macros of man(7). */
public final class ManPage {

    private static final String EXIT_CODES = "Exit codes: ";

    private final StringBuilder text = new StringBuilder();

    private ManPage() {}

    /** Returns the name of the page's file, such as {@code sluice-config-show.1}. */
    public static String fileName(String command) {
        return command.replace(' ', '-') + ".1";
    }

    /** Returns the page; {@code version} is shown in its footer. */
    public static String render(CommandManual manual, String version) {
        ManPage page = new ManPage();
        page.write(manual, version);
        return page.text.toString();
    }

    private void write(CommandManual manual, String version) {
        String page = manual.name().replace(' ', '-');
        macro(".TH " + quoted(page.toUpperCase(Locale.ROOT)) + " 1 \"\" " + quoted(version) + " "
                + quoted("Sluice Manual"));
        macro(".SH NAME");
        line(escaped(page) + " \\- " + escaped(manual.summary()));
        macro(".SH SYNOPSIS");
        line("\\fB" + escaped(manual.name()) + "\\fR"
                + escaped(manual.synopsis().substring(manual.name().length())));
        if (!manual.description().isEmpty()) {
            macro(".SH DESCRIPTION");
            for (int i = 0; i < manual.description().size(); i++) {
                if (i > 0) {
                    macro(".PP");
                }
                block(manual.description().get(i));
            }
        }
        entries("PARAMETERS", manual.parameters());
        entries("OPTIONS", manual.options());
        entries("COMMANDS", manual.commands());
        for (String note : manual.notes()) {
            boolean exitCodes = note.startsWith(EXIT_CODES);
            macro(exitCodes ? ".SH EXIT STATUS" : ".SH NOTES");
            line(escaped(exitCodes ? note.substring(EXIT_CODES.length()) : note));
        }
        if (!manual.examples().isEmpty()) {
            macro(".SH EXAMPLES");
            preformatted(String.join("\n", manual.examples()));
        }
        seeAlso(manual);
    }

    private void seeAlso(CommandManual manual) {
        int end = manual.name().lastIndexOf(' ');
        List<String> pages = new ArrayList<>();
        if (end >= 0) {
            pages.add(manual.name().substring(0, end));
        }
        manual.commands()
                .forEach(each -> pages.add(manual.name() + " " + each.names().get(0)));
        if (!pages.isEmpty()) {
            macro(".SH SEE ALSO");
            line(pages.stream()
                    .map(each -> "\\fB" + escaped(each.replace(' ', '-')) + "\\fR(1)")
                    .collect(Collectors.joining(", ")));
        }
    }

    private void entries(String title, List<ManualEntry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        macro(".SH " + title);
        for (ManualEntry entry : entries) {
            macro(".TP");
            String value = entry.label().isEmpty() ? "" : "=\\fI" + escaped(entry.label()) + "\\fR";
            line(entry.names().stream()
                            .map(name -> "\\fB" + escaped(name) + "\\fR")
                            .collect(Collectors.joining(", "))
                    + value);
            line(escaped(entry.text()));
        }
    }

    private void block(TextBlock block) {
        if (block.preformatted()) {
            preformatted(block.text());
        } else {
            line(escaped(block.text()));
        }
    }

    private void preformatted(String lines) {
        macro(".nf");
        lines.lines().forEach(each -> line(escaped(each)));
        macro(".fi");
    }

    private void macro(String macro) {
        text.append(macro).append('\n');
    }

    /** Adds a line of text; a dot or quote at its start would make it a macro. */
    private void line(String line) {
        text.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "")
                .append(line)
                .append('\n');
    }

    private static String quoted(String text) {
        return "\"" + escaped(text) + "\"";
    }

    /** Returns the text with the characters escaped that roff interprets or replaces by typographic ones. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '"' -> escaped.append("\\(dq");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                case '`' -> escaped.append("\\(ga");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
