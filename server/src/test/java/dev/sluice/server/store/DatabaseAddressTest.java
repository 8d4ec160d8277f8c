package dev.sluice.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DatabaseAddressTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "postgresql://host/db, jdbc:postgresql://host/db, -, -",
                "postgres://u@host/db, jdbc:postgresql://host/db, u, -",
                "postgresql://u:p@host:1234/db?sslmode=require, jdbc:postgresql://host:1234/db?sslmode=require, u, p",
                "postgresql://u%40x:p%3A+%2F@a:1/db, jdbc:postgresql://a:1/db, u@x, p:+/",
                "jdbc:postgresql://host/db?user=u&password=p%26q&currentSchema=s,"
                        + " jdbc:postgresql://host/db?currentSchema=s, u, p&q",
                "jdbc:postgresql:db, jdbc:postgresql:db, -, -",
                "postgresql://u:a@b@host/db, jdbc:postgresql://host/db, u, a@b",
            })
    void address_anyForm_isParsed(String text, String url, String user, String password) {
        DatabaseAddress address = DatabaseAddress.of(text, null, Map.of());
        assertThat(address.url()).isEqualTo(url);
        assertThat(address.user()).isEqualTo(user);
        assertThat(address.password()).isEqualTo(password);
    }

    @Test
    void password_sources_haveDocumentedPrecedence(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "from file\n", UTF_8);
        Map<String, String> environment = Map.of("PGPASSWORD", "from environment");
        assertThat(DatabaseAddress.of("postgresql://h/d", null, environment).password())
                .isEqualTo("from environment");
        assertThat(DatabaseAddress.of("postgresql://u:address@h/d", null, environment)
                        .password())
                .isEqualTo("address");
        assertThat(DatabaseAddress.of("postgresql://u:address@h/d", file, environment)
                        .password())
                .isEqualTo("from file");
    }

    @Test
    void address_printed_hasNoPassword() {
        assertThat(DatabaseAddress.of("postgresql://u:secret@h/d?password=secret&sslpassword=secret", null, Map.of()))
                .hasToString("postgresql://h/d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql://u:secret@h/d", "", "postgresql://u:secret@h", "postgresql://u:secret%2@h/d"})
    void address_invalid_isRefusedWithoutPassword(String text) {
        assertThatThrownBy(() -> DatabaseAddress.of(text, null, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }
}
