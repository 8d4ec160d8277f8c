package dev.sluice.config.notification;

import dev.sluice.config.field.Field;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The address of a webhook. */
public final class WebhookAddress {

    private WebhookAddress() {}

    /** Returns the address, or null if the text is not an {@code http} or {@code https} address with a host. */
    public static @Nullable URI parse(String text) {
        try {
            URI uri = new URI(text.strip());
            boolean isWeb = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return isWeb && uri.getHost() != null && uri.getUserInfo() == null ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    static @Nullable String read(Field field) {
        String text = field.asValueText();
        if (text != null && parse(text) == null) {
            field.problem(Field.quoted(text) + " is not an http or https address without user information, such as"
                    + " https://hooks.example.com/sluice");
            return null;
        }
        return text;
    }
}
