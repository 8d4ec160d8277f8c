package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.api.EventView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows the event stream; reconnects and resumes after a lost connection. */
public final class EventReader {

    private final ServerClient client;
    private final ApiPath path;
    private final Listener listener;
    private @Nullable Long last;

    /** Receives events. */
    public interface Listener {

        /** Handles an event; returns false to stop. */
        boolean onEvent(EventView event, JsonNode response);

        /** Called if events before this number are no longer available. */
        void onGap(long first);
    }

    /**
     * @param path path of the stream, with its filter
     * @param last number of the last known event; null starts with new events
     */
    public EventReader(ServerClient client, ApiPath path, @Nullable Long last, Listener listener) {
        this.client = client;
        this.path = path;
        this.last = last;
        this.listener = listener;
    }

    /** Reads until the listener returns false. */
    public void read() {
        boolean connected = false;
        RetryPolicy retryPolicy = client.retryPolicy();
        while (true) {
            try (InputStream stream = client.events(path, last);
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
                connected = true;
                retryPolicy = client.retryPolicy();
                if (!read(lines)) {
                    return;
                }
            } catch (ConnectException | UnknownHostException e) {
                if (!connected || !retryPolicy.pause(null)) {
                    throw client.noServer(e);
                }
                continue;
            } catch (IOException lost) {
                connected = true;
            }
            if (!retryPolicy.pause(null)) {
                throw ClientException.unavailable("connection lost, and reconnecting failed");
            }
        }
    }

    /** Returns true at the end of the stream, false if the listener stopped. */
    private boolean read(BufferedReader lines) throws IOException {
        String type = "";
        StringBuilder data = new StringBuilder();
        String line;
        Long id = null;
        while ((line = lines.readLine()) != null) {
            if (line.isEmpty()) {
                boolean more = data.length() == 0 || dispatch(type, data.toString());
                if (id != null) {
                    last = id;
                }
                if (!more) {
                    return false;
                }
                id = null;
                type = "";
                data.setLength(0);
            } else if (line.startsWith("event:")) {
                type = value(line);
            } else if (line.startsWith("data:")) {
                data.append(data.length() == 0 ? "" : "\n").append(value(line));
            } else if (line.startsWith("id:") && value(line).matches("[0-9]{1,18}")) {
                id = Long.valueOf(value(line));
            }
        }
        return true;
    }

    private static String value(String line) {
        String value = line.substring(line.indexOf(':') + 1);
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    private boolean dispatch(String type, String data) {
        if (type.equals("unavailable")) {
            return true;
        }
        JsonNode tree = new ServerAnswer(200, data).tree();
        if (type.equals("gap")) {
            listener.onGap(tree.path("first").asLong(0));
            return true;
        }
        return listener.onEvent(ClientJson.value(tree, EventView.class), tree);
    }
}
