package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Definition;
import java.io.IOException;

/** The list of definitions at the end of the page. */
final class DefinitionList {

    private DefinitionList() {}

    static void write(HtmlWriter html) throws IOException {
        html.markup("<dl class=\"definitions\">\n");
        for (Definition definition : Definition.values()) {
            html.markup("<div><dt>").text(definition.term()).markup("</dt><dd>").text(definition.meaning());
            if (!definition.source().isEmpty()) {
                html.markup(" <cite>").text(definition.source()).markup("</cite>");
            }
            html.markup("</dd></div>\n");
        }
        html.markup("</dl>\n");
    }
}
