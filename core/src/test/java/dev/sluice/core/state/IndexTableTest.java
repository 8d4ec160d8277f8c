package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indexes found by hash. */
class IndexTableTest {

    @Test
    void sequentialHashes_many_haveShortChains() {
        int[] hashes = new int[100_000];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = i;
        }
        IndexTable table = table(hashes);

        for (int number = 0; number < hashes.length; number++) {
            assertThat(chain(table, hashes[number])).contains(number).hasSizeLessThan(5);
        }
    }

    @Test
    void steppedHashes_many_haveShortChains() {
        for (int step : new int[] {16, 31, 32, 1 << 10, 1 << 16}) {
            int[] hashes = new int[1000];
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = i * step;
            }
            IndexTable table = table(hashes);
            for (int number = 0; number < hashes.length; number++) {
                assertThat(chain(table, hashes[number])).contains(number).hasSizeLessThan(IndexTable.CHAIN_MAX);
            }
        }
    }

    @Test
    void fullChain_refusesMore_othersDoNot() {
        IndexTable table = new IndexTable(number -> number <= 2 * IndexTable.CHAIN_MAX ? 7 : number);
        for (int i = 0; i < IndexTable.CHAIN_MAX; i++) {
            assertThat(table.add(7)).isTrue();
        }
        for (int i = IndexTable.CHAIN_MAX; i <= 2 * IndexTable.CHAIN_MAX; i++) {
            assertThat(table.add(7)).isFalse();
        }

        for (int i = 2 * IndexTable.CHAIN_MAX + 1; i < 1000; i++) {
            boolean inFullChain = table.first(i) == table.first(7);
            assertThat(table.add(i)).isEqualTo(!inFullChain);
            assertThat(chain(table, i).contains(i)).isEqualTo(!inFullChain);
        }
        assertThat(chain(table, 7)).contains(0, IndexTable.CHAIN_MAX - 1).hasSizeLessThan(IndexTable.CHAIN_MAX + 5);
    }

    @Test
    void emptyTable_anyHash_findsNothing() {
        assertThat(new IndexTable(number -> 0).first(Integer.MIN_VALUE)).isEqualTo(IndexTable.NONE);
    }

    private static IndexTable table(int[] hashes) {
        IndexTable table = new IndexTable(number -> hashes[number]);
        for (int i = 0; i < hashes.length; i++) {
            assertThat(table.add(hashes[i])).isTrue();
        }
        return table;
    }

    private static List<Integer> chain(IndexTable table, int hash) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = table.first(hash); number != IndexTable.NONE; number = table.next(number)) {
            numbers.add(number);
        }
        return numbers;
    }
}
