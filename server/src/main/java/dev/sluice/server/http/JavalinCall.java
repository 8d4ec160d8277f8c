package dev.sluice.server.http;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.Problem;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** A call as it comes from the web server. */
final class JavalinCall implements Call {

    /** The header that says who calls; without authentication it is taken at its word. */
    static final String ACTOR = Call.ACTOR_HEADER;

    private static final int ACTOR_LENGTH_MAX = 256;
    private static final long DISCARDED_MAX = 64 << 20;

    private final Context context;
    private final JsonMapper json;
    private final long bodyMax;
    private final Map<String, String> path = new HashMap<>();
    private final String actor;
    private @Nullable String text;

    /** Reads at once what is asked for on other threads, maybe when the request is over already. */
    JavalinCall(Context context, JsonMapper json, Route route, long bodyMax) {
        this.context = context;
        this.json = json;
        this.bodyMax = bodyMax;
        for (Parameter parameter : route.parameters()) {
            if (parameter.place() == Parameter.Place.PATH) {
                path.put(parameter.name(), context.pathParam(parameter.name()));
            }
        }
        this.actor = actorOf(context);
    }

    @Override
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the path has no " + name);
        }
        return value;
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
                        .decode(ByteBuffer.wrap(bytes()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw ProblemException.of(ProblemKind.MALFORMED, "what was sent is not UTF-8");
            } catch (IOException e) {
                throw ProblemException.of(ProblemKind.MALFORMED, "what was sent ended too early: " + e.getMessage());
            }
            text = known;
        }
        return known;
    }

    /** What was sent, if it is not too much; how much that is need not be known before. */
    private byte[] bytes() throws IOException {
        HttpServletRequest request = context.req();
        InputStream in = request.getInputStream();
        byte[] bytes = request.getContentLengthLong() > bodyMax
                ? null
                : in.readNBytes((int) Math.min(bodyMax + 1, Integer.MAX_VALUE - 8));
        if (bytes == null || bytes.length > bodyMax) {
            discard(in, Math.min(DISCARDED_MAX, request.getContentLengthLong()));
            context.header("Connection", "close");
            throw ProblemException.of(
                    ProblemKind.TOO_LARGE, "a request has at most " + bodyMax + " bytes: send it in parts");
        }
        return bytes;
    }

    /** Takes what is about to come, if that is known, but not without end: who still sends does not read the answer. */
    private static void discard(InputStream in, long bytes) throws IOException {
        byte[] some = new byte[1 << 16];
        long left = bytes;
        for (int read = 0; read >= 0 && left > 0; left -= read) {
            read = in.read(some);
        }
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
        String missing = RequiredFields.missingIn(value);
        if (missing != null) {
            throw ProblemException.of(ProblemKind.MALFORMED, missing + " is missing");
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
    public boolean prefersYaml() {
        String accept = context.header("Accept");
        return accept != null && accept.contains("yaml") && !accept.contains("json");
    }

    @Override
    public String actor() {
        return actor;
    }

    private static String actorOf(Context context) {
        String actor = context.header(ACTOR);
        if (actor == null || actor.isBlank()) {
            return "";
        }
        if (actor.length() > ACTOR_LENGTH_MAX || actor.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.of(
                    ProblemKind.MALFORMED, ACTOR + " is a name of at most " + ACTOR_LENGTH_MAX + " characters");
        }
        return actor.strip();
    }
}
