package dev.sluice.runtime.journal.codec;

import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.List;

/** The bytes of a batch. */
final class EncodedBatch {

    private EncodedBatch() {}

    /** All entries as one batch, however large. */
    static byte[] of(List<JournalEntry> entries, Instant at) {
        BatchEncoder encoder = new BatchEncoder();
        encoder.begin(at);
        for (JournalEntry entry : entries) {
            if (!encoder.add(entry.cause().action(), entry.cause().actor(), entry.events(), Integer.MAX_VALUE)) {
                throw new IllegalArgumentException("a batch cannot be so large");
            }
        }
        return encoder.end();
    }
}
