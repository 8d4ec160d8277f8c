package dev.sluice.server.page;

import dev.sluice.server.api.LogView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the log of a task as a whole, in chunks: to search it and to send it as a file. */
final class LogReader {

    private static final String CHUNK_MAX = "262144";

    /** How many bytes one request searches. */
    private static final long SEARCHED_MAX = 16 << 20;

    private static final int MATCHES_MAX = 200;

    /** Longer lines are searched and shown in parts. */
    private static final int LINE_MAX = 4_096;

    private final ApiCalls api;
    private final Call page;
    private final Map<String, String> task;

    /** @param task the path parameters of the task */
    LogReader(ApiCalls api, Call page, Map<String, String> task) {
        this.api = api;
        this.page = page;
        this.task = Map.copyOf(task);
    }

    /**
     * A line with the text.
     *
     * @param offset the position of the line in the log, in bytes
     */
    record Match(long offset, String line) {}

    /**
     * What a search has found.
     *
     * @param next where to continue; -1 if the whole log has been searched
     */
    record Found(List<Match> matches, long next) {}

    private LogView chunk(long offset) {
        Map<String, String> asked = new HashMap<>(task);
        asked.put("offset", Long.toString(offset));
        asked.put("limit", CHUNK_MAX);
        return api.get(page, "readLog", LogView.class, asked);
    }

    /** Finds the lines with a text, regardless of case, from this position on. */
    Found find(String text, long from) {
        String wanted = text.toLowerCase(Locale.ROOT);
        List<Match> matches = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        long lineOffset = from;
        long offset = from;
        while (true) {
            LogView chunk = chunk(offset);
            for (int i = 0; i < chunk.text().length(); i++) {
                char letter = chunk.text().charAt(i);
                if (letter != '\n') {
                    line.append(letter);
                }
                if (letter == '\n' || (line.length() >= LINE_MAX && !Character.isHighSurrogate(letter))) {
                    addIfFound(matches, line, lineOffset, wanted);
                    lineOffset += bytes(line) + (letter == '\n' ? 1 : 0);
                    line.setLength(0);
                    if (matches.size() == MATCHES_MAX) {
                        return new Found(matches, lineOffset);
                    }
                }
            }
            if (chunk.end() <= offset) {
                addIfFound(matches, line, lineOffset, wanted);
                return new Found(matches, -1);
            }
            offset = chunk.end();
            if (offset - from >= SEARCHED_MAX) {
                return new Found(matches, lineOffset);
            }
        }
    }

    private static void addIfFound(List<Match> matches, CharSequence line, long offset, String wanted) {
        String text = line.toString();
        if (text.toLowerCase(Locale.ROOT).contains(wanted)) {
            matches.add(new Match(offset, text));
        }
    }

    private static long bytes(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the log up to its present end, as a file. Throws a problem if it cannot be read. */
    ApiResponse.StreamBody file() {
        return new LogFile(chunk(0));
    }

    private final class LogFile implements ApiResponse.StreamBody {

        private final LogView first;

        LogFile(LogView first) {
            this.first = first;
        }

        @Override
        public String type() {
            return "text/plain; charset=utf-8";
        }

        @Override
        public void write(OutputStream out) throws IOException {
            LogView chunk = first;
            long offset = 0;
            while (chunk.end() > offset) {
                out.write(chunk.text().getBytes(StandardCharsets.UTF_8));
                offset = chunk.end();
                chunk = chunk(offset);
            }
            out.flush();
        }

        @Override
        public void close() {
            // every chunk is closed when it has been read
        }
    }
}
