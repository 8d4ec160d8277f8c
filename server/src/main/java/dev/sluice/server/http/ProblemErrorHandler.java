package dev.sluice.server.http;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import tools.jackson.databind.json.JsonMapper;

/** Answers requests that reach no route, such as malformed HTTP, with a problem document. */
final class ProblemErrorHandler implements Request.Handler {

    private final JsonMapper json;

    ProblemErrorHandler(JsonMapper json) {
        this.json = json;
    }

    /** Returns the problem type for an HTTP status. */
    static ProblemKind kindOf(int status) {
        return switch (status) {
            case 404 -> ProblemKind.NOT_FOUND;
            case 405 -> ProblemKind.METHOD_NOT_ALLOWED;
            case 413 -> ProblemKind.TOO_LARGE;
            case 415 -> ProblemKind.MEDIA_TYPE;
            case 417 -> ProblemKind.EXPECTATION;
            case 503 -> ProblemKind.UNAVAILABLE;
            case 505 -> ProblemKind.MALFORMED; // the client chose the HTTP version
            default -> status < 500 ? ProblemKind.MALFORMED : ProblemKind.INTERNAL;
        };
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Object reason = request.getAttribute(org.eclipse.jetty.server.handler.ErrorHandler.ERROR_MESSAGE);
        int status = response.getStatus();
        ProblemKind kind = kindOf(status);
        byte[] body =
                json.writeValueAsBytes(ProblemException.of(kind, reason == null ? kind.title() : reason.toString())
                        .problem(status));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpServer.PROBLEM_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        // after an error of Jetty the end of the request is unknown, so close the connection
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        boolean head = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, head ? BufferUtil.EMPTY_BUFFER : ByteBuffer.wrap(body), callback);
        return true;
    }
}
