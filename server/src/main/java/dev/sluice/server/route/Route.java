package dev.sluice.server.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the server does: how it is asked for, what it takes, what it answers, who may ask. The server, its documentation and the
 * checks of both are made from it.
 *
 * @param path from the root of the server, with {@code {name}} for parameters
 * @param name unique, such as {@code listNodes}
 * @param topic what it is about, such as {@code nodes}
 * @param role what the caller must be allowed to do
 * @param summary what it does, in a sentence
 * @param parameters of the path, the query and the headers
 * @param takes what is sent
 * @param answers what it answers if all is well, at least one
 * @param problems the kinds of problems it may answer with, besides those of every route
 * @param handler does it
 */
public record Route(
        Verb verb,
        String path,
        String name,
        String topic,
        Role role,
        String summary,
        List<Parameter> parameters,
        @Nullable Content takes,
        List<DocumentedResponse> answers,
        List<ProblemKind> problems,
        Handler handler) {

    /** Where the paths of routes begin, but for those that others expect elsewhere. */
    public static final String BASE = "/api/v1";

    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([a-z]+)}");

    /**
     * What is sent or answered.
     *
     * @param type the type of its value; null for a text whose structure is described elsewhere
     * @param list whether it is a list of such values
     * @param mediaTypes as what it may be sent, or is answered, the usual one first
     * @param description what it is
     */
    public record Content(@Nullable Class<?> type, boolean list, List<String> mediaTypes, String description) {

        /** Copies the list. */
        public Content {
            mediaTypes = List.copyOf(mediaTypes);
        }
    }

    /**
     * What a route answers if all is well.
     *
     * @param status the HTTP status
     * @param content what is answered, or null for nothing
     */
    public record DocumentedResponse(
            int status, String description, @Nullable Content content) {}

    /** Copies the lists. */
    public Route {
        parameters = List.copyOf(parameters);
        answers = List.copyOf(answers);
        problems = List.copyOf(problems);
        if (answers.isEmpty()) {
            throw new IllegalArgumentException("route " + name + " has no response");
        }
    }

    /** Begins a route that reads. */
    public static Builder get(String path) {
        return new Builder(Verb.GET, BASE + path);
    }

    /** Begins a route that reads, at a path that others expect it at. */
    public static Builder getAtRoot(String path) {
        return new Builder(Verb.GET, path);
    }

    /** Begins a route that does something. */
    public static Builder post(String path) {
        return new Builder(Verb.POST, BASE + path);
    }

    /** Begins a route that sets something. */
    public static Builder put(String path) {
        return new Builder(Verb.PUT, BASE + path);
    }

    /** Begins a route that takes something away. */
    public static Builder delete(String path) {
        return new Builder(Verb.DELETE, BASE + path);
    }

    /** A route that is being written down. */
    public static final class Builder {

        private static final String JSON = "application/json";

        private static final Map<String, String> PATH_DESCRIPTIONS = Map.of(
                "partition", "Partition name.",
                "application", "Application id.",
                "task", "Task id.",
                "node", "Node name.",
                "queue", "Queue path, such as root.sandbox.",
                "revision", "Revision number.");

        private final Verb verb;
        private final String path;
        private final List<Parameter> parameters = new ArrayList<>();
        private final List<DocumentedResponse> answers = new ArrayList<>();
        private final List<ProblemKind> problems = new ArrayList<>();
        private String name = "";
        private String topic = "";
        private String summary = "";
        private Role role = Role.ADMIN;
        private @Nullable Content takes;

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

        /** Its name and what it is about. */
        public Builder named(String newName, String newTopic) {
            name = newName;
            topic = newTopic;
            return this;
        }

        /** What the caller must be allowed to do. */
        public Builder role(Role newRole) {
            role = newRole;
            return this;
        }

        /** What it does. */
        public Builder summary(String newSummary) {
            summary = newSummary;
            return this;
        }

        /** A parameter of the query. */
        public Builder query(String parameter, Parameter.Type type, String description) {
            parameters.add(new Parameter(parameter, Parameter.Location.QUERY, type, description));
            return this;
        }

        /** A header that it looks at. */
        public Builder header(String parameter, String description) {
            parameters.add(new Parameter(parameter, Parameter.Location.HEADER, Parameter.Type.TEXT, description));
            return this;
        }

        /** It takes a value as JSON. */
        public Builder takes(Class<?> type, String description) {
            takes = new Content(type, false, List.of(JSON), description);
            return this;
        }

        /** It takes a document as JSON or YAML that is read with the places of everything in it. */
        public Builder takesDocument(@Nullable Class<?> type, String description) {
            takes = new Content(type, false, List.of(JSON, "application/yaml"), description);
            return this;
        }

        /** It answers a value as JSON. */
        public Builder answers(int status, Class<?> type, String description) {
            answers.add(
                    new DocumentedResponse(status, description, new Content(type, false, List.of(JSON), description)));
            return this;
        }

        /** It answers a list of values as JSON. */
        public Builder answersList(Class<?> type, String description) {
            answers.add(new DocumentedResponse(200, description, new Content(type, true, List.of(JSON), description)));
            return this;
        }

        /** It answers a text. */
        public Builder answersText(String description, String... mediaTypes) {
            answers.add(new DocumentedResponse(
                    200, description, new Content(null, false, List.of(mediaTypes), description)));
            return this;
        }

        /** It answers nothing. */
        public Builder answersNothing(String description) {
            answers.add(new DocumentedResponse(204, description, null));
            return this;
        }

        /** It may answer with problems of these kinds. */
        public Builder problems(ProblemKind... kinds) {
            problems.addAll(List.of(kinds));
            return this;
        }

        /** The route, done by this. */
        public Route by(Handler.Blocking handler) {
            return done(handler);
        }

        /** The route, done by this, which never waits. */
        public Route handledAsyncBy(Handler.Async handler) {
            return done(handler);
        }

        private Route done(Handler handler) {
            return new Route(verb, path, name, topic, role, summary, parameters, takes, answers, problems, handler);
        }
    }
}
