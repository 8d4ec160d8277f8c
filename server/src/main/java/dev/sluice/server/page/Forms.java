package dev.sluice.server.page;

import dev.sluice.server.access.Sessions;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What forms send. Each has a token of its page, so that pages of other sites cannot send it. */
final class Forms {

    /** The field with the token. */
    static final String TOKEN = "formtoken";

    private final Sessions sessions;

    Forms(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Returns the token for forms of a page that answers this call. */
    String token(Call call) {
        return sessions.formToken(session(call));
    }

    /** Returns the fields of a form; throws a problem if it is not part of a page of this session. */
    Map<String, String> fields(Call call) {
        Map<String, String> fields = parsed(call.text());
        if (!sessions.isFormToken(session(call), fields.getOrDefault(TOKEN, ""))) {
            throw ProblemException.of(
                    ProblemKind.CROSS_SITE,
                    "the form is out of date, because the server was restarted or you signed in again; reload the page"
                            + " and send it again");
        }
        return fields;
    }

    /** Returns the id of the session of a call; empty if there is none. */
    static String session(Call call) {
        String session = Credentials.session(call.header("Cookie"));
        return session == null ? "" : session;
    }

    private static Map<String, String> parsed(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split("&")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(decoded(field.substring(0, equals)), decoded(field.substring(equals + 1)));
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.MALFORMED, "malformed form: " + e.getMessage());
        }
    }
}
