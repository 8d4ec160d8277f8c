package dev.sluice.cli.answer;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.json.JsonOutput;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.YamlPrinter;
import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Prints responses of a server for programs, as received, with indentation. */
public final class AnswerText {

    private static final String ITEMS = "items";

    private AnswerText() {}

    public static void json(JsonNode answer, PrintWriter out) {
        try (JsonGenerator json = JsonOutput.to(out)) {
            ClientJson.MAPPER.writeTree(json, answer);
        }
        out.println();
    }

    /** Prints JSON on one line. */
    public static void jsonLine(JsonNode answer, PrintWriter out) {
        out.println(ClientJson.MAPPER.writeValueAsString(answer));
    }

    public static void yaml(JsonNode answer, PrintWriter out) {
        if (answer.isObject()) {
            out.print(YamlPrinter.print((OutputMap) output(answer)));
        } else if (answer.isArray() && !answer.isEmpty()) {
            // the printer expects a map, so a list is printed as the only entry of one
            YamlPrinter.print(new OutputMap().put(ITEMS, output(answer)))
                    .lines()
                    .skip(1)
                    .forEach(line -> out.println(line.startsWith("  ") ? line.substring(2) : line));
        } else {
            jsonLine(answer, out);
        }
    }

    private static Output output(JsonNode node) {
        if (node.isObject()) {
            OutputMap map = new OutputMap();
            node.properties().forEach(entry -> {
                if (!entry.getValue().isNull()) {
                    map.put(entry.getKey(), output(entry.getValue()));
                }
            });
            return map;
        }
        if (node.isArray()) {
            OutputList list = new OutputList();
            node.forEach(item -> list.add(output(item)));
            return list;
        }
        if (node.isBoolean()) {
            return Output.flag(node.booleanValue());
        }
        if (node.isIntegralNumber()) {
            return Output.number(node.longValue());
        }
        return node.isNumber() ? Output.number(node.doubleValue()) : Output.text(node.asString(""));
    }
}
