package dev.sluice.runtime.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.TaskCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretCipherTest {

    private static final String VALUE = "hunter2 \u00fc\ud83d\ude80";

    @TempDir
    Path folder;

    private SecretCipher cipher() {
        return new SecretCipher(SecretKeyFile.in(folder.resolve("data")));
    }

    private static TaskCommand command(Map<String, String> secrets) {
        return new TaskCommand(
                List.of("true"),
                false,
                new TreeMap<>(Map.of("A", "1")),
                null,
                null,
                TaskCommand.UMASK_INHERITED,
                new TreeMap<>(secrets));
    }

    @Test
    void secret_encrypted_isDecryptedByLaterProgram() {
        String encrypted = cipher().encrypt("TOKEN", VALUE);

        assertThat(encrypted).matches("1\\.[0-9a-f]{8}\\.[A-Za-z0-9+/=]+").doesNotContain("hunter2");
        assertThat(cipher().environment(command(Map.of("TOKEN", encrypted))))
                .isEqualTo(Map.of("A", "1", "TOKEN", VALUE));
    }

    @Test
    void sameSecret_encryptedTwice_differs() {
        Set<String> all = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            assertThat(all.add(cipher().encrypt("TOKEN", VALUE))).isTrue();
        }
    }

    @Test
    void key_createdWhenNeeded_isReadableByOwnerAlone() throws Exception {
        Path file = folder.resolve("data").resolve(SecretKeyFile.NAME);
        assertThat(cipher().environment(command(Map.of()))).containsOnlyKeys("A");
        assertThat(file).doesNotExist();
        cipher().encrypt("TOKEN", VALUE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file.getParent()).isDirectoryNotContaining(path -> !path.equals(file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> cipher().encrypt("TOKEN", VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("others can read the key of secrets: run chmod 600 " + file + ", or replace it");
    }

    @Test
    void key_lostOrReplaced_isNamedWithoutValue() throws Exception {
        Path file = folder.resolve("data").resolve(SecretKeyFile.NAME);
        String encrypted = cipher().encrypt("TOKEN", VALUE);
        TaskCommand command = command(Map.of("TOKEN", encrypted));
        String message = "cannot decrypt secret TOKEN: its key " + encrypted.split("\\.", -1)[1] + " is not in " + file
                + "; restore that file, or submit the application again";
        Files.delete(file);
        assertThatThrownBy(() -> cipher().environment(command)).hasMessage(message);
        cipher().encrypt("OTHER", VALUE);
        assertThatThrownBy(() -> cipher().environment(command)).hasMessage(message);
    }

    @Test
    void secret_changedOrOfAnotherVariable_isRefused() {
        String encrypted = cipher().encrypt("TOKEN", VALUE);
        char last = encrypted.charAt(encrypted.length() - 6);
        String changed = encrypted.substring(0, encrypted.length() - 6)
                + (last == 'A' ? 'B' : 'A')
                + encrypted.substring(encrypted.length() - 5);
        String head = encrypted.substring(0, encrypted.lastIndexOf('.') + 1);
        for (Map<String, String> secrets : List.of(
                Map.of("TOKEN", changed),
                Map.of("LD_PRELOAD", encrypted),
                Map.of("TOKEN", head),
                Map.of("TOKEN", head + "AAAA"),
                Map.of("TOKEN", head + "!"))) {
            String name = secrets.keySet().iterator().next();
            assertThatThrownBy(() -> cipher().environment(command(secrets)))
                    .hasMessage("cannot decrypt secret " + name + ": it is damaged");
        }
        assertThatThrownBy(() -> cipher().environment(command(Map.of("TOKEN", ""))))
                .hasMessage("cannot decrypt secret TOKEN: it has no value here");
    }

    @Test
    void keyOfServiceManager_ifGiven_isUsedInsteadOfFile() throws Exception {
        Files.writeString(folder.resolve(SecretKeyFile.CREDENTIAL), "x".repeat(32) + "\n");
        Map<String, String> environment = Map.of("CREDENTIALS_DIRECTORY", folder.toString());
        SecretCipher cipher = new SecretCipher(SecretKeyFile.of(environment, folder.resolve("data")));
        String encrypted = cipher.encrypt("TOKEN", VALUE);
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(cipher.environment(command(Map.of("TOKEN", encrypted)))).containsEntry("TOKEN", VALUE);
        Files.writeString(folder.resolve(SecretKeyFile.CREDENTIAL), "x".repeat(31) + "\n");
        assertThatThrownBy(() -> cipher.encrypt("TOKEN", VALUE)).hasMessageContaining("is too short");
        assertThat(SecretKeyFile.of(Map.of("CREDENTIALS_DIRECTORY", "/nowhere"), folder))
                .isEqualTo(SecretKeyFile.in(folder));
        assertThat(SecretKeyFile.of(Map.of(), folder)).isEqualTo(SecretKeyFile.in(folder));
    }
}
