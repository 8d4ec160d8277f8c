package dev.sluice.server.page;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that are the same for everybody: each is asked for once per version, and whoever asks meanwhile gets the same
 * one. An answer that is a little too old is returned once more while the next one is asked for in the background.
 * Thread-safe.
 */
final class SharedAnswers {

    /** Maximum number of answers that are kept; anybody may ask for many different ones. */
    static final int ANSWERS_MAX = 200;

    private final LongSupplier versions;
    private final LongSupplier nanos;
    private final Duration ageMax;
    private final Duration staleMax;
    private final Executor background;
    private final LongConsumer took;
    private final Map<String, Answer> answers = new LinkedHashMap<>();
    private final Set<String> renewed = new HashSet<>();

    private record Answer(long version, long asked, CompletableFuture<Object> value) {}

    /**
     * @param versions returns the version that answers must have; does not decrease
     * @param nanos a monotonic clock
     * @param ageMax how old an answer of the same version may be
     * @param staleMax how old it may be while the next one is asked for in the background; at least {@code ageMax}
     * @param background asks for these
     * @param took receives how long each answer took, in nanoseconds
     */
    SharedAnswers(
            LongSupplier versions,
            LongSupplier nanos,
            Duration ageMax,
            Duration staleMax,
            Executor background,
            LongConsumer took) {
        this.versions = versions;
        this.nanos = nanos;
        this.ageMax = ageMax;
        this.staleMax = staleMax;
        this.background = background;
        this.took = took;
    }

    /** Returns the answer with this key to the current version, or asks for it. */
    Object get(String key, Supplier<Object> question) {
        Answer mine = null;
        boolean renew = false;
        Answer answer;
        synchronized (answers) {
            long version = versions.getAsLong();
            long now = nanos.getAsLong();
            answers.values().removeIf(each -> each.value().isDone() && !isUsable(each, version, now));
            answer = answers.get(key);
            if (answer == null || answer.version() < version) {
                mine = new Answer(version, now, new CompletableFuture<>());
                answer = mine;
                keep(key, mine);
            } else if (answer.value().isDone() && now - answer.asked() > ageMax.toNanos()) {
                renew = renewed.add(key);
            }
        }
        if (mine != null) {
            ask(key, mine, question);
        }
        if (renew) {
            background.execute(() -> renew(key, question));
        }
        try {
            return answer.value().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    /** Replaces an answer. If that fails, the old one remains until it is too old, and then readers get the failure. */
    private void renew(String key, Supplier<Object> question) {
        Answer next = new Answer(versions.getAsLong(), nanos.getAsLong(), new CompletableFuture<>());
        ask(key, next, question);
        synchronized (answers) {
            renewed.remove(key);
            if (!next.value().isCompletedExceptionally()) {
                keep(key, next);
            }
        }
    }

    private void keep(String key, Answer answer) {
        answers.put(key, answer);
        if (answers.size() > ANSWERS_MAX) {
            removeFirst();
        }
    }

    private void removeFirst() {
        Iterator<Answer> first = answers.values().iterator();
        first.next();
        first.remove();
    }

    private boolean isUsable(Answer answer, long version, long now) {
        return answer.version() >= version && now - answer.asked() <= staleMax.toNanos();
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
