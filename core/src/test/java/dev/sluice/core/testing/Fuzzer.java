package dev.sluice.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Gives mutated files of a corpus to a parser. The parser accepts an input or rejects it as documented, in bounded
 * processor time and memory; anything else fails the test, and the input is written to {@code target/fuzz}: add it to
 * the corpus when the parser is fixed.
 *
 * <p>A corpus is a folder of files; in files that end with {@code .lines} every line is an input.
 */
public final class Fuzzer {

    /** Inputs for a parser of short texts in the default tests. */
    public static final int FEW = 1_000;

    /** Inputs for a parser of files in the default tests. */
    public static final int FEW_FILES = 300;

    /** Inputs for each parser in the tests tagged {@code long}. */
    public static final int MANY = 100_000;

    private static final int LENGTH_MAX = 64 << 10;
    private static final int REPETITIONS_MAX = 2_000;
    private static final long CPU_NANOS_MAX = 2_000_000_000L;
    private static final long ALLOCATED_MAX = 256L << 20;

    /** Names of Java classes, which no message may contain. */
    private static final Pattern JAVA_NAMES =
            Pattern.compile("\\b(java|javax|dev\\.sluice|tools|com)\\.[a-z]+\\.|[a-z](Exception|Error)\\b");

    private static final List<String> PIECES = List.of(
            "\t",
            "\n",
            "\r\n",
            " ",
            "  ",
            ":",
            ": ",
            ", ",
            "- ",
            "{",
            "}",
            "[",
            "]",
            "(",
            "\"",
            "'",
            "#",
            "&a ",
            "*a",
            "<<: ",
            "!!int ",
            "|",
            ">",
            "---\n",
            "...",
            "%YAML 1.2\n",
            "? ",
            "@",
            "`",
            "\\",
            "\\u0000",
            "$",
            "null",
            "true",
            "0",
            "1",
            "-0",
            "-1",
            "00",
            "0x10",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "99999999999999999999999999",
            "1e999",
            "1e-308",
            ".nan",
            ".inf",
            "1.",
            "1Gi",
            "500m",
            "0s",
            "-5s",
            "999999999d",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "+999999999-12-31T23:59:59Z",
            "\u0000",
            "\u0007",
            "\u00e9",
            "\u2028",
            "\u202e",
            "\ufeff",
            "\ud83d\ude00",
            "\ud800");

    /** A parser under test. */
    @FunctionalInterface
    public interface Parser {

        /** Returns whether the input was accepted; throws only the documented exception. */
        boolean parse(byte[] input) throws Exception;
    }

    /** Measures a thread. */
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final List<byte[]> corpus;
    private final List<byte[]> tokens = new ArrayList<>();
    private final Class<? extends Exception> documented;
    private final Parser parser;

    /**
     * @param name the folder of the corpus in {@code src/test/resources/fuzz} of the module
     * @param generated further inputs
     * @param documented what the parser throws to reject an input
     */
    public Fuzzer(String name, List<byte[]> generated, Class<? extends Exception> documented, Parser parser)
            throws IOException {
        this.name = name;
        this.documented = documented;
        this.parser = parser;
        this.corpus = corpus(Path.of("src/test/resources/fuzz", name));
        corpus.addAll(generated);
        Set<String> words = new LinkedHashSet<>(PIECES);
        for (byte[] input : corpus) {
            words.addAll(List.of(new String(input, UTF_8).split("[^a-zA-Z0-9_.]+")));
        }
        words.remove("");
        words.forEach(word -> tokens.add(word.getBytes(UTF_8)));
    }

    /** Creates a fuzzer whose corpus is a folder. */
    public Fuzzer(String name, Class<? extends Exception> documented, Parser parser) throws IOException {
        this(name, List.of(), documented, parser);
    }

    private static List<byte[]> corpus(Path folder) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".lines")) {
                    Files.readAllLines(file).forEach(line -> inputs.add(line.getBytes(UTF_8)));
                } else {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    /** Parses the corpus and mutated inputs; returns how many of these were accepted. */
    public int run(int rounds) throws IOException {
        for (byte[] input : corpus) {
            accepts(input, "the corpus");
        }
        SplittableRandom seeds = new SplittableRandom(Long.getLong("sluice.seed", 1) + name.hashCode());
        int accepted = 0;
        for (int round = 0; round < rounds; round++) {
            long seed = seeds.nextLong();
            accepted += accepts(mutated(new SplittableRandom(seed)), "seed " + seed) ? 1 : 0;
        }
        return accepted;
    }

    private boolean accepts(byte[] input, String origin) throws IOException {
        long thread = Thread.currentThread().getId();
        long allocated = THREADS.getThreadAllocatedBytes(thread);
        long began = THREADS.getCurrentThreadCpuTime();
        boolean accepted = false;
        Throwable rejection = null;
        try {
            accepted = parser.parse(input);
        } catch (Throwable e) { // also errors such as StackOverflowError
            rejection = e;
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - began;
        long bytes = THREADS.getThreadAllocatedBytes(thread) - allocated;
        String problem = null;
        if (rejection != null && rejection.getClass() != documented) {
            problem = "threw " + rejection;
        } else if (rejection != null && !isReadable(String.valueOf(rejection.getMessage()))) {
            problem = "has the message " + rejection.getMessage();
        } else if (nanos > CPU_NANOS_MAX) {
            problem = "took " + nanos / 1_000_000 + " ms";
        } else if (bytes > ALLOCATED_MAX) {
            problem = "allocated " + bytes + " bytes";
        }
        if (problem != null) {
            Path file = Path.of("target", "fuzz", name + "-" + Integer.toHexString(Arrays.hashCode(input)));
            Files.createDirectories(file.getParent());
            Files.write(file, input);
            throw new AssertionError(name + " " + problem + " with " + origin + ", see " + file, rejection);
        }
        return accepted;
    }

    /** Returns whether a message is for people. */
    public static boolean isReadable(String message) {
        return !message.isBlank()
                && !message.equals("null")
                && !JAVA_NAMES.matcher(message).find();
    }

    private byte[] mutated(SplittableRandom random) {
        byte[] input = any(corpus, random);
        for (int turns = 1 + random.nextInt(4); turns > 0; turns--) {
            int at = random.nextInt(input.length + 1);
            int end = Math.min(input.length, at + 1 + random.nextInt(random.nextInt(5) == 0 ? 500 : 8));
            input = switch (random.nextInt(8)) {
                case 0 -> flipped(input, at, random);
                case 1 -> joined(input, at, new byte[0], 1, end);
                case 2 -> joined(input, at, Arrays.copyOfRange(input, at, end), 1, at);
                case 3 -> random.nextInt(10) == 0 ? Arrays.copyOf(input, at) : input;
                case 4 -> spliced(input, at, any(corpus, random), random);
                case 5 -> joined(input, at, any(tokens, random), 1, end);
                case 6 ->
                    random.nextInt(20) == 0
                            ? joined(input, at, any(tokens, random), random.nextInt(REPETITIONS_MAX), at)
                            : input;
                default -> joined(input, at, any(tokens, random), 1, at);
            };
        }
        return input.length > LENGTH_MAX ? Arrays.copyOf(input, LENGTH_MAX) : input;
    }

    private static byte[] any(List<byte[]> values, SplittableRandom random) {
        return values.get(random.nextInt(values.size()));
    }

    private static byte[] flipped(byte[] input, int at, SplittableRandom random) {
        byte[] result = input.clone();
        if (at < result.length) {
            result[at] ^= (byte) (1 << random.nextInt(8));
        }
        return result;
    }

    /** Returns the beginning of an input and the end of another. */
    private static byte[] spliced(byte[] input, int at, byte[] other, SplittableRandom random) {
        int from = random.nextInt(other.length + 1);
        byte[] result = Arrays.copyOf(input, at + other.length - from);
        System.arraycopy(other, from, result, at, other.length - from);
        return result;
    }

    /** Returns an input whose bytes from {@code at} to {@code end} are replaced by a repeated piece. */
    private static byte[] joined(byte[] input, int at, byte[] piece, int times, int end) {
        int count = piece.length == 0 ? 0 : Math.min(times, LENGTH_MAX / piece.length);
        byte[] result = Arrays.copyOf(input, at + count * piece.length + input.length - end);
        for (int i = 0; i < count; i++) {
            System.arraycopy(piece, 0, result, at + i * piece.length, piece.length);
        }
        System.arraycopy(input, end, result, at + count * piece.length, input.length - end);
        return result;
    }
}
