package dev.sluice.simulator.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/** The parts of the page that are the same for every comparison. */
final class PageParts {

    /** The scripts, each after the scripts it depends on. */
    static final List<String> SCRIPTS = List.of(
            "format.js",
            "dom.js",
            "theme.js",
            "figures.js",
            "charts.js",
            "plots.js",
            "sizes.js",
            "nodes.js",
            "tables.js",
            "changes.js",
            "page.js");

    private PageParts() {}

    static String skeleton() {
        return text("page.html");
    }

    static String style() {
        return text("uplot/uPlot.min.css") + "\n" + text("page.css");
    }

    /** Returns the chart library; its first line has its name, version and home page. */
    static String library() {
        return "/* uPlot is under the MIT licence:\n" + text("uplot/LICENSE") + "\n*/\n"
                + text("uplot/uPlot.iife.min.js");
    }

    static String script() {
        StringBuilder script = new StringBuilder("\"use strict\";\n(() => {\n");
        for (String name : SCRIPTS) {
            script.append("\n// ").append(name).append("\n\n").append(text(name));
        }
        return script.append("})();\n").toString();
    }

    /** Returns the source expression of a content security policy that allows a script or style with this content. */
    static String source(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    private static String text(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
