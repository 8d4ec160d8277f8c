package dev.sluice.benchmarks.journal;

import dev.sluice.benchmarks.rounds.CpuTime;
import dev.sluice.benchmarks.rounds.Machine;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.Journal;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.Replay;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import dev.sluice.runtime.journal.codec.StateReader;
import dev.sluice.runtime.journal.codec.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures writing and reading a journal without a disk: encoding, decoding, applying, a replay, which combines the
 * last two, and the checkpoint of the final state.
 */
public final class JournalBenchmark {

    private static final int EVENTS = 5_000_000;
    private static final int WARMUP = 2;
    private static final int ROUNDS = 10;

    private JournalBenchmark() {}

    /** Runs the benchmark and prints a table; the optional argument is the number of events (5,000,000). */
    public static void main(String[] arguments) throws StoreException {
        System.out.println(Machine.here());
        List<BusyJournal.Batch> made = BusyJournal.of(arguments.length > 0 ? Long.parseLong(arguments[0]) : EVENTS);
        InMemoryJournalStore store = new InMemoryJournalStore();
        write(made, store);
        List<Event> events = new ArrayList<>();
        BatchDecoder decoder = new BatchDecoder();
        for (StoredBatch batch : store.batches()) {
            for (JournalEntry entry : decoder.decode(batch)) {
                events.addAll(entry.events());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,d events in %,d batches, %.1f bytes each%n",
                events.size(),
                store.batches().size(),
                (double) store.bytes() / events.size());
        measure(
                "of processor time",
                CpuTime::ofThisThread,
                variant("encode", () -> write(made, new InMemoryJournalStore())),
                variant("decode", () -> decode(store)),
                variant("apply", () -> apply(events)));
        measure("of wall-clock time", System::nanoTime, variant("replay", () -> replay(store)));
        SchedulerState state = Replay.of(store, ReplayListener.NONE).scheduler().state();
        byte[] checkpoint = checkpoint(state);
        System.out.printf(
                Locale.ROOT,
                "the checkpoint of the state has %,d bytes and %,d applications%n",
                checkpoint.length,
                applications(state));
        measure(
                "(applications, not events) of processor time",
                CpuTime::ofThisThread,
                variant("write", () -> checkpoint(state).length > 0 ? applications(state) : 0),
                variant("read", () -> applications(restored(checkpoint))));
    }

    private static long applications(SchedulerState state) {
        return state.partitions().stream()
                .mapToLong(partition -> partition.applications().size())
                .sum();
    }

    private static byte[] checkpoint(SchedulerState state) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StateWriter writer = new StateWriter(out);
        state.writeTo(writer);
        writer.end();
        return out.toByteArray();
    }

    private static SchedulerState restored(byte[] checkpoint) {
        StateReader reader = new StateReader(new ByteArrayInputStream(checkpoint));
        SchedulerState state = Scheduler.fromCheckpoint(reader).state();
        reader.end();
        return state;
    }

    private static void measure(String clockName, LongSupplier clock, Variant... variants) {
        Rounds rounds = Rounds.measure(List.of(variants), WARMUP, ROUNDS, clock);
        for (int i = 0; i < variants.length; i++) {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %s million events per second %s, %s ns per event%n",
                    variants[i].name(),
                    rounds.perSecond(i).times(1e-6),
                    clockName,
                    rounds.nanos(i));
        }
    }

    /** An operation on the journal; returns the number of events. */
    @FunctionalInterface
    private interface Work {
        long run() throws StoreException;
    }

    private static Variant variant(String name, Work work) {
        Supplier<Variant.Work> setup = () -> {
            System.gc(); // excludes garbage of the other variants
            return () -> {
                try {
                    return work.run();
                } catch (StoreException e) {
                    throw new IllegalStateException(e);
                }
            };
        };
        return new Variant(name, setup);
    }

    private static long write(List<BusyJournal.Batch> batches, InMemoryJournalStore store) throws StoreException {
        Journal journal = new Journal(store);
        for (BusyJournal.Batch batch : batches) {
            journal.append(batch.entries(), List.of(), batch.at());
        }
        return journal.lastSequence();
    }

    private static long decode(InMemoryJournalStore store) throws StoreException {
        BatchDecoder decoder = new BatchDecoder();
        long events = 0;
        for (StoredBatch batch : store.batches()) {
            for (JournalEntry entry : decoder.decode(batch)) {
                events += entry.events().size();
            }
        }
        return events;
    }

    private static long apply(List<Event> events) {
        SchedulerState state = new SchedulerState();
        events.forEach(state::apply);
        return events.size();
    }

    private static long replay(InMemoryJournalStore store) throws StoreException {
        return Replay.of(store, ReplayListener.NONE).sequence();
    }
}
