package dev.sluice.server.page;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that are the same for everybody: each is asked for once per version, and whoever asks meanwhile gets the same
 * one. Thread-safe.
 */
final class SharedAnswers {

    /** Maximum number of answers that are kept; anybody may ask for many different ones. */
    static final int ANSWERS_MAX = 200;

    private final LongSupplier versions;
    private final LongSupplier nanos;
    private final Duration ageMax;
    private final LongConsumer took;
    private final Map<String, Answer> answers = new LinkedHashMap<>();

    private record Answer(long version, long asked, CompletableFuture<Object> value) {}

    /**
     * @param versions returns the version that answers must have; does not decrease
     * @param nanos a monotonic clock
     * @param ageMax how old an answer of the same version may be
     * @param took receives how long each answer took, in nanoseconds
     */
    SharedAnswers(LongSupplier versions, LongSupplier nanos, Duration ageMax, LongConsumer took) {
        this.versions = versions;
        this.nanos = nanos;
        this.ageMax = ageMax;
        this.took = took;
    }

    /** Returns the answer with this key to the current version, or asks for it. */
    Object get(String key, Supplier<Object> question) {
        Answer mine = null;
        Answer answer;
        synchronized (answers) {
            long version = versions.getAsLong();
            long now = nanos.getAsLong();
            answers.values().removeIf(each -> each.value().isDone() && !isCurrent(each, version, now));
            answer = answers.get(key);
            if (answer == null || answer.version() < version) {
                mine = new Answer(version, now, new CompletableFuture<>());
                answer = mine;
                answers.put(key, mine);
                if (answers.size() > ANSWERS_MAX) {
                    removeFirst();
                }
            }
        }
        if (mine != null) {
            ask(key, mine, question);
        }
        try {
            return answer.value().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    private void removeFirst() {
        Iterator<Answer> first = answers.values().iterator();
        first.next();
        first.remove();
    }

    private boolean isCurrent(Answer answer, long version, long now) {
        return answer.version() >= version && now - answer.asked() <= ageMax.toNanos();
    }

    private void ask(String key, Answer mine, Supplier<Object> question) {
        try {
            mine.value().complete(question.get());
        } catch (RuntimeException | Error e) {
            synchronized (answers) {
                answers.remove(key, mine); // the next one asks again
            }
            mine.value().completeExceptionally(e);
        }
        took.accept(nanos.getAsLong() - mine.asked());
    }
}
