package dev.sluice.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.snapshot.SubmissionOrigin;
import dev.sluice.server.route.ProblemException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SubmissionOriginsTest {

    private static PathCall call(String name, String value) {
        return new PathCall(Map.of(name, value));
    }

    @Test
    void origin_ofCall_hasDirectoryAndVariables() {
        SubmissionOrigin origin = SubmissionOrigins.of(
                new PathCall(Map.of("directory", "/a b", "Sluice-Environment", "A=1&B=x%3D%20y&C=")));

        assertThat(origin.directory()).isEqualTo("/a b");
        assertThat(origin.environment()).hasToString("{A=1, B=x= y, C=}");
        assertThat(SubmissionOrigins.of(new PathCall(Map.of()))).isEqualTo(SubmissionOrigin.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "", "/a\u0000b"})
    void directory_invalid_isRefused(String directory) {
        assertThatThrownBy(() -> SubmissionOrigins.of(call("directory", directory)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("directory must be an absolute path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "=1", "A=%", "A=%00", "%00=1"})
    void variables_invalid_areRefused(String header) {
        assertThatThrownBy(() -> SubmissionOrigins.of(call("Sluice-Environment", header)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("Sluice-Environment must be form-encoded");
    }
}
