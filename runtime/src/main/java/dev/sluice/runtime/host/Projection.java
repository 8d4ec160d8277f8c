package dev.sluice.runtime.host;

import dev.sluice.runtime.journal.JournalEntry;
import java.util.List;

/**
 * Follows the events of an engine: a live feed, progress, results, statistics. Called on the host's thread; must not
 * block. Events are self-contained, so a projection never sees the state.
 *
 * <p>A projection that throws is a bug and ends the host ({@link HostListener#failed}), because it would be wrong from
 * then on. Its events are durable, so a restart loses nothing.
 */
@FunctionalInterface
public interface Projection {

    /**
     * Called when these entries are durable, in order and without gaps.
     *
     * @param first the sequence number of the first event
     * @param entries the entries; the list is only valid during the call and must not be modified
     */
    void committed(long first, List<JournalEntry> entries);
}
