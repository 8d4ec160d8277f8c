package dev.sluice.server.page;

import dev.sluice.server.api.QueueView;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lists of queues in sentences. */
final class Siblings {

    /** Maximum number of queues that are named. */
    static final int NAMED_MAX = 5;

    private Siblings() {}

    /** Returns the words for the first queues, with commas between, and the number of the others. */
    static String list(List<QueueView> queues, Function<QueueView, String> words) {
        String named = queues.stream().limit(NAMED_MAX).map(words).collect(Collectors.joining(", "));
        return queues.size() <= NAMED_MAX
                ? named
                : named + " and " + Figures.count(queues.size() - NAMED_MAX) + " more";
    }
}
