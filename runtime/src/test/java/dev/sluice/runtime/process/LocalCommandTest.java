package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class LocalCommandTest {

    @Test
    void command_withoutProgram_isRefused() {
        assertThatThrownBy(LocalCommand::of).hasMessage("program name must not be empty");
        assertThatThrownBy(() -> LocalCommand.of("")).hasMessage("program name must not be empty");
    }

    @Test
    void command_withNulCharacter_isRefused() {
        assertThatThrownBy(() -> LocalCommand.of("a", "b\0c"))
                .hasMessage("an argument must not contain a NUL character");
        assertThatThrownBy(() -> LocalCommand.of("a").withEnvironment(Map.of("V", "\0")))
                .hasMessage("the environment variable V must not contain a NUL character");
    }

    @Test
    void environmentVariable_withInvalidName_isRefused() {
        assertThatThrownBy(() -> LocalCommand.of("a").withEnvironment(Map.of("A=B", "c")))
                .hasMessage("invalid name of an environment variable: 'A=B'");
        assertThatThrownBy(() -> LocalCommand.of("a").withEnvironment(Map.of("", "c")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
