package dev.sluice.server.route;

import dev.sluice.config.reference.FileFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An operation of the API with its documentation. The server, OpenAPI and the contract tests are derived from it.
 *
 * @param path the absolute path, with {@code {name}} for parameters
 * @param name the unique operation id, such as {@code listNodes}
 * @param topic the OpenAPI tag, such as {@code nodes}
 * @param action what a caller does, as refusals say it, such as {@code reading logs of an application}
 * @param role the required role
 * @param ownership the applications that it may be called for
 * @param submits whether the caller must be allowed to submit to the queue of the application, or to the one named
 * @param summary a sentence that describes the operation
 * @param parameters path, query and header parameters
 * @param body the request body, or null
 * @param responses the success responses, at least one
 * @param problems problem types in addition to those of every route
 * @param problemPage answers problems of a page for people; null for routes of the API
 * @param handler handles the calls
 */
public record Route(
        Verb verb,
        String path,
        String name,
        String topic,
        String action,
        Role role,
        Ownership ownership,
        boolean submits,
        String summary,
        List<Parameter> parameters,
        @Nullable Content body,
        List<DocumentedResponse> responses,
        List<ProblemKind> problems,
        @Nullable ProblemPage problemPage,
        Handler handler) {

    /** The path prefix of routes, except those at the root. */
    public static final String BASE = "/api/v1";

    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([a-z]+)}");

    /**
     * A request or response body.
     *
     * @param type the type of the value; null for text or for a document
     * @param format the format of a document that is described by its keys, or null
     * @param list whether it is a list of such values
     * @param mediaTypes the media types, the default first
     * @param description its meaning
     */
    public record Content(
            @Nullable Class<?> type,
            @Nullable FileFormat format,
            boolean list,
            List<String> mediaTypes,
            String description) {

        public Content {
            mediaTypes = List.copyOf(mediaTypes);
        }
    }

    /**
     * A success response.
     *
     * @param status the HTTP status code
     * @param content the body, or null for no content
     */
    public record DocumentedResponse(
            int status, String description, @Nullable Content content) {}

    public Route {
        parameters = List.copyOf(parameters);
        responses = List.copyOf(responses);
        problems = List.copyOf(problems);
        if (responses.isEmpty()) {
            throw new IllegalArgumentException("route " + name + " has no response");
        }
    }

    /** Returns whether the route is part of the page, which people open in a browser. */
    public boolean isPage() {
        return problemPage != null;
    }

    /** Throws a problem unless the role of a caller includes the one that the route requires. */
    public void requireRole(Caller caller) {
        if (caller.role().includes(role)) {
            return;
        }
        String required = action + " requires the role " + role.wireName();
        throw caller.source() == Caller.Source.NONE
                ? ProblemException.of(ProblemKind.UNAUTHENTICATED, required + ", and the request has no credentials")
                : ProblemException.of(
                        ProblemKind.FORBIDDEN,
                        required + ", but user " + caller.user() + " has the role "
                                + caller.role().wireName());
    }

    /** Returns the action on one application, as refusals say it. */
    public String action(String application) {
        return action.replace("an application", "application " + application);
    }

    /** Starts a GET route. */
    public static Builder get(String path) {
        return new Builder(Verb.GET, BASE + path);
    }

    /** Starts a GET route outside {@link #BASE}. */
    public static Builder getAtRoot(String path) {
        return new Builder(Verb.GET, path);
    }

    /** Starts a POST route outside {@link #BASE}. */
    public static Builder postAtRoot(String path) {
        return new Builder(Verb.POST, path);
    }

    /** Starts a POST route. */
    public static Builder post(String path) {
        return new Builder(Verb.POST, BASE + path);
    }

    /** Starts a PUT route. */
    public static Builder put(String path) {
        return new Builder(Verb.PUT, BASE + path);
    }

    /** Starts a PATCH route. */
    public static Builder patch(String path) {
        return new Builder(Verb.PATCH, BASE + path);
    }

    /** Starts a DELETE route. */
    public static Builder delete(String path) {
        return new Builder(Verb.DELETE, BASE + path);
    }

    /** Builds a route. */
    public static final class Builder {

        private static final String JSON = "application/json";
        private static final String FORM = "application/x-www-form-urlencoded";

        private static final Map<String, String> PATH_DESCRIPTIONS = Map.of(
                "partition", "Partition name.",
                "application", "Application id.",
                "task", "Task id.",
                "node", "Node name.",
                "queue", "Queue path, such as root.sandbox.",
                "revision", "Revision number.",
                "token", "Id of an access token.",
                "state", "State: active, completed or rejected.",
                "user", "User name.",
                "group", "Group name.");

        private final Verb verb;
        private final String path;
        private final List<Parameter> parameters = new ArrayList<>();
        private final List<DocumentedResponse> responses = new ArrayList<>();
        private final List<ProblemKind> problems = new ArrayList<>();
        private String name = "";
        private String topic = "";
        private String action = "this request";
        private String summary = "";
        private Role role = Role.ADMIN;
        private Ownership ownership = Ownership.ANY;
        private boolean submits;
        private @Nullable Content body;
        private @Nullable ProblemPage problemPage;

        private Builder(Verb verb, String path) {
            this.verb = verb;
            this.path = path;
            Matcher matcher = PATH_PARAMETER.matcher(path);
            while (matcher.find()) {
                String parameter = matcher.group(1);
                parameters.add(new Parameter(
                        parameter,
                        Parameter.Location.PATH,
                        Parameter.Type.TEXT,
                        PATH_DESCRIPTIONS.getOrDefault(parameter, "Path parameter " + parameter + ".")));
            }
        }

        /** Sets the operation id and the OpenAPI tag. */
        public Builder named(String newName, String newTopic) {
            name = newName;
            topic = newTopic;
            return this;
        }

        /** Sets what a caller does, such as {@code reading logs of an application}. */
        public Builder action(String newAction) {
            action = newAction;
            return this;
        }

        /** Sets the required role. */
        public Builder role(Role newRole) {
            role = newRole;
            return this;
        }

        /** Sets the applications that it may be called for; defaults to all. */
        public Builder ownership(Ownership newOwnership) {
            ownership = newOwnership;
            return this;
        }

        /** Requires that the caller may submit to the queue of the application, or to the one named. */
        public Builder submits() {
            submits = true;
            return this;
        }

        /** Sets the summary. */
        public Builder summary(String newSummary) {
            summary = newSummary;
            return this;
        }

        /** Adds a query parameter. */
        public Builder query(String parameter, Parameter.Type type, String description) {
            parameters.add(new Parameter(parameter, Parameter.Location.QUERY, type, description));
            return this;
        }

        /** Adds a header parameter. */
        public Builder header(String parameter, String description) {
            parameters.add(new Parameter(parameter, Parameter.Location.HEADER, Parameter.Type.TEXT, description));
            return this;
        }

        /** Sets a JSON request body. */
        public Builder jsonBody(Class<?> type, String description) {
            body = new Content(type, null, false, List.of(JSON), description);
            return this;
        }

        /** Sets a JSON or YAML request body whose parser reports the location of every error. */
        public Builder documentBody(@Nullable FileFormat format, String description) {
            body = new Content(null, format, false, List.of(JSON, "application/yaml"), description);
            return this;
        }

        /** Sets a request body that a form of a page sends. */
        public Builder formBody(String description) {
            body = new Content(null, null, false, List.of(FORM), description);
            return this;
        }

        /** Makes the route part of the page. */
        public Builder page(ProblemPage newProblemPage) {
            problemPage = newProblemPage;
            return this;
        }

        /** Adds a JSON response. */
        public Builder response(int status, Class<?> type, String description) {
            responses.add(new DocumentedResponse(
                    status, description, new Content(type, null, false, List.of(JSON), description)));
            return this;
        }

        /** Adds a response with a JSON list. */
        public Builder listResponse(Class<?> type, String description) {
            responses.add(new DocumentedResponse(
                    200, description, new Content(type, null, true, List.of(JSON), description)));
            return this;
        }

        /** Adds a text response. */
        public Builder textResponse(String description, String... mediaTypes) {
            responses.add(new DocumentedResponse(
                    200, description, new Content(null, null, false, List.of(mediaTypes), description)));
            return this;
        }

        /** Adds a response without content. */
        public Builder emptyResponse(String description) {
            responses.add(new DocumentedResponse(204, description, null));
            return this;
        }

        /** Adds problem types. */
        public Builder problems(ProblemKind... kinds) {
            problems.addAll(List.of(kinds));
            return this;
        }

        /** Builds the route with a handler that may block. */
        public Route handledBy(Handler.Blocking handler) {
            return done(handler);
        }

        /** Builds the route with a handler that never blocks. */
        public Route handledAsyncBy(Handler.Async handler) {
            return done(handler);
        }

        private Route done(Handler handler) {
            return new Route(
                    verb,
                    path,
                    name,
                    topic,
                    action,
                    role,
                    ownership,
                    submits,
                    summary,
                    parameters,
                    body,
                    responses,
                    problems,
                    problemPage,
                    handler);
        }
    }
}
