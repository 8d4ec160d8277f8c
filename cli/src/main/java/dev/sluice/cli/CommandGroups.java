package dev.sluice.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** Renders the command list of the program's help, grouped by purpose. */
final class CommandGroups implements IHelpSectionRenderer {

    private static final Map<String, List<String>> GROUPS = groups();

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("On this machine", List.of("run", "plan", "simulate", "validate", "serve"));
        groups.put(
                "Applications on a server",
                List.of(
                        "submit", "list", "history", "get", "tasks", "logs", "why", "wait", "cancel", "retry", "update",
                        "hold", "release", "suspend", "resume", "signal", "forget"));
        groups.put(
                "Server and cluster",
                List.of(
                        "top",
                        "usage",
                        "queues",
                        "nodes",
                        "offline",
                        "reinstate",
                        "taint",
                        "classes",
                        "throttle",
                        "config",
                        "events",
                        "audit",
                        "health",
                        "snapshot",
                        "token",
                        "ui",
                        "context",
                        "admin"));
        groups.put("About this program", List.of("schema", "completion", "man-pages", "help"));
        return groups;
    }

    @Override
    public String render(Help help) {
        Map<String, Help> left = new LinkedHashMap<>(help.subcommands());
        StringBuilder text = new StringBuilder();
        int width = left.keySet().stream().mapToInt(String::length).max().orElse(0);
        GROUPS.forEach((title, names) -> {
            text.append(String.format("%n%s:%n", title));
            names.forEach(name -> append(help, name, left.remove(name), width, text));
        });
        left.values().removeIf(each -> each.commandSpec().usageMessage().hidden());
        if (!left.isEmpty()) {
            throw new IllegalStateException("commands without a group: " + left.keySet());
        }
        return text.toString();
    }

    private static void append(
            Help help, String name, @org.jspecify.annotations.Nullable Help command, int width, StringBuilder text) {
        if (command == null) {
            throw new IllegalStateException("command not found: " + name);
        }
        String[] header = command.commandSpec().usageMessage().header();
        String[] description = command.commandSpec().usageMessage().description();
        String first = header.length > 0 ? header[0] : description.length > 0 ? description[0] : "";
        String summary = first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
        Help.TextTable table = Help.TextTable.forColumns(
                help.colorScheme(),
                new Help.Column(width + 4, 2, Help.Column.Overflow.SPAN),
                new Help.Column(
                        Math.max(20, help.commandSpec().usageMessage().width() - width - 4),
                        2,
                        Help.Column.Overflow.WRAP));
        table.addRowValues(
                help.colorScheme().commandText(name), help.colorScheme().text(summary));
        text.append(table);
    }
}
