package dev.sluice.server.http;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Problem;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Verb;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** A call as it comes from the web server. */
final class JavalinCall implements Call {

    /** The header that says who calls; without authentication it is taken at its word. */
    static final String ACTOR = "Sluice-User";

    private static final int ACTOR_LENGTH_MAX = 256;

    private final Context context;
    private final JsonMapper json;
    private final Verb verb;
    private @Nullable String text;

    JavalinCall(Context context, JsonMapper json, Verb verb) {
        this.context = context;
        this.json = json;
        this.verb = verb;
    }

    @Override
    public String path(String name) {
        return context.pathParam(name);
    }

    @Override
    public @Nullable String query(String name) {
        String value = context.queryParam(name);
        return value == null || value.isEmpty() ? null : value;
    }

    @Override
    public long number(String name, long whenMissing, long min, long max) {
        String value = query(name);
        if (value == null) {
            return whenMissing;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw ProblemException.of(ProblemKind.INVALID, name + " is a whole number, not " + value);
        }
        throw ProblemException.of(ProblemKind.INVALID, name + " is between " + min + " and " + max + ", not " + value);
    }

    @Override
    public @Nullable String header(String name) {
        return context.header(name);
    }

    @Override
    public String text() {
        String known = text;
        if (known == null) {
            try {
                known = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(context.bodyAsBytes()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw ProblemException.of(ProblemKind.MALFORMED, "what was sent is not UTF-8");
            }
            text = known;
        }
        return known;
    }

    @Override
    public <T> T body(Class<T> type) {
        T value;
        try {
            value = json.readValue(text(), type);
        } catch (JacksonException e) {
            throw malformed(e);
        }
        if (value == null) {
            throw ProblemException.of(ProblemKind.MALFORMED, "a JSON object is wanted, not null");
        }
        return value;
    }

    private static ProblemException malformed(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        String message = e instanceof UnrecognizedPropertyException unknown
                ? "there is no " + unknown.getPropertyName() + " here; known are " + unknown.getKnownPropertyIds()
                : String.valueOf(e.getOriginalMessage());
        Problem.Place place = location == null || location.getLineNr() < 1
                ? new Problem.Place(0, 0, "", message)
                : new Problem.Place(location.getLineNr(), location.getColumnNr(), "", message);
        String where = place.line() == 0 ? "" : "line " + place.line() + ", column " + place.column() + ": ";
        return ProblemException.at(ProblemKind.MALFORMED, where + message, List.of(place));
    }

    @Override
    public String mediaType() {
        String type = context.contentType();
        if (type == null) {
            return "";
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public String actor() {
        String actor = context.header(ACTOR);
        if (actor == null || actor.isBlank()) {
            return "";
        }
        if (actor.length() > ACTOR_LENGTH_MAX || actor.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.of(
                    ProblemKind.INVALID, ACTOR + " is a name of at most " + ACTOR_LENGTH_MAX + " characters");
        }
        return actor.strip();
    }

    @Override
    public boolean prefersYaml() {
        String accept = context.header("Accept");
        return accept != null && accept.contains("yaml") && !accept.contains("json");
    }

    Verb verb() {
        return verb;
    }
}
