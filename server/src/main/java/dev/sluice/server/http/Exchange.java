package dev.sluice.server.http;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Audited;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Handler;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.ProblemPage;
import dev.sluice.server.route.Route;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** One HTTP request and its response: finds the route, reads the body, calls the route and writes its response. */
final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");

    /** Larger bodies are parsed on a worker thread instead of the event loop. */
    private static final int ASYNC_BODY_MAX = 64 << 10;

    /** Responses up to this size need no budget: the number of connections bounds their memory. */
    private static final int SMALL_ANSWER = 8 << 10;

    private static final byte[] NOTHING = {};

    /**
     * What all exchanges of a server share.
     *
     * @param missing the answer for paths without a route
     * @param crossSite refuses requests of other sites' pages
     * @param authenticator finds out who sent a request
     * @param bodyBudget the budget for request bodies
     * @param responseBudget the budget for large responses until they are read
     * @param slowClients limits the time in which large responses are read
     * @param workers runs blocking routes
     * @param answers writes the responses of asynchronous routes
     * @param inFlightRequests counts requests that are received completely and not answered yet
     * @param listener is notified of every response of a route
     * @param audit is notified of it, too, with its caller
     */
    record Common(
            Router router,
            Function<String, ProblemException> missing,
            JsonMapper json,
            CrossSite crossSite,
            Authenticator authenticator,
            BodyBudget bodyBudget,
            BodyBudget responseBudget,
            SlowClients slowClients,
            Executor workers,
            Executor answers,
            InFlightRequests inFlightRequests,
            HttpServer.RequestListener listener,
            AuditListener audit) {}

    private final Common common;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private @Nullable Route route;
    private @Nullable Caller caller;
    private @Nullable String detail;
    private boolean withoutChange;
    private boolean hasProblem;
    private long began;
    private boolean bodyRead;

    Exchange(Common common, Request request, Response response, Callback callback) {
        this.common = common;
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    /** Starts the exchange; never blocks. */
    void begin() {
        try {
            HttpFields headers = request.getHeaders();
            common.crossSite().checkHost(headers);
            String path = request.getHttpURI().getPath();
            Router.RouteMatch found = common.router().find(path == null ? "" : path);
            if (found == null) {
                throw common.missing().apply(path == null ? "" : path);
            }
            Route matched = found.route(request.getMethod());
            if (matched == null) {
                methodNotAllowed(found.allowed());
                return;
            }
            route = matched;
            began = System.nanoTime();
            common.crossSite().check(headers, matched, RequestCall.mediaType(headers), request.isSecure());
            Credentials credentials = credentials();
            Caller known = common.authenticator().known(credentials);
            if (known != null) {
                receive(matched, found, known);
            } else {
                common.workers().execute(() -> authenticate(matched, found, credentials));
            }
        } catch (RuntimeException | LinkageError e) {
            fail(e);
        }
    }

    private Credentials credentials() {
        Peer peer = peer();
        String address = peer == null ? Objects.requireNonNullElse(Request.getRemoteAddr(request), "") : "";
        return Credentials.of(request.getHeaders(), peer, address);
    }

    private @Nullable Peer peer() {
        return request.getConnectionMetaData().getConnection().getEndPoint() instanceof UnixConnector.PeerEndPoint local
                ? local.peer()
                : null;
    }

    private void authenticate(Route matched, Router.RouteMatch found, Credentials credentials) {
        try {
            receive(matched, found, common.authenticator().authenticate(credentials));
        } catch (RuntimeException | LinkageError e) {
            fail(e);
        }
    }

    /** Returns whether the credentials of the request would still permit it. */
    private boolean isStillValid(Route matched, Caller sender) {
        try {
            Caller now = common.authenticator().again(credentials());
            return now.user().equals(sender.user()) && now.role().includes(matched.role());
        } catch (ProblemException e) {
            // an issuer or a directory that does not answer is no reason to refuse what was permitted
            return e.kind() != ProblemKind.UNAUTHENTICATED && e.kind() != ProblemKind.FORBIDDEN;
        }
    }

    /** Reads the body of a request whose caller may call the route. */
    private void receive(Route matched, Router.RouteMatch found, Caller sender) {
        caller = sender;
        matched.requireRole(sender);
        if (matched.body() == null) {
            dispatch(matched, found, sender, NOTHING);
            return;
        }
        String coding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemKind.MEDIA_TYPE, "send the body uncompressed, without the header Content-Encoding");
        }
        Body.read(
                request,
                common.bodyBudget(),
                body -> {
                    bodyRead = true;
                    dispatch(matched, found, sender, body);
                },
                this::rejectBody);
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

    private void dispatch(Route matched, Router.RouteMatch found, Caller caller, byte[] body) {
        common.inFlightRequests().begin();
        Request.addCompletionListener(
                request, failure -> common.inFlightRequests().end());
        // a connection that waits for its response is not idle
        request.addIdleTimeoutListener(idle -> false);
        if (matched.handler() instanceof Handler.Async && body.length <= ASYNC_BODY_MAX) {
            handle(matched, found, caller, body);
            return;
        }
        common.workers().execute(() -> handle(matched, found, caller, body));
    }

    private void handle(Route matched, Router.RouteMatch found, Caller caller, byte[] body) {
        try {
            RequestCall call = new RequestCall(
                    request,
                    common.json(),
                    matched,
                    caller,
                    () -> isStillValid(matched, caller),
                    found.parameters(matched),
                    body);
            if (matched.handler() instanceof Handler.Async prompt) {
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
            } else if (matched.handler() instanceof Handler.Blocking waiting) {
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
            if (body instanceof Audited audited) {
                detail = audited.auditDetail();
                withoutChange = !audited.hasChanged();
            }
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

    /** Answers with a problem. */
    private void fail(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (response.isCommitted()) {
            LOG.error("internal error: method={} uri={}", request.getMethod(), request.getHttpURI(), cause);
            callback.failed(cause);
            return;
        }
        ProblemException problem;
        if (cause instanceof ProblemException matched) {
            problem = matched;
        } else {
            LOG.error("internal error: method={} uri={}", request.getMethod(), request.getHttpURI(), cause);
            problem = ProblemException.of(ProblemKind.INTERNAL, "internal error: " + cause);
        }
        detail = problem.problem().detail();
        withoutChange = true;
        ProblemPage page = route == null ? null : route.problemPage();
        if (page != null && !hasProblem) {
            hasProblem = true; // if the page fails, the problem document is the answer
            write(page.answer(
                    problem,
                    new ProblemPage.FailedRequest(
                            caller, request.getHttpURI().getPathQuery(), request.getHeaders()::get)));
            return;
        }
        int status = problem.kind().status();
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpServer.PROBLEM_TYPE);
        if (problem.kind() == ProblemKind.UNAUTHENTICATED) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
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
        Route matched = route;
        if (!common.responseBudget().tryAcquire(body.length)) {
            if (matched != null && matched.verb().isSafe()) {
                throw ProblemException.retry(
                        ProblemKind.BUSY,
                        "too many unread large responses, retry later or request less at a time",
                        Duration.ofSeconds(2),
                        null);
            }
            common.responseBudget().release(-body.length); // the request has been executed, so it must be answered
        }
        Scheduler.Task timeLimit = common.slowClients()
                .limit(request.getConnectionMetaData().getConnection().getEndPoint(), body.length);
        send(status, body, new BudgetReleasingCallback(callback, common.responseBudget(), body.length, timeLimit));
    }

    private void send(int status, byte[] body, Callback whenRead) {
        answered(status);
        if (!bodyRead && !request.consumeAvailable()) {
            // Jetty closes a connection whose request body is not read completely: tell the client
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        if (!response.getHeaders().contains(HttpHeader.CACHE_CONTROL)) {
            response.getHeaders().put(NO_STORE);
        }
        response.write(true, ByteBuffer.wrap(body), whenRead);
    }

    /** Releases the budget of a response when it has been written or has failed. */
    private record BudgetReleasingCallback(Callback next, BodyBudget bodyBudget, long bytes, Scheduler.Task timeLimit)
            implements Callback {

        @Override
        public void succeeded() {
            timeLimit.cancel();
            bodyBudget.release(bytes);
            next.succeeded();
        }

        @Override
        public void failed(Throwable cause) {
            timeLimit.cancel();
            bodyBudget.release(bytes);
            next.failed(cause);
        }

        @Override
        public InvocationType getInvocationType() {
            return next.getInvocationType();
        }
    }

    private void answered(int status) {
        Route matched = route;
        if (matched != null) {
            common.listener().answered(matched, status, System.nanoTime() - began);
            common.audit()
                    .answered(
                            caller,
                            peer() == null ? Request.getRemoteAddr(request) : "socket",
                            matched,
                            request.getHttpURI().getPath(),
                            status,
                            !withoutChange,
                            detail);
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
