package dev.sluice.simulator.report;

import java.io.IOException;

/** Writes HTML and escapes text, so that no text is parsed as a tag, an attribute or a script. */
final class HtmlWriter {

    private final Appendable out;

    HtmlWriter(Appendable out) {
        this.out = out;
    }

    /** Writes markup unescaped. It must not contain anything from outside this program. */
    HtmlWriter markup(String markup) throws IOException {
        out.append(markup);
        return this;
    }

    /** Writes escaped text or an attribute value. */
    HtmlWriter text(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(text, i, i + 2);
                        i++;
                    } else {
                        out.append(Character.isISOControl(c) || Character.isSurrogate(c) || c >= 0xfffe ? '\ufffd' : c);
                    }
                }
            }
        }
        return this;
    }
}
