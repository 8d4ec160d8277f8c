package dev.sluice.runtime.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.file.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A user of this system, created for a test. Tests that need one are skipped unless they run as root. */
public final class SystemUser implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int ATTEMPTS = 50;

    private final String name;

    private SystemUser(String name) {
        this.name = name;
    }

    /** Creates a user with a group of the same name. */
    public static SystemUser create() throws IOException {
        requireRoot();
        SystemUser user = new SystemUser("slt" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet());
        String output = change("useradd", "--no-create-home", "--user-group", "--shell", "/bin/bash", user.name);
        assertThat(output).isEmpty();
        return user;
    }

    /** Skips the test unless this program runs as root, and the tools that it needs are there. */
    public static void requireRoot() {
        assumeTrue(UserFolders.isRoot(), "only root can create users");
        assumeTrue(
                List.of("useradd", "userdel", "setpriv").stream()
                        .allMatch(tool -> Files.isExecutable(Path.of("/usr/sbin", tool))
                                || Files.isExecutable(Path.of("/usr/bin", tool))),
                "useradd, userdel or setpriv is missing");
    }

    public String name() {
        return name;
    }

    public long uid() throws IOException {
        return Long.parseLong(output("id", "-u", name).strip());
    }

    /** Adds the user to this group of the system. */
    public void join(String group) throws IOException {
        assertThat(change("usermod", "--append", "--groups", group, name)).isEmpty();
    }

    /** Creates a private folder of this user in a folder. */
    public Path folder(Path parent) throws IOException {
        Path folder = Files.createDirectory(parent.resolve(name));
        UserFolders.give(folder, uid(), uid());
        return folder;
    }

    /** Lets all users pass through the temporary folder of a test. */
    public static void open(Path folder) throws IOException {
        UserFolders.open(folder);
    }

    /** Repeats a change while another program changes the users, too. */
    private static String change(String... command) throws IOException {
        String output = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            output = output(command);
            if (!output.contains("cannot lock")) {
                return output;
            }
        }
        return output;
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.onExit().join();
        return output;
    }

    @Override
    public void close() throws IOException {
        String unused = change("userdel", "--force", name);
    }
}
