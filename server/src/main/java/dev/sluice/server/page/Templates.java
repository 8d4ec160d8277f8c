package dev.sluice.server.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;

/** Renders the templates that the build compiled to classes. */
final class Templates {

    private static final String PACKAGE = "dev.sluice.server.page.template";

    private final TemplateEngine engine =
            TemplateEngine.createPrecompiled(null, ContentType.Html, Templates.class.getClassLoader(), PACKAGE);

    /** Returns the output of a template with a shell and a model. */
    String render(String name, Shell shell, Object model) {
        StringOutput output = new StringOutput();
        engine.render(name + ".jte", Map.of("shell", shell, "model", model), output);
        return output.toString();
    }
}
