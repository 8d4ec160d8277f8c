package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfirmationTest {

    @ParameterizedTest
    @CsvSource({"y,true", "YES,true", "'',false", "n,false", "yesterday,false"})
    void answer_onATerminal_mustBeYes(String answer, boolean given) {
        StringWriter shown = new StringWriter();

        assertThat(new Confirmation(new StringReader(answer + "\n"), true).isGiven("Apply?", new PrintWriter(shown)))
                .isEqualTo(given);
        assertThat(shown.toString()).isEqualTo("Apply? [y/N] ");
        assertThat(new Confirmation(new StringReader(""), true).isGiven("Apply?", new PrintWriter(shown)))
                .isFalse();
    }

    @Test
    void confirmation_withoutTerminal_isNotRequested() {
        StringWriter shown = new StringWriter();

        assertThat(new Confirmation(new StringReader(""), false).isGiven("Apply?", new PrintWriter(shown)))
                .isTrue();
        assertThat(shown.toString()).isEmpty();
    }
}
