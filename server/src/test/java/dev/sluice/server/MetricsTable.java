package dev.sluice.server;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of metrics in the reference, from what a server answers. */
public final class MetricsTable {

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final String HEAD = "| Metric | Type | Labels | Meaning |\n| --- | --- | --- | --- |\n";

    private MetricsTable() {}

    /**
     * Returns the table.
     *
     * @param scrape what the server answers to {@code GET /metrics}
     * @param wanted selects metrics by name
     */
    public static String of(String scrape, Predicate<String> wanted) {
        Map<String, String> helps = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String line : scrape.split("\n")) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                helps.put(words[2], words[3]);
            } else if (line.startsWith("# TYPE ")) {
                types.put(words[2], words[3]);
            } else {
                addLabels(line, labels.computeIfAbsent(family(line, types), name -> new LinkedHashSet<>()));
            }
        }
        StringBuilder table = new StringBuilder(HEAD);
        types.forEach((name, type) -> {
            if (wanted.test(name)) {
                String meaning = name.endsWith("_max")
                        ? "Recent maximum of `" + name.replaceAll("_max$", "") + "`."
                        : helps.getOrDefault(name, "");
                Set<String> known = labels.getOrDefault(name, Set.of());
                table.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                name,
                                type,
                                String.join(
                                        ", ",
                                        known.stream()
                                                .map(each -> "`" + each + "`")
                                                .toList()),
                                meaning));
            }
        });
        return table.toString();
    }

    private static void addLabels(String line, Set<String> labels) {
        Matcher matcher = LABEL.matcher(line);
        while (matcher.find()) {
            if (!matcher.group(1).equals("le")) {
                labels.add(matcher.group(1));
            }
        }
    }

    private static String family(String line, Map<String, String> types) {
        String name = line.substring(0, Math.min(index(line, '{'), index(line, ' ')));
        return types.containsKey(name) ? name : name.replaceAll("_(bucket|count|sum)$", "");
    }

    private static int index(String text, char wanted) {
        int index = text.indexOf(wanted);
        return index < 0 ? text.length() : index;
    }
}
