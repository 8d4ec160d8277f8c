package dev.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shell commands of a guide: those in indented blocks, and those of kubectl, helm, docker and sluice in its text.
 * Blocks in fences are others' concern.
 */
final class GuideCommands {

    private static final Pattern IN_TEXT = Pattern.compile("`((?:kubectl|helm|docker|sluice) [^`]+)`");

    private final List<GuideCommand> commands = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    /**
     * A command.
     *
     * @param text the command on one line
     * @param output what the guide shows of its output, masked; null if it shows nothing
     * @param isInText whether it is part of a sentence
     */
    record GuideCommand(String text, @Nullable String output, boolean isInText) {

        /** Returns whether this output is the shown one; a line {@code …} stands for any lines. */
        boolean matches(String printed) {
            if (output == null) {
                return true;
            }
            StringBuilder pattern = new StringBuilder();
            for (String line : output.split("\n")) {
                pattern.append(line.equals("…") ? "(.*\n)*" : Pattern.quote(line + "\n"));
            }
            return Pattern.compile(pattern.toString())
                    .matcher(mask(printed).stripTrailing() + "\n")
                    .matches();
        }
    }

    GuideCommands(String guide) {
        StringBuilder text = new StringBuilder();
        List<String> block = new ArrayList<>();
        boolean isFenced = false;
        for (String line : Stream.concat(guide.lines(), Stream.of("")).toList()) {
            isFenced ^= line.startsWith("```");
            if (!isFenced && line.startsWith("    ")) {
                block.add(line);
                continue;
            }
            if (!block.isEmpty()) {
                addBlock(block);
                block.clear();
            }
            if (isFenced || line.isBlank()) {
                addInText(text.toString());
                text.setLength(0);
            } else {
                text.append(line.strip()).append(' ');
            }
        }
    }

    private void addInText(String text) {
        Matcher spans = IN_TEXT.matcher(text);
        while (spans.find()) {
            commands.add(new GuideCommand(spans.group(1), null, true));
        }
    }

    private void addBlock(List<String> block) {
        String first = block.get(0).strip();
        if (first.startsWith("$ ")) {
            for (String part : joined(block).split("(?m)^\\$ ")) {
                int end = part.indexOf('\n');
                if (end > 0) {
                    String output = mask(part.substring(end + 1));
                    commands.add(new GuideCommand(part.substring(0, end), output.isEmpty() ? null : output, false));
                }
            }
        } else if (first.endsWith(":")) {
            others.add(first);
        } else {
            joined(block).lines().forEach(line -> commands.add(new GuideCommand(line, null, false)));
        }
    }

    /** Returns the lines of a block, without their indentation, and each continued one with the next. */
    private static String joined(List<String> block) {
        int indentation = block.get(0).length() - block.get(0).stripLeading().length();
        StringBuilder text = new StringBuilder();
        for (String line : block) {
            text.append(line.substring(Math.min(indentation, line.length()))).append('\n');
        }
        return text.toString().replaceAll("\\\\\n +", "").replaceAll("\\|\n +", "| ");
    }

    /** Returns an output without what differs from run to run: ages, hashes, names of pods and widths of columns. */
    static String mask(String output) {
        return output.replaceAll("(?<![0-9a-z])[0-9]+[smhd]([0-9]+[smh])?(?![0-9a-z])", "AGE")
                .replaceAll("(?<![0-9a-z])[0-9a-f]{8,10}-[0-9a-z]{5}(?![0-9a-z])", "POD")
                .replaceAll("(?<![0-9a-z])[0-9a-f]{8,10}(?![0-9a-z])", "HASH")
                .replaceAll("(?m)[ \t]+", " ")
                .replaceAll("(?m) ?$", "");
    }

    /** Returns the commands in the order of the guide. */
    List<GuideCommand> commands() {
        return commands;
    }

    /** Returns the first lines of indented blocks that contain no commands. */
    List<String> others() {
        return others;
    }
}
