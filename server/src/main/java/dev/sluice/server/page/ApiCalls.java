package dev.sluice.server.page;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Handler;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls routes of the API in the name of whoever opened a page, with the same checks and answers as over HTTP. Answers
 * that everybody sees alike are read once per version of the state, so many open pages cost the scheduler little.
 */
final class ApiCalls {

    private final Map<String, Route> routes = new HashMap<>();
    private final JsonMapper json;
    private final SharedAnswers shared;
    private final SharedAnswers recent;

    /**
     * @param shared keeps answers until the next version of the state
     * @param recent keeps answers that cost more for some time
     */
    ApiCalls(List<Route> routes, JsonMapper json, SharedAnswers shared, SharedAnswers recent) {
        for (Route route : routes) {
            this.routes.put(route.name(), route);
        }
        this.json = json;
        this.shared = shared;
        this.recent = recent;
    }

    /** Returns a route by its name. */
    Route route(String name) {
        Route route = routes.get(name);
        if (route == null) {
            throw new IllegalArgumentException("unknown route " + name);
        }
        return route;
    }

    /** Returns whether the role of a caller permits a route. */
    boolean permits(Call page, String name) {
        return page.caller().role().includes(route(name).role());
    }

    /**
     * Returns the answer of a route that reads.
     *
     * @param parameters path and query parameters
     */
    <T> T get(Call page, String name, Class<T> type, Map<String, String> parameters) {
        return cast(call(page, route(name), parameters, ""), type);
    }

    /** Returns the list that a route answers, as of the current version of the state. */
    <T> List<T> list(Call page, String name, Class<T> type, Map<String, String> parameters) {
        List<?> answer = shared(page, name, List.class, parameters);
        return answer.stream().map(type::cast).toList();
    }

    /** Returns the answer of a route that answers everybody alike, as of the current version of the state. */
    <T> T shared(Call page, String name, Class<T> type, Map<String, String> parameters) {
        return kept(shared, name + new TreeMap<>(parameters), page, name, type, parameters);
    }

    /** Returns the answer of a route that answers everybody alike, which may be as old as {@link Page#STALE}. */
    <T> T recent(Call page, String name, Class<T> type, Map<String, String> parameters) {
        return recent(name + new TreeMap<>(parameters), page, name, type, parameters);
    }

    /**
     * Does so with a key of the answer instead of the parameters, some of which depend on the time: an answer to
     * earlier ones may be returned.
     */
    <T> T recent(String key, Call page, String name, Class<T> type, Map<String, String> parameters) {
        return kept(recent, key, page, name, type, parameters);
    }

    private <T> T kept(
            SharedAnswers answers, String key, Call page, String name, Class<T> type, Map<String, String> parameters) {
        Route route = route(name);
        if (route.role() != Role.VIEWER || route.ownership() != Ownership.ANY) {
            throw new IllegalArgumentException("the answer of " + name + " depends on the caller");
        }
        route.requireRole(page.caller());
        Call call = new ApiCall(page, route, parameters, "", json);
        return cast(answers.get(key, () -> answer(call)), type);
    }

    /** Returns a document for {@link #send}. */
    String json(Object document) {
        return json.writeValueAsString(document);
    }

    /** Calls a route that changes something. */
    void change(Call page, String name, Map<String, String> parameters, Object body) {
        call(page, route(name), parameters, json(body));
    }

    /** Returns the answer of a route to a document. */
    <T> T send(Call page, String name, Class<T> type, Map<String, String> parameters, String body) {
        return cast(call(page, route(name), parameters, body), type);
    }

    /** Returns the text that a route streams; throws a problem if it is larger than a number of bytes. */
    String text(Call page, String name, Map<String, String> parameters, int bytesMax) {
        if (!(call(page, route(name), parameters, "") instanceof ApiResponse.StreamBody stream)) {
            throw new IllegalArgumentException(name + " streams nothing");
        }
        try (stream;
                LimitedOutput out = new LimitedOutput(bytesMax)) {
            stream.write(out);
            return out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.of(ProblemKind.UNAVAILABLE, "the server is shutting down");
        }
    }

    /** Ends with a problem if too much is written. */
    private static final class LimitedOutput extends ByteArrayOutputStream {

        private final int bytesMax;

        LimitedOutput(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            if (count + length > bytesMax) {
                throw ProblemException.of(
                        ProblemKind.TOO_MUCH, "more than " + (bytesMax >> 20) + " MiB: choose a shorter period");
            }
            super.write(bytes, from, length);
        }
    }

    private <T> T cast(Object answer, Class<T> type) {
        if (answer instanceof ApiResponse.StreamBody stream) {
            return json.readValue(written(stream), type);
        }
        return answer instanceof ApiResponse.TextBody text ? json.readValue(text.content(), type) : type.cast(answer);
    }

    private static byte[] written(ApiResponse.StreamBody stream) {
        try (stream) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            stream.write(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.of(ProblemKind.UNAVAILABLE, "the server is shutting down");
        }
    }

    private Object call(Call page, Route route, Map<String, String> parameters, String body) {
        route.requireRole(page.caller());
        return answer(new ApiCall(page, route, parameters, body, json));
    }

    private static Object answer(Call call) {
        ApiResponse answer;
        if (call.route().handler() instanceof Handler.Blocking blocking) {
            answer = blocking.handle(call);
        } else {
            try {
                answer = ((Handler.Async) call.route().handler())
                        .handle(call)
                        .toCompletableFuture()
                        .join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof ProblemException problem ? problem : e;
            }
        }
        Object content = answer.body();
        return content == null ? "" : content;
    }
}
