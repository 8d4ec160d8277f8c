package dev.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.server.http.ListenSettings.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListenSettingsTest {

    private static final TlsFiles TLS = new TlsFiles(Path.of("certificate.pem"), Path.of("key.pem"));

    private static ListenSettings at(String address) {
        return new ListenSettings(address, null, null, List.of());
    }

    @Test
    void address_beyondLoopback_requiresEncryptionAndCredentials() {
        for (String address : List.of("0.0.0.0", "::", "192.0.2.1", "2001:db8::1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> at(address).requireSafe(false))
                    .withMessageContaining("must be encrypted");
            ListenSettings encrypted = new ListenSettings(address, null, TLS, List.of());
            encrypted.requireSafe(false);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> encrypted.requireSafe(true))
                    .withMessageContaining("loopback");
        }
        for (String address : List.of("127.0.0.1", "127.1.2.3", "::1")) {
            at(address).requireSafe(true);
        }
    }

    @Test
    void address_invalid_isRefused() {
        for (String wrong : List.of("", "localhost", "example.org", "1.2.3", "1.2.3.999", "1.2.3.4:80", "::g", ":")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> at(wrong))
                    .withMessageContaining("is not an IP address");
        }
    }

    @Test
    void url_hasAddressThatClientsHereUse() {
        assertThat(at("0.0.0.0").urlHost()).isEqualTo("127.0.0.1");
        assertThat(at("::1").urlHost()).isEqualTo("[::1]");
        assertThat(at("192.0.2.1").urlHost()).isEqualTo("192.0.2.1");
    }

    @Test
    void socket_longPath_isRefused() {
        String longest = "/" + "x".repeat(106);
        assertThat(at("127.0.0.1").withSocket(Path.of(longest)).socket()).hasToString(longest);
        for (String longer : List.of(longest + "x", longest.substring(1) + "ö")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> at("127.0.0.1").withSocket(Path.of(longer)))
                    .withMessageContaining("more than 107 bytes");
        }
    }

    @Test
    void hostName_invalid_isRefused() {
        assertThat(new ListenSettings("::1", null, null, List.of("Lab.example.org")).hostNames())
                .containsExactly("lab.example.org");
        for (String wrong : List.of("", "a b", "lab:80", "*", "-x")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ListenSettings("::1", null, null, List.of(wrong)))
                    .withMessageContaining("is not the name of a host");
        }
    }
}
