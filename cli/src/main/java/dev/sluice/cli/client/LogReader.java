package dev.sluice.cli.client;

import dev.sluice.server.api.LogView;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the log of a task line by line and keeps its position. */
public final class LogReader {

    private static final int PART = 1 << 20;

    private final ServerClient client;
    private final ApiPath path;
    private final Consumer<String> lines;
    private final StringBuilder partialLine = new StringBuilder();
    private long position;
    private boolean complete;
    private @Nullable ClientException missing;

    /** @param lines receives each line */
    public LogReader(ServerClient client, ApiPath path, Consumer<String> lines) {
        this.client = client;
        this.path = path;
        this.lines = lines;
    }

    /** Reads the last lines, within the last mebibyte; returns whether the log exists. */
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

    /** Reads the available output; returns whether the log exists. */
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

    /** Whether the task has ended and its log was read to the end. */
    public boolean isComplete() {
        return complete;
    }

    /** Returns the error of the server if the log does not exist. */
    public ClientException missing() {
        return missing == null ? ClientException.failed("no log") : missing;
    }

    /** Emits a last line without a line break. */
    public void finish() {
        if (partialLine.length() > 0) {
            lines.accept(partialLine.toString());
            partialLine.setLength(0);
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
            partialLine.append(text, from, newline);
            lines.accept(partialLine.toString());
            partialLine.setLength(0);
            from = newline + 1;
        }
        partialLine.append(text, from, text.length());
    }
}
