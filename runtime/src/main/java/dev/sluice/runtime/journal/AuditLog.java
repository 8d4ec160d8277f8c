package dev.sluice.runtime.journal;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who changed what, and who was refused. Kept beside the journal, as long as the history. Thread-safe. */
public interface AuditLog {

    /** A log without entries that keeps none. */
    AuditLog NONE = new AuditLog() {
        @Override
        public void append(List<AuditEntry> entries) {}

        @Override
        public List<AuditEntry> find(AuditQuery query) {
            return List.of();
        }
    };

    /**
     * A request that changed something, or was refused.
     *
     * @param sequence a unique number, ascending with time
     * @param at when it was answered
     * @param user who sent it; empty if unknown
     * @param source how the server knows the user, such as {@code token}
     * @param address the address it came from; empty if unknown
     * @param route the operation, such as {@code cancelApplication}
     * @param target the path that names what it was for
     * @param status the HTTP status of the answer
     * @param detail the applications submitted, or why it was refused; may be empty
     */
    record AuditEntry(
            long sequence,
            Instant at,
            String user,
            String source,
            String address,
            String route,
            String target,
            int status,
            String detail) {}

    /**
     * Selects entries, newest first.
     *
     * @param user only entries of this user, or null
     * @param from only entries at this instant or later, or null
     * @param to only entries before this instant, or null
     * @param before only smaller sequence numbers; {@link Long#MAX_VALUE} for the first page
     * @param limit the maximum number of results
     */
    record AuditQuery(
            @Nullable String user,
            @Nullable Instant from,
            @Nullable Instant to,
            long before,
            int limit) {

        /** Returns whether it selects an entry. */
        public boolean matches(AuditEntry entry) {
            return (user == null || user.equals(entry.user()))
                    && (from == null || !entry.at().isBefore(from))
                    && (to == null || entry.at().isBefore(to))
                    && entry.sequence() < before;
        }
    }

    /** Writes entries durably; an entry with a known sequence number is ignored. */
    void append(List<AuditEntry> entries) throws StoreException;

    /** Returns the entries that match. */
    List<AuditEntry> find(AuditQuery query) throws StoreException;
}
