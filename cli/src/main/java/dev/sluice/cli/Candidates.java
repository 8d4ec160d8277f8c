package dev.sluice.cli;

import dev.sluice.cli.client.ServerOptions;
import java.util.Iterator;
import java.util.List;

/**
 * Completion candidates that are looked up when the user presses Tab. Each is a marker that the completion script
 * replaces by the output of {@code sluice complete}, see {@link CompletionCommand}.
 */
final class Candidates {

    /** First character of a marker; the rest is the argument of {@code sluice complete}. */
    static final String MARKER = ServerOptions.CANDIDATES_MARKER;

    static final String APPLICATIONS = "applications";
    static final String ACTIVE_APPLICATIONS = "active-applications";
    static final String QUEUES = "queues";
    static final String NODES = "nodes";
    static final String CONTEXTS = "contexts";
    static final String PARTITIONS = "partitions";

    private Candidates() {}

    private static Iterator<String> marker(String kind) {
        return List.of(MARKER + kind).iterator();
    }

    static final class Applications implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return marker(APPLICATIONS);
        }
    }

    static final class ActiveApplications implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return marker(ACTIVE_APPLICATIONS);
        }
    }

    static final class Queues implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return marker(QUEUES);
        }
    }

    static final class Nodes implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return marker(NODES);
        }
    }
}
