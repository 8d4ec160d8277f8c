package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogFilesTest {

    @ParameterizedTest
    @CsvSource({
        "train-12, train-12",
        "v1.2_final, v1.2_final",
        "a/b, a%2Fb",
        ".., %2E.",
        "., %2E",
        ".hidden, %2Ehidden",
        "../../etc/passwd, %2E.%2F..%2Fetc%2Fpasswd",
        "a b, a%20b",
        "50%, 50%25",
        "ü, %C3%BC",
        "'a\nb', a%0Ab",
        "'', %",
    })
    void fileName_ofTaskName_isSafe(String name, String expected) {
        assertThat(LogFiles.nameFor(name)).isEqualTo(expected);
    }

    @Test
    void fileName_ofLongName_isShortenedAndUnique() {
        String common = "x".repeat(250);
        List<String> names = List.of(LogFiles.nameFor(common + "a"), LogFiles.nameFor(common + "b"));
        assertThat(names)
                .doesNotHaveDuplicates()
                .allSatisfy(name ->
                        assertThat(name).hasSize(LogFiles.NAME_LENGTH_MAX).matches("x+~[0-9a-f]{16}"));
    }
}
