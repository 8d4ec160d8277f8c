package dev.sluice.server.http;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.json.JsonMapper;

/** A call backed by an HTTP request. */
final class RequestCall implements Call {

    private static final char REPLACEMENT = '\ufffd';
    private static final String JSON = "application/json";

    private final Request request;
    private final JsonMapper json;
    private final Route route;
    private final Map<String, String> path;
    private final byte[] body;
    private final Caller caller;
    private final BooleanSupplier callerValid;
    private @Nullable Fields query;
    private @Nullable String text;

    /**
     * Creates a call of a completely received request.
     *
     * @param route the route that is called
     * @param caller who sent it
     * @param callerValid returns whether the caller's credentials are still valid
     * @param path the path parameters
     * @param body the request body
     */
    RequestCall(
            Request request,
            JsonMapper json,
            Route route,
            Caller caller,
            BooleanSupplier callerValid,
            Map<String, String> path,
            byte[] body) {
        this.request = request;
        this.json = json;
        this.route = route;
        this.path = path;
        this.body = body;
        this.caller = caller;
        this.callerValid = callerValid;
    }

    @Override
    public Route route() {
        return route;
    }

    @Override
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("unknown path parameter " + name);
        }
        return value;
    }

    @Override
    public @Nullable String query(String name) {
        Fields known = query;
        if (known == null) {
            known = fields(request);
            query = known;
        }
        String value = known.getValue(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private static Fields fields(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (IllegalArgumentException | IllegalStateException | HttpException.RuntimeException e) {
            throw ProblemException.of(ProblemKind.MALFORMED, "malformed query: " + e.getMessage());
        }
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    @Override
    public String text() {
        String known = text;
        if (known == null) {
            known = new String(body, StandardCharsets.UTF_8);
            if (known.indexOf(REPLACEMENT) >= 0) {
                requireUtf8(); // the client may have sent U+FFFD itself; otherwise it stands for invalid bytes
            }
            text = known;
        }
        return known;
    }

    private void requireUtf8() {
        try {
            CharBuffer unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
        } catch (CharacterCodingException e) {
            throw ProblemException.of(ProblemKind.MALFORMED, "request body is not valid UTF-8");
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
            throw ProblemException.of(ProblemKind.MALFORMED, "request body must be a JSON object, not null");
        }
        String missing = RequiredFields.missingIn(value);
        if (missing != null) {
            throw ProblemException.of(ProblemKind.MALFORMED, missing + " is missing");
        }
        return value;
    }

    private static ProblemException malformed(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        String message = JsonProblems.messageOf(e);
        String path = JsonProblems.pathOf(e);
        ProblemDetails.Location reported = location == null || location.getLineNr() < 1
                ? new ProblemDetails.Location(0, 0, path, message)
                : new ProblemDetails.Location(location.getLineNr(), location.getColumnNr(), path, message);
        String where = reported.line() == 0 ? "" : "line " + reported.line() + ", column " + reported.column() + ": ";
        return ProblemException.at(ProblemKind.MALFORMED, where + message, List.of(reported));
    }

    @Override
    public String mediaType() {
        return mediaType(request.getHeaders());
    }

    /** Returns the media type in lower case, without parameters; empty if there is no such header. */
    static String mediaType(HttpFields headers) {
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (type == null || type.equals(JSON)) {
            return type == null ? "" : type;
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean prefersYaml() {
        String accept = request.getHeaders().get(HttpHeader.ACCEPT);
        return accept != null && accept.contains("yaml") && !accept.contains("json");
    }

    @Override
    public String address() {
        return Objects.requireNonNullElse(Request.getRemoteAddr(request), "");
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public boolean isCallerValid() {
        return callerValid.getAsBoolean();
    }
}
