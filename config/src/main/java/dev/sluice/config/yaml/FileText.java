package dev.sluice.config.yaml;

import dev.sluice.config.problem.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a file as UTF-8, up to a maximum size. */
final class FileText {

    private FileText() {}

    /** Returns the text of the file without a byte order mark; null after a problem. */
    static @Nullable String read(Path path, Problems problems) {
        try {
            if (Files.isDirectory(path)) {
                problems.error(0, 0, "is a directory: give a file");
                return null;
            }
            if (Files.size(path) > YamlLimits.FILE_BYTES_MAX) {
                tooLarge(Files.size(path) + " bytes", problems);
                return null;
            }
            byte[] bytes;
            try (InputStream stream = Files.newInputStream(path)) {
                bytes = stream.readNBytes(YamlLimits.FILE_BYTES_MAX + 1);
            }
            if (bytes.length > YamlLimits.FILE_BYTES_MAX) {
                tooLarge("more than " + YamlLimits.FILE_BYTES_MAX + " bytes", problems);
                return null;
            }
            return decode(bytes, problems);
        } catch (NoSuchFileException e) {
            problems.error(0, 0, "file not found");
        } catch (AccessDeniedException e) {
            problems.error(0, 0, "permission denied");
        } catch (IOException e) {
            problems.error(0, 0, "cannot read the file: " + e.getMessage());
        }
        return null;
    }

    private static void tooLarge(String size, Problems problems) {
        problems.error(
                0,
                0,
                "file too large: " + size + ", the maximum is " + (YamlLimits.FILE_BYTES_MAX >> 20)
                        + " MiB; write equal tasks or nodes as one entry with a count");
    }

    /** Returns the bytes as text; null after a problem with the position of the first byte that is not UTF-8. */
    static @Nullable String decode(byte[] bytes, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer input = ByteBuffer.wrap(bytes);
        CharBuffer output = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(input, output, true);
        output.flip();
        String text = output.toString();
        if (result.isError()) {
            int bad = bytes[input.position()] & 0xff;
            String after = text.substring(text.lastIndexOf('\n') + 1);
            problems.error(
                    1 + (int) text.chars().filter(c -> c == '\n').count(),
                    1 + after.codePointCount(0, after.length()),
                    "not valid UTF-8: the byte 0x" + Integer.toHexString(bad)
                            + " is invalid here; save the file as UTF-8");
            return null;
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
