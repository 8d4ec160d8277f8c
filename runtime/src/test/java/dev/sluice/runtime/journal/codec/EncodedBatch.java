package dev.sluice.runtime.journal.codec;

import dev.sluice.runtime.journal.JournalEntry;
import java.time.Instant;
import java.util.List;

final class EncodedBatch {

    private EncodedBatch() {}

    /** Encodes all entries as one batch of any size. */
    static byte[] of(List<JournalEntry> entries, Instant at) {
        BatchEncoder encoder = new BatchEncoder();
        encoder.begin(at);
        for (JournalEntry entry : entries) {
            if (!encoder.add(entry.cause().action(), entry.cause().actor(), entry.events(), Integer.MAX_VALUE)) {
                throw new IllegalArgumentException("entries do not fit into one batch");
            }
        }
        return encoder.end();
    }
}
