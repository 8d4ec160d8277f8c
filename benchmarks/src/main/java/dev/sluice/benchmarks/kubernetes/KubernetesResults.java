package dev.sluice.benchmarks.kubernetes;

import dev.sluice.benchmarks.rounds.Machine;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** The figures of all rounds. */
record KubernetesResults(Machine machine, int pods, List<Row> rows) {

    /**
     * The figures of a contender in a round.
     *
     * @param nodes the number of nodes
     * @param round the number of the round, from 0
     */
    record Row(int nodes, int round, Contender contender, Map<Figure, Double> figures) {}

    /** Several measurements: the median, and the range. */
    private static String spread(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return sorted.length == 1
                ? number(median)
                : number(median) + " (" + number(sorted[0]) + " to " + number(sorted[sorted.length - 1]) + ")";
    }

    private static String number(double value) {
        String format = Math.abs(value) < 1 ? "%.3f" : Math.abs(value) < 10 ? "%.2f" : "%,.0f";
        return String.format(Locale.ROOT, format, value);
    }

    static String text(Map<Figure, Double> figures) {
        return figures.entrySet().stream()
                .map(each -> each.getKey() + " " + number(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private double[] values(int nodes, Contender contender, Figure figure) {
        return rows.stream()
                .filter(row -> row.nodes() == nodes && row.contender() == contender)
                .filter(row -> row.figures().containsKey(figure))
                .mapToDouble(row -> row.figures().get(figure))
                .toArray();
    }

    /** Returns how much of the rate without a scheduler, the limit of the API server, each scheduler reaches. */
    private String limit(int nodes) {
        if (values(nodes, Contender.NOBODY, Figure.BOUND_PER_SECOND).length == 0) {
            return "";
        }
        return contenders().stream()
                .filter(contender -> contender != Contender.NOBODY)
                .map(contender -> contender.title() + " "
                        + spread(ratios(nodes, contender, Contender.NOBODY, Figure.BOUND_PER_SECOND)))
                .collect(Collectors.joining("; ", "\nPods bound per second relative to no scheduler: ", ".\n"));
    }

    /** Returns the figures of a contender divided by those of another one in the same round. */
    private double[] ratios(int nodes, Contender contender, Contender other, Figure figure) {
        double[] own = values(nodes, contender, figure);
        double[] others = values(nodes, other, figure);
        double[] ratios = new double[Math.min(own.length, others.length)];
        Arrays.setAll(ratios, i -> own[i] / others[i]);
        return ratios;
    }

    private List<Contender> contenders() {
        return rows.stream().map(Row::contender).distinct().sorted().toList();
    }

    /** Returns a table for each number of nodes. */
    String markdown() {
        StringBuilder text = new StringBuilder("# Sluice and kube-scheduler on the same API server\n\n");
        long rounds = rows.stream().map(Row::round).distinct().count();
        text.append(machine)
                .append(
                        rounds == 1
                                ? ".\nOne round, so without a spread. See "
                                : ".\nMedians of " + rounds
                                        + " rounds, and the range; ratios are those of the same round. See ");
        text.append("[benchmarks](../README.md#kubernetes) for what is measured.\n");
        for (int nodes : rows.stream().map(Row::nodes).distinct().toList()) {
            text.append(String.format(Locale.ROOT, "%n## %,d nodes, %,d pods%n%n| |", nodes, pods));
            for (Contender contender : contenders()) {
                text.append(' ').append(contender.title()).append(" |");
            }
            text.append(" Sluice × kube-scheduler |\n| --- |");
            text.append(" --- |".repeat(contenders().size() + 1)).append('\n');
            for (Figure figure : Figure.values()) {
                text.append("| ").append(figure.title()).append(" |");
                for (Contender contender : contenders()) {
                    text.append(cell(values(nodes, contender, figure)));
                }
                text.append(cell(ratios(nodes, Contender.SLUICE, Contender.KUBE_SCHEDULER, figure)))
                        .append('\n');
            }
            text.append(limit(nodes));
        }
        return text.toString();
    }

    private static String cell(double... values) {
        return values.length == 0 ? " |" : " " + spread(values) + " |";
    }

    /** Returns all rounds, and the machine. */
    String json() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("machine", machine);
        result.put("pods", pods);
        result.put("rounds", rows);
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n";
    }
}
