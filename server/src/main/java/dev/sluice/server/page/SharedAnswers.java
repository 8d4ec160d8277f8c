package dev.sluice.server.page;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Answers that are the same for everybody, for a moment: whoever asks meanwhile gets the same one. Thread-safe. */
final class SharedAnswers {

    private final LongSupplier nanos;
    private final Duration ageMax;
    private final Map<String, Answer> answers = new HashMap<>();

    private record Answer(long asked, CompletableFuture<Object> value) {}

    /**
     * @param nanos a monotonic clock
     * @param ageMax how old an answer may be
     */
    SharedAnswers(LongSupplier nanos, Duration ageMax) {
        this.nanos = nanos;
        this.ageMax = ageMax;
    }

    /** Returns the recent answer with this key, or asks for it. */
    Object get(String key, Supplier<Object> question) {
        Answer mine = null;
        Answer answer;
        synchronized (answers) {
            long now = nanos.getAsLong();
            answers.values()
                    .removeIf(each -> now - each.asked() > ageMax.toNanos()
                            && each.value().isDone());
            answer = answers.get(key);
            if (answer == null) {
                mine = new Answer(now, new CompletableFuture<>());
                answer = mine;
                answers.put(key, mine);
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

    private void ask(String key, Answer mine, Supplier<Object> question) {
        try {
            mine.value().complete(question.get());
        } catch (RuntimeException | Error e) {
            synchronized (answers) {
                answers.remove(key, mine); // the next one asks again
            }
            mine.value().completeExceptionally(e);
        }
    }
}
