package dev.sluice.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReserveTest {

    private static final long BYTES = (1 << 20) + 5;

    @TempDir
    private Path data;

    private Reserve reserve;

    @BeforeEach
    void make() {
        reserve = new Reserve(data, BYTES);
    }

    @AfterEach
    void close() {
        reserve.close();
    }

    @Test
    void reserve_created_hasItsSize() throws Exception {
        reserve.ensureExists();

        assertThat(data.resolve("reserve")).hasSize(BYTES);
        assertThat(reserve.problem()).isNull();
    }

    @Test
    void reserve_released_isProblemUntilRecreated() {
        reserve.ensureExists();

        assertThat(reserve.release()).isTrue();

        assertThat(data.resolve("reserve")).doesNotExist();
        assertThat(reserve.problem()).contains("the disk of " + data + " is full");
        assertThat(reserve.release()).as("a second time").isFalse();
        reserve.ensureExists();
        assertThat(Files.exists(data.resolve("reserve"))).isTrue();
        assertThat(reserve.problem()).isNull();
    }

    @Test
    void reserve_onSmallDisk_isNotCreated() {
        try (Reserve large = new Reserve(data, Long.MAX_VALUE / 8)) {
            large.ensureExists();

            assertThat(data).isEmptyDirectory();
            assertThat(large.problem()).isNull();
        }
    }
}
