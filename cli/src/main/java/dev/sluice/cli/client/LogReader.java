package dev.sluice.cli.client;

import dev.sluice.server.api.LogView;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads what one task writes, line by line, from where it was. */
public final class LogReader {

    private static final int PART = 1 << 20;

    private final ServerClient client;
    private final ApiPath path;
    private final Consumer<String> lines;
    private final StringBuilder begun = new StringBuilder();
    private long position;
    private boolean complete;
    private @Nullable ClientException missing;

    /** Reads the log at this path; each line goes there. */
    public LogReader(ServerClient client, ApiPath path, Consumer<String> lines) {
        this.client = client;
        this.path = path;
        this.lines = lines;
    }

    /** Begins with the last so many lines, as far as they are within the last mebibyte; returns whether there is a log at all. */
    public boolean tail(int count) {
        LogView part = part(-PART);
        if (part == null) {
            return false;
        }
        String text = part.text();
        int begin = text.length();
        int left = count + (text.endsWith("\n") ? 1 : 0);
        while (begin > 0 && left > 0) {
            int newline = text.lastIndexOf('\n', begin - 1);
            left--;
            begin = newline < 0 ? 0 : left == 0 ? newline + 1 : newline;
        }
        take(count == 0 ? "" : text.substring(begin));
        position = part.end();
        complete = part.complete();
        return true;
    }

    /** Reads what there is by now; returns whether there is a log at all. */
    public boolean read() {
        while (!complete) {
            LogView part = part(position);
            if (part == null) {
                return false;
            }
            take(part.text());
            complete = part.complete();
            boolean more = part.end() > position;
            position = part.end();
            if (!more) {
                return true;
            }
        }
        return true;
    }

    /** Whether the task has ended and all that it wrote was read. */
    public boolean isComplete() {
        return complete;
    }

    /** What the server said when there was no log. */
    public ClientException missing() {
        return missing == null ? ClientException.failed("there is no log") : missing;
    }

    /** Gives the last line, too, if nothing ended it. */
    public void finish() {
        if (begun.length() > 0) {
            lines.accept(begun.toString());
            begun.setLength(0);
        }
    }

    private @Nullable LogView part(long offset) {
        try {
            return client.get(path.with("offset", offset).with("limit", PART)).as(LogView.class);
        } catch (ClientException e) {
            if (e.isNotFound()) {
                missing = e;
                return null;
            }
            throw e;
        }
    }

    private void take(String text) {
        int from = 0;
        int newline;
        while ((newline = text.indexOf('\n', from)) >= 0) {
            begun.append(text, from, newline);
            lines.accept(begun.toString());
            begun.setLength(0);
            from = newline + 1;
        }
        begun.append(text, from, text.length());
    }
}
