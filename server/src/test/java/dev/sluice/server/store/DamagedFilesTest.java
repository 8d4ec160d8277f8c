package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flipped bits in the database and its write-ahead log: acknowledged events are complete, or their loss is reported.
 */
@Timeout(1800)
final class DamagedFilesTest {

    private static final String LOG = "sluice.db-wal";

    @TempDir
    Path folder;

    private long acknowledged;
    private final List<String> notices = new ArrayList<>();
    private final StoreOptions options = new StoreOptions(false, notices::add);

    /**
     * Creates a database as left by a killed program: one part of the journal in it, another in its write-ahead log.
     */
    @BeforeEach
    void makeOriginal() throws Exception {
        Path live = folder.resolve("live");
        Stores.open(live, options).close();
        try (JournalStore store = Stores.open(live, options)) {
            Batches.append(store, 150);
            store.keepCheckpoint(store.lastSequence(), Batches.START, out -> out.write(new byte[10_000]));
        }
        try (JournalStore store = Stores.open(live, options)) {
            acknowledged = Batches.append(store, 60);
            copy(live, folder.resolve("original"));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> old = Files.list(to)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        for (String name : List.of("sluice.db", LOG, "acknowledged")) {
            Files.write(to.resolve(name), Files.readAllBytes(from.resolve(name)));
        }
    }

    @Test
    void database_ofKilledProgram_isComplete() throws Exception {
        assertThat(outcome(0)).isEqualTo("whole");
        assertThat(notices).isEmpty();
    }

    @Test
    @Tag("slow")
    void bits_flippedInDatabase_areDetected() throws Exception {
        sweep("sluice.db", 40);
    }

    @Test
    void bits_flippedInLog_areDetected() throws Exception {
        sweep(LOG, 40);
    }

    @Test
    @Tag("slow")
    void hundredsOfBits_flipped_areDetected() throws Exception {
        sweep("sluice.db", 300);
        sweep(LOG, 300);
    }

    @Test
    @Tag("long")
    void manyBits_flipped_areDetected() throws Exception {
        sweep("sluice.db", 10_000);
        sweep(LOG, 10_000);
    }

    private void sweep(String name, int times) throws Exception {
        byte[] whole = Files.readAllBytes(folder.resolve("original").resolve(name));
        int told = 0;
        for (int i = 0; i < times; i++) {
            Random random = new Random(i);
            byte[] damaged = whole.clone();
            int offset = (int) ((long) whole.length * i / times) + random.nextInt(Math.max(1, whole.length / times));
            damaged[Math.min(offset, whole.length - 1)] ^= (byte) (1 << random.nextInt(8));
            if (!outcomeWith(name, damaged, i).equals("whole")) {
                told++;
            }
        }
        assertThat(told).as("this does damage").isGreaterThan(times / 20);
    }

    @Test
    void log_truncated_isDetected() throws Exception {
        byte[] whole = Files.readAllBytes(folder.resolve("original").resolve(LOG));
        for (int part = 0; part < 20; part++) {
            assertThat(outcomeWith(LOG, Arrays.copyOf(whole, whole.length / 20 * part), part))
                    .isNotEqualTo("whole");
        }
    }

    @Test
    void log_damagedInMiddle_isCopiedAndReported() throws Exception {
        byte[] damaged = Files.readAllBytes(folder.resolve("original").resolve(LOG));
        damaged[damaged.length / 2] ^= 1;
        assertThat(outcomeWith(LOG, damaged, 0)).contains("have been acknowledged");
        assertThat(notices)
                .hasSize(1)
                .first()
                .asString()
                .contains("is damaged after")
                .contains("A copy is kept");
        try (Stream<Path> files = Files.list(folder.resolve("trial"))) {
            Path copy = files.filter(file -> file.getFileName().toString().startsWith(LOG + "-damaged"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllBytes(copy)).isEqualTo(damaged);
        }
    }

    /** A machine that loses power may keep an old version of the file, because it is not synced. */
    @Test
    void log_damagedAfterStaleAcknowledgedFile_isReported() throws Exception {
        byte[] damaged = Files.readAllBytes(folder.resolve("original").resolve(LOG));
        damaged[damaged.length / 2] ^= 1;
        Path trial = folder.resolve("trial");
        copy(folder.resolve("original"), trial);
        Files.write(trial.resolve(LOG), damaged);
        Files.delete(trial.resolve("acknowledged"));
        try (JournalStore store = Stores.open(trial, options)) {
            assertThat(store.lastSequence()).isLessThan(acknowledged);
        }
        assertThat(notices).hasSize(1).first().asString().contains("is damaged after", "A copy is kept");
    }

    @Test
    void log_withIncompleteTransaction_isReported() throws Exception {
        byte[] whole = Files.readAllBytes(folder.resolve("original").resolve(LOG));
        byte[] longer = Arrays.copyOf(whole, whole.length + 24 + 4096);
        System.arraycopy(whole, 32, longer, whole.length, 24);
        Arrays.fill(longer, whole.length + 4, whole.length + 8, (byte) 0);
        assertThat(outcomeWith(LOG, longer, 0)).isEqualTo("whole");
        assertThat(notices).hasSize(1).first().asString().contains("rolled back");
    }

    private String outcomeWith(String name, byte[] content, int seed) throws Exception {
        Path trial = folder.resolve("trial");
        copy(folder.resolve("original"), trial);
        Files.write(trial.resolve(name), content);
        return outcome(trial, seed);
    }

    private String outcome(int seed) throws Exception {
        copy(folder.resolve("original"), folder.resolve("trial"));
        return outcome(folder.resolve("trial"), seed);
    }

    /** Opens the store and reads everything; returns the reported loss, or that everything is there. */
    private String outcome(Path trial, int seed) {
        List<StoredBatch> batches = new ArrayList<>();
        try (JournalStore store = Stores.open(trial, options)) {
            store.read(0, batch -> {
                Batches.check(batch);
                return batches.add(batch);
            });
        } catch (StoreException e) {
            assertThat(e.kind())
                    .as("seed %d: %s", seed, e.getMessage())
                    .isIn(StoreException.Kind.DAMAGED, StoreException.Kind.UNUSABLE, StoreException.Kind.UNAVAILABLE);
            return String.valueOf(e.getMessage());
        }
        long next = 1;
        for (StoredBatch batch : batches) {
            assertThat(batch.first()).as("seed %d", seed).isEqualTo(next);
            next = batch.last() + 1;
        }
        assertThat(next - 1).as("seed %d: nothing is missing", seed).isEqualTo(acknowledged);
        return "whole";
    }
}
