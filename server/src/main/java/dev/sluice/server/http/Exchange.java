package dev.sluice.server.http;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Handler;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** One request and its answer: it finds the route, gathers what is sent, asks the route, and writes what that answers. */
final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");

    /** More than this is not read through on a thread that others wait for. */
    private static final int ASYNC_BODY_MAX = 64 << 10;

    /** Answers up to this size need no room: all connections together bound what they take. */
    private static final int SMALL_ANSWER = 8 << 10;

    private static final byte[] NOTHING = {};

    /**
     * What all exchanges of a server have in common.
     *
     * @param room for what is sent
     * @param responseBudget room for large answers until they are read
     * @param workers where routes wait for what they need
     * @param answers where answers are written that come later
     * @param inFlightRequests counts requests that have come in whole and are not answered yet
     * @param watch is told of every answer of a route
     */
    record Common(
            Router router,
            JsonMapper json,
            BodyBudget room,
            BodyBudget responseBudget,
            Executor workers,
            Executor answers,
            InFlightRequests inFlightRequests,
            HttpServer.RequestListener watch) {}

    private final Common common;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private @Nullable Route route;
    private long began;
    private boolean bodyRead;

    Exchange(Common common, Request request, Response response, Callback callback) {
        this.common = common;
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    /** Begins; never waits. */
    void begin() {
        try {
            HttpFields headers = request.getHeaders();
            CrossSite.checkHost(headers);
            String path = request.getHttpURI().getPath();
            Router.RouteMatch found = common.router().find(path == null ? "" : path);
            if (found == null) {
                throw ProblemException.of(ProblemKind.NOT_FOUND, "path " + path + " not found");
            }
            Route known = found.route(request.getMethod());
            if (known == null) {
                methodNotAllowed(found.allowed());
                return;
            }
            route = known;
            began = System.nanoTime();
            CrossSite.check(headers, known, RequestCall.mediaType(headers));
            if (known.takes() == null) {
                ask(known, found, NOTHING);
            } else {
                Body.read(
                        request,
                        common.room(),
                        body -> {
                            bodyRead = true;
                            ask(known, found, body);
                        },
                        this::rejectBody);
            }
        } catch (RuntimeException | LinkageError e) {
            fail(e);
        }
    }

    private void methodNotAllowed(String allowed) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        if (request.getMethod().equals("OPTIONS")) {
            write(ApiResponse.done());
        } else {
            throw ProblemException.of(
                    ProblemKind.METHOD_NOT_ALLOWED,
                    request.getHttpURI().getPath() + " allows " + allowed + ", not " + request.getMethod());
        }
    }

    private void rejectBody(ProblemException problem) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        fail(problem);
    }

    private void ask(Route known, Router.RouteMatch found, byte[] body) {
        common.inFlightRequests().begin();
        Request.addCompletionListener(
                request, failure -> common.inFlightRequests().end());
        // a connection on which nothing moves because the answer takes its time is not idle
        request.addIdleTimeoutListener(idle -> false);
        if (known.handler() instanceof Handler.Async && body.length <= ASYNC_BODY_MAX) {
            handle(known, found, body);
            return;
        }
        common.workers().execute(() -> handle(known, found, body));
    }

    private void handle(Route known, Router.RouteMatch found, byte[] body) {
        try {
            RequestCall call = new RequestCall(request, common.json(), found.parameters(known), body);
            if (known.handler() instanceof Handler.Async prompt) {
                prompt.handle(call)
                        .whenCompleteAsync(
                                (answer, failure) -> {
                                    if (failure == null) {
                                        write(answer);
                                    } else {
                                        fail(failure);
                                    }
                                },
                                common.answers());
            } else if (known.handler() instanceof Handler.Blocking waiting) {
                write(waiting.handle(call));
            }
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            fail(e);
        }
    }

    private void write(ApiResponse answer) {
        try {
            response.setStatus(answer.status());
            HttpFields.Mutable headers = response.getHeaders();
            for (Map.Entry<String, String> header : answer.headers().entrySet()) {
                headers.put(header.getKey(), header.getValue());
            }
            Object body = answer.body();
            if (body instanceof ApiResponse.StreamBody stream) {
                answered(answer.status());
                write(stream);
            } else if (body instanceof ApiResponse.TextBody text) {
                headers.put(HttpHeader.CONTENT_TYPE, text.type());
                send(answer.status(), text.content().getBytes(StandardCharsets.UTF_8));
            } else if (body != null) {
                headers.put(JSON);
                send(answer.status(), common.json().writeValueAsBytes(body));
            } else {
                send(answer.status(), NOTHING);
            }
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            fail(e);
        }
    }

    /** Answers what went wrong. */
    private void fail(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (response.isCommitted()) {
            LOG.error("internal error: method={} uri={}", request.getMethod(), request.getHttpURI(), cause);
            callback.failed(cause);
            return;
        }
        ProblemException problem;
        if (cause instanceof ProblemException known) {
            problem = known;
        } else {
            LOG.error("internal error: method={} uri={}", request.getMethod(), request.getHttpURI(), cause);
            problem = ProblemException.of(ProblemKind.INTERNAL, "internal error: " + cause);
        }
        int status = problem.kind().status();
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpServer.PROBLEM_TYPE);
        Duration retry = problem.retryAfter();
        if (retry != null) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Long.toString(Math.max(1, retry.toSeconds())));
        }
        send(status, common.json().writeValueAsBytes(problem.problem()), callback);
    }

    private void send(int status, byte[] body) {
        if (body.length <= SMALL_ANSWER) {
            send(status, body, callback);
            return;
        }
        Route known = route;
        if (!common.responseBudget().tryAcquire(body.length)) {
            if (known != null && known.verb().isSafe()) {
                throw ProblemException.retry(
                        ProblemKind.BUSY,
                        "too many unread large responses, retry later or request less at a time",
                        Duration.ofSeconds(2),
                        null);
            }
            common.responseBudget().release(-body.length); // it is done, so that must be answered
        }
        send(status, body, new BudgetReleasingCallback(callback, common.responseBudget(), body.length));
    }

    private void send(int status, byte[] body, Callback whenRead) {
        answered(status);
        if (!bodyRead && !request.consumeAvailable()) {
            // Jetty closes a connection on which the rest of a body is still to come: the client must know
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.getHeaders().put(NO_STORE);
        response.write(true, ByteBuffer.wrap(body), whenRead);
    }

    /** Gives back the room of an answer when it is read, or will not be. */
    private record BudgetReleasingCallback(Callback next, BodyBudget room, long bytes) implements Callback {

        @Override
        public void succeeded() {
            room.release(bytes);
            next.succeeded();
        }

        @Override
        public void failed(Throwable cause) {
            room.release(bytes);
            next.failed(cause);
        }

        @Override
        public InvocationType getInvocationType() {
            return next.getInvocationType();
        }
    }

    private void answered(int status) {
        Route known = route;
        if (known != null) {
            common.watch().answered(known, status, System.nanoTime() - began);
        }
    }

    private void write(ApiResponse.StreamBody stream) {
        response.getHeaders().put(NO_STORE);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, stream.type());
        try (stream) {
            if (!request.getMethod().equals("HEAD")) {
                try (OutputStream out = new BufferedOutputStream(Content.Sink.asOutputStream(response))) {
                    stream.write(out);
                }
            }
            callback.succeeded();
        } catch (IOException gone) {
            LOG.debug("client disconnected: uri={} reason={}", request.getHttpURI(), gone.toString());
            callback.failed(gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        }
    }
}
