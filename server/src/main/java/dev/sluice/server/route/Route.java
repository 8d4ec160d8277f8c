package dev.sluice.server.route;

import java.util.ArrayList;
import java.util.List;
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
        List<Outcome> answers,
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
    public record Outcome(
            int status, String description, @Nullable Content content) {}

    /** Copies the lists. */
    public Route {
        parameters = List.copyOf(parameters);
        answers = List.copyOf(answers);
        problems = List.copyOf(problems);
        if (answers.isEmpty()) {
            throw new IllegalArgumentException(name + " answers nothing");
        }
    }

    /** Begins a route that reads. */
    public static Draft get(String path) {
        return new Draft(Verb.GET, BASE + path);
    }

    /** Begins a route that reads, at a path that others expect it at. */
    public static Draft getAtRoot(String path) {
        return new Draft(Verb.GET, path);
    }

    /** Begins a route that does something. */
    public static Draft post(String path) {
        return new Draft(Verb.POST, BASE + path);
    }

    /** Begins a route that sets something. */
    public static Draft put(String path) {
        return new Draft(Verb.PUT, BASE + path);
    }

    /** Begins a route that takes something away. */
    public static Draft delete(String path) {
        return new Draft(Verb.DELETE, BASE + path);
    }

    /** A route that is being written down. */
    public static final class Draft {

        private static final String JSON = "application/json";

        private final Verb verb;
        private final String path;
        private final List<Parameter> parameters = new ArrayList<>();
        private final List<Outcome> answers = new ArrayList<>();
        private final List<ProblemKind> problems = new ArrayList<>();
        private String name = "";
        private String topic = "";
        private String summary = "";
        private Role role = Role.ADMIN;
        private @Nullable Content takes;

        private Draft(Verb verb, String path) {
            this.verb = verb;
            this.path = path;
            Matcher matcher = PATH_PARAMETER.matcher(path);
            while (matcher.find()) {
                String parameter = matcher.group(1);
                parameters.add(new Parameter(
                        parameter, Parameter.Place.PATH, Parameter.Type.TEXT, "Which " + parameter + "."));
            }
        }

        /** Its name and what it is about. */
        public Draft named(String newName, String newTopic) {
            name = newName;
            topic = newTopic;
            return this;
        }

        /** What the caller must be allowed to do. */
        public Draft role(Role newRole) {
            role = newRole;
            return this;
        }

        /** What it does. */
        public Draft summary(String newSummary) {
            summary = newSummary;
            return this;
        }

        /** A parameter of the query. */
        public Draft query(String parameter, Parameter.Type type, String description) {
            parameters.add(new Parameter(parameter, Parameter.Place.QUERY, type, description));
            return this;
        }

        /** A header that it looks at. */
        public Draft header(String parameter, String description) {
            parameters.add(new Parameter(parameter, Parameter.Place.HEADER, Parameter.Type.TEXT, description));
            return this;
        }

        /** It takes a value as JSON. */
        public Draft takes(Class<?> type, String description) {
            takes = new Content(type, false, List.of(JSON), description);
            return this;
        }

        /** It takes a document as JSON or YAML that is read with the places of everything in it. */
        public Draft takesDocument(@Nullable Class<?> type, String description) {
            takes = new Content(type, false, List.of(JSON, "application/yaml"), description);
            return this;
        }

        /** It answers a value as JSON. */
        public Draft answers(int status, Class<?> type, String description) {
            answers.add(new Outcome(status, description, new Content(type, false, List.of(JSON), description)));
            return this;
        }

        /** It answers a list of values as JSON. */
        public Draft answersList(Class<?> type, String description) {
            answers.add(new Outcome(200, description, new Content(type, true, List.of(JSON), description)));
            return this;
        }

        /** It answers a text. */
        public Draft answersText(String description, String... mediaTypes) {
            answers.add(new Outcome(200, description, new Content(null, false, List.of(mediaTypes), description)));
            return this;
        }

        /** It answers nothing. */
        public Draft answersNothing(String description) {
            answers.add(new Outcome(204, description, null));
            return this;
        }

        /** It may answer with problems of these kinds. */
        public Draft problems(ProblemKind... kinds) {
            problems.addAll(List.of(kinds));
            return this;
        }

        /** The route, done by this. */
        public Route by(Handler.Waiting handler) {
            return done(handler);
        }

        /** The route, done by this, which never waits. */
        public Route promptlyBy(Handler.Prompt handler) {
            return done(handler);
        }

        private Route done(Handler handler) {
            return new Route(verb, path, name, topic, role, summary, parameters, takes, answers, problems, handler);
        }
    }
}
