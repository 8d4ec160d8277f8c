package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.Program.ProgramResult;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice ui} at a server that asks for credentials, over its Unix socket. */
@ProgramTest
@Tag("slow")
final class UiCommandTest {

    private final HttpClient browser = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private HttpResponse<String> get(String address, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        return browser.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Test
    void link_overUnixSocket_signsInOnce() throws Exception {
        try (TestServer server = TestServer.withNode(directory.resolve("server"))) {
            String page = "http://127.0.0.1:" + server.port() + "/ui";
            assertThat(get(page).statusCode()).as("without a session").isEqualTo(303);

            ProgramResult printed = Program.run(directory, "ui", "--server", server.address());
            assertThat(printed.exitCode()).as(printed.err()).isZero();
            assertThat(printed.out()).startsWith(page + "/sign-in?code=").endsWith("\n");
            assertThat(printed.err()).startsWith("sluice: the link works once, until ");
            String link = printed.out().strip();

            HttpResponse<String> signedIn = get(link);
            assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(303);
            assertThat(signedIn.headers().firstValue("Location")).contains("/ui");
            String cookie = signedIn.headers().firstValue("Set-Cookie").orElse("");
            assertThat(cookie).contains("; HttpOnly; SameSite=Strict");
            HttpResponse<String> overview = get(page, "Cookie", cookie.substring(0, cookie.indexOf(';')));
            assertThat(overview.statusCode()).isEqualTo(200);
            assertThat(overview.body()).contains("Needs attention", System.getProperty("user.name") + ", ");

            assertThat(get(link).statusCode()).as("used again").isEqualTo(401);
            assertThat(server.execute("ui", "-o", "json").out()).contains("\"address\": \"" + page, "\"expires\": ");
        }
    }

    /** The browser is a script that writes down its arguments; the test opens them. */
    @Test
    void browser_opened_getsLinkThatIsNotInItsCommandLine() throws Exception {
        Path arguments = directory.resolve("arguments");
        Path script = Files.writeString(
                directory.resolve("browser"),
                "#!/bin/sh\necho \"$*\" >" + arguments + ".new && mv " + arguments + ".new " + arguments + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (TestServer server = TestServer.withNode(directory.resolve("server"))) {
            ProcessBuilder command = PackagedProgram.process("ui", "--open", "--server", server.address())
                    .directory(directory.toFile())
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile());
            command.environment().put("BROWSER", script.toString());
            Process process = command.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(arguments));
            String opened = Files.readString(arguments).strip();
            assertThat(opened).matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]+");

            String link = get(opened).headers().firstValue("Location").orElse("");
            assertThat(link).startsWith("http://127.0.0.1:" + server.port() + "/ui/sign-in?code=");
            assertThat(get(link).headers().firstValue("Set-Cookie")).isPresent();
            ProgramResult result = Program.answer(directory, process.waitFor());
            assertThat(result).isEqualTo(new ProgramResult(0, "", "sluice: the page is open in the browser\n"));

            command.environment().put("BROWSER", "/nowhere/browser");
            ProgramResult printed = Program.answer(directory, command.start().waitFor());
            assertThat(printed.exitCode()).isZero();
            assertThat(printed.err()).contains("cannot start a browser: ", "open the link yourself");
            assertThat(printed.out()).contains("/ui/sign-in?code=");
        }
    }
}
