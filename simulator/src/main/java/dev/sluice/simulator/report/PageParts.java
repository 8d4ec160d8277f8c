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

    /** The scripts, each after those it uses. */
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

    /** The library that draws charts; its first line names it, its version and its home. */
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

    /** How a policy of a page names a script or a style that may be used: by what it holds. */
    static String source(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String text(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its part " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
