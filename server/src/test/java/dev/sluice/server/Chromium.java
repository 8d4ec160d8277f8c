package dev.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Chromium without a window, driven over its DevTools protocol. */
final class Chromium implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Bound of the elements of a page that can have the focus. */
    private static final int FOCUSABLE_MAX = 100;

    private static final String LISTENING = "DevTools listening on ";

    private final Process process;
    private final WebSocket socket;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, Tab> tabs = new ConcurrentHashMap<>();

    /** Returns the program, if this machine has it. */
    static Optional<Path> program() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .map(name -> Path.of("/usr/bin", name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Chromium(Process process, String address) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), new Messages())
                .join();
    }

    /** Starts the program with a profile of its own. */
    static Chromium start(Path program, Path profile) throws IOException {
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader errors = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread drain = new Thread(() -> errors.lines().forEach(more -> {}), "chromium-errors");
                drain.setDaemon(true);
                drain.start();
                return new Chromium(process, line.substring(LISTENING.length()));
            }
        }
        process.destroyForcibly();
        throw new IOException(program + " ended without listening");
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                JsonNode message = JSON.readTree(text.toString());
                text.setLength(0);
                received(message);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void received(JsonNode message) {
        CompletableFuture<JsonNode> answer = answers.remove(message.path("id").asLong(-1));
        if (answer != null) {
            answer.complete(message);
            return;
        }
        Tab tab = tabs.get(message.path("sessionId").asString(""));
        if (tab != null) {
            tab.event(message.path("method").asString(""), message.path("params"));
        }
    }

    private CompletableFuture<JsonNode> send(String session, String method, Map<String, Object> parameters) {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> message = session.isEmpty()
                ? Map.of("id", id, "method", method, "params", parameters)
                : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
        synchronized (socket) {
            socket.sendText(JSON.writeValueAsString(message), true).join();
        }
        return answer.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Opens a tab. All tabs have the same cookies. */
    Tab tab() {
        JsonNode target =
                send("", "Target.createTarget", Map.of("url", "about:blank")).join();
        Map<String, Object> attach =
                Map.of("targetId", target.at("/result/targetId").asString(), "flatten", true);
        String session = send("", "Target.attachToTarget", attach)
                .join()
                .at("/result/sessionId")
                .asString();
        Tab tab = new Tab(session);
        tabs.put(session, tab);
        for (String domain : List.of("Page", "Log", "Runtime")) {
            tab.command(domain + ".enable", Map.of());
        }
        return tab;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** A page of the browser. */
    final class Tab {
        private final String session;
        private final List<String> complaints = new CopyOnWriteArrayList<>();
        private final List<String> dialogs = new CopyOnWriteArrayList<>();

        private Tab(String session) {
            this.session = session;
        }

        private void event(String method, JsonNode parameters) {
            switch (method) {
                case "Page.javascriptDialogOpening" -> {
                    dialogs.add(parameters.path("message").asString(""));
                    var unused = send(session, "Page.handleJavaScriptDialog", Map.of("accept", true));
                }
                case "Log.entryAdded" -> {
                    if (!parameters.at("/entry/level").asString("").equals("verbose")) {
                        complaints.add(parameters.toString());
                    }
                }
                case "Runtime.exceptionThrown" -> complaints.add(parameters.toString());
                default -> {}
            }
        }

        private JsonNode command(String method, Map<String, Object> parameters) {
            return send(session, method, parameters).join();
        }

        /** Returns errors of scripts, and what the browser refused or could not load. */
        List<String> complaints() {
            return List.copyOf(complaints);
        }

        /** Returns the messages of dialogs that were opened; each was answered with OK. */
        List<String> dialogs() {
            return List.copyOf(dialogs);
        }

        /** Opens an address, and waits until it is loaded. */
        Tab open(String address) {
            command("Page.navigate", Map.of("url", address));
            awaitTrue("document.readyState === 'complete' && location.href.startsWith('http')");
            return this;
        }

        /** Returns the value of an expression, or null if the page is being replaced by another one. */
        JsonNode evaluate(String expression) {
            Map<String, Object> parameters =
                    Map.of("expression", expression, "awaitPromise", true, "returnByValue", true);
            return command("Runtime.evaluate", parameters).at("/result/result/value");
        }

        /** Waits until an expression is true. */
        void awaitTrue(String expression) {
            await(expression + "\n")
                    .atMost(TIMEOUT)
                    .until(() -> evaluate(expression).asBoolean(false));
        }

        /** Waits until the page shows a text. */
        void awaitText(String text) {
            awaitTrue("document.body !== null && document.body.innerText.includes(" + JSON.writeValueAsString(text)
                    + ")");
        }

        /** Clicks what a selector finds. */
        void click(String selector) {
            awaitTrue("document.querySelector('" + selector + "') !== null");
            send(
                            session,
                            "Runtime.evaluate",
                            Map.of("expression", "document.querySelector('" + selector + "').click()"))
                    .join();
        }

        /** Replaces the content of a field as if it was typed. */
        void type(String selector, String text) {
            awaitTrue("document.querySelector('" + selector + "') !== null");
            evaluate("document.querySelector('" + selector + "').focus(); document.querySelector('" + selector
                    + "').select()");
            command("Input.insertText", Map.of("text", text));
        }

        /** Presses and releases a key: {@code Tab}, {@code Enter}, {@code ArrowRight} or {@code Space}. */
        void press(String key) {
            Map<String, Object> event = switch (key) {
                case "Tab" -> Map.of("key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9);
                case "Enter" -> Map.of("key", "Enter", "code", "Enter", "windowsVirtualKeyCode", 13, "text", "\r");
                case "Space" -> Map.of("key", " ", "code", "Space", "windowsVirtualKeyCode", 32, "text", " ");
                case "ArrowRight" -> Map.of("key", "ArrowRight", "code", "ArrowRight", "windowsVirtualKeyCode", 39);
                default -> throw new IllegalArgumentException("unknown key " + key);
            };
            for (String type : List.of("keyDown", "keyUp")) {
                Map<String, Object> parameters = new LinkedHashMap<>(event);
                parameters.put("type", type);
                command("Input.dispatchKeyEvent", parameters);
            }
        }

        /** Presses the Tab key until an element that a selector finds has the focus. */
        void tabTo(String selector) {
            for (int presses = 0; presses < FOCUSABLE_MAX; presses++) {
                press("Tab");
                if (evaluate("document.activeElement.matches(" + JSON.writeValueAsString(selector) + ")")
                        .asBoolean(false)) {
                    return;
                }
            }
            throw new AssertionError("the Tab key does not lead to " + selector);
        }

        /** Pages opened from now on show changes only when they are told of them, and not every 30 seconds. */
        Tab withoutPolling() {
            String script = "const timeout = window.setTimeout;"
                    + " window.setTimeout = (run, delay) => delay === 30000 ? 0 : timeout(run, delay)";
            command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
            return this;
        }

        /** Shows this tab instead of the others, whose pages are hidden then. */
        Tab show() {
            command("Page.bringToFront", Map.of());
            awaitTrue("!document.hidden");
            return this;
        }

        /** Shows pages in the light or dark colours. */
        void dark(boolean dark) {
            command(
                    "Emulation.setEmulatedMedia",
                    Map.of(
                            "features",
                            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        }

        /** Shows pages in a window of this width. */
        void width(int width) {
            command("Emulation.setScrollbarsHidden", Map.of("hidden", true));
            command(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        }

        /** Returns a picture of the page as a PNG file, of at most this height; 0 means the whole page. */
        byte[] picture(int heightMax) {
            int width = evaluate("document.documentElement.clientWidth").asInt();
            int height = evaluate("document.documentElement.scrollHeight").asInt();
            int shown = heightMax == 0 ? height : Math.min(height, heightMax);
            Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", width, "height", shown, "scale", 1);
            return Base64.getDecoder()
                    .decode(command(
                                    "Page.captureScreenshot",
                                    Map.of("format", "png", "captureBeyondViewport", true, "clip", clip))
                            .at("/result/data")
                            .asString());
        }

        /** Returns what axe finds wrong with the page. */
        List<String> axe() {
            try (var script = Chromium.class.getResourceAsStream("/axe.min.js")) {
                if (script == null) {
                    throw new IllegalStateException("axe.min.js is missing");
                }
                evaluate(new String(script.readAllBytes(), UTF_8) + "; true");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            JsonNode found = evaluate(
                    "axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200) + ' '"
                            + " + v.nodes[0].failureSummary))");
            if (!found.isArray()) {
                throw new IllegalStateException("axe did not run: " + found);
            }
            List<String> problems = new ArrayList<>();
            found.forEach(each -> problems.add(each.asString()));
            return problems;
        }
    }
}
