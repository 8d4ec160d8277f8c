package dev.sluice.kubernetes.cluster;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A request that was read from a connection, which it alone uses. The server of the JDK cannot switch to WebSockets.
 *
 * @param parameters the parameters of the query
 * @param headers by their names in lower case
 */
record RawRequest(
        Socket connection,
        String method,
        String path,
        Map<String, String> parameters,
        Map<String, String> headers,
        String body) {

    static RawRequest read(Socket connection) throws IOException {
        InputStream input = new BufferedInputStream(connection.getInputStream());
        String[] first = line(input).split(" ");
        Map<String, String> headers = new HashMap<>();
        for (String line = line(input); !line.isEmpty(); line = line(input)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(input.readNBytes(length), StandardCharsets.UTF_8);
        URI uri = URI.create(first[1]);
        return new RawRequest(connection, first[0], uri.getPath(), parameters(uri.getRawQuery()), headers, body);
    }

    private static String line(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = input.read();
        while (next != '\n') {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
            next = input.read();
        }
        return line.toString();
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            int equals = parameter.indexOf('=');
            parameters.put(
                    parameter.substring(0, equals),
                    URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }

    boolean isWatch() {
        return "true".equals(parameters.get("watch"));
    }

    boolean asksForSocket() {
        return "websocket".equalsIgnoreCase(headers.get("upgrade"));
    }

    /** Answers, and ends the connection. */
    void answer(int code, String header, String answer) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + code + " Any\r\nContent-Type: application/json\r\nConnection: close\r\n" + header
                + "Content-Length: " + bytes.length + "\r\n\r\n";
        OutputStream output = connection.getOutputStream();
        output.write(head.getBytes(StandardCharsets.US_ASCII));
        output.write(bytes);
        output.close();
    }
}
