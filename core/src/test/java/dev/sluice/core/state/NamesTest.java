package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names found by index and by text. */
@Timeout(60)
class NamesTest {

    @Test
    void names_many_areFoundByNumberAndName() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            all.add("task-" + i * 7);
        }

        check(all);
        assertThat(names(all).find("task-1")).isEqualTo(IndexTable.NONE);
    }

    @Test
    void names_withCollidingHashes_areDistinguished() {
        List<String> all = colliding(15);
        assertThat(all).allSatisfy(name -> assertThat(name).hasSameHashCodeAs(all.get(0)));

        check(all);
        assertThat(names(all.subList(1, all.size())).find(all.get(0))).isEqualTo(IndexTable.NONE);
        assertThat(names(all.subList(0, IndexTable.CHAIN_MAX)).find(all.get(IndexTable.CHAIN_MAX)))
                .isEqualTo(IndexTable.NONE);
    }

    @Test
    void names_aroundManyCollisions_areFound() {
        List<String> all = new ArrayList<>(List.of("first"));
        all.addAll(colliding(8));
        for (int i = 0; i < 1000; i++) {
            all.add("later-" + i);
        }

        check(all);
    }

    @Test
    void names_withCommonPrefixes_areDistinguished() {
        check(List.of("a", "aa", "aaa", "a\u0000a", "\u0000", "\u0000\u0000", "b", "ab", "ba", "aaaa"));
    }

    @Test
    void names_ofAnyLengthAndScript_areUnchanged() {
        List<String> all = new ArrayList<>();
        for (int length = 1; length <= 256; length++) {
            all.add("x".repeat(length));
            all.add("\u00ff".repeat(length));
            all.add("\u4efb".repeat(length));
            all.add("\ud83d".repeat(length)); // an unpaired surrogate is valid too
        }

        check(all);
    }

    @Test
    void name_inEmptyTable_isNotFound() {
        assertThat(new Names().find("a")).isEqualTo(IndexTable.NONE);
    }

    private static void check(List<String> all) {
        Names names = names(all);
        for (int number = 0; number < all.size(); number++) {
            assertThat(names.get(number)).isEqualTo(all.get(number));
            assertThat(names.find(all.get(number))).isEqualTo(number);
        }
    }

    private static Names names(List<String> all) {
        Names names = new Names();
        all.forEach(names::add);
        return names;
    }

    /** Returns 2 to this power names with equal hashes. */
    private static List<String> colliding(int power) {
        List<String> names = List.of("");
        for (int i = 0; i < power; i++) {
            List<String> longer = new ArrayList<>();
            for (String name : names) {
                longer.add(name + "Aa");
                longer.add(name + "BB");
            }
            names = longer;
        }
        return names;
    }
}
