package dev.sluice.runtime.testing;

import dev.sluice.runtime.journal.AuditLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** An audit log in memory. */
final class MemoryAudit implements AuditLog {

    private final List<AuditEntry> entries = new ArrayList<>();

    @Override
    public synchronized void append(List<AuditEntry> added) {
        entries.addAll(added);
    }

    @Override
    public synchronized List<AuditEntry> find(AuditQuery query) {
        return entries.stream()
                .filter(query::matches)
                .sorted(Comparator.comparing(AuditEntry::sequence).reversed())
                .limit(query.limit())
                .toList();
    }
}
