package dev.sluice.config.yaml;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * A syntax error in YAML, explained to people who do not know how a parser works.
 *
 * @param line the line, from 1
 * @param column the column, from 1
 * @param message what is wrong and how to fix it
 */
record SyntaxProblem(int line, int column, String message) {

    /** What is wrong with an escape such as {@code \x} that is not complete. */
    static final String MISSING_DIGITS = "missing hexadecimal digits after the backslash and its letter: write, for"
            + " example, \\u00e9, or \\\\ for a backslash";

    private static final String OTHER = "not valid YAML: check the indentation, quotes and brackets near this place";

    /** Returns the explanation of an exception of the parser for this text. */
    static SyntaxProblem of(String text, MarkedYamlEngineException exception) {
        return new Translation(text, exception).problem();
    }

    /** Translates one exception. */
    private static final class Translation {

        private final List<String> lines;
        private final String problem;
        private final String context;
        private final int line;
        private final int column;
        private final int contextLine;
        private final int contextColumn;

        Translation(String text, MarkedYamlEngineException exception) {
            Mark mark = exception.getProblemMark().or(exception::getContextMark).orElse(null);
            Mark begin = exception.getContextMark().orElse(mark);
            this.lines = text.lines().toList();
            this.problem = String.valueOf(exception.getProblem());
            this.context = String.valueOf(exception.getContext());
            this.line = mark == null ? 1 : mark.getLine() + 1;
            this.column = mark == null ? 1 : mark.getColumn() + 1;
            this.contextLine = begin == null ? line : begin.getLine() + 1;
            this.contextColumn = begin == null ? column : begin.getColumn() + 1;
        }

        SyntaxProblem problem() {
            int tab = indentingTab(line);
            if (tab > 0) {
                return new SyntaxProblem(line, tab, "tab in the indentation: indent YAML with spaces");
            }
            if (problem.startsWith("expected ',' or ']'")) {
                return brackets("[", "]");
            }
            if (problem.startsWith("expected ',' or '}'")) {
                return brackets("{", "}");
            }
            if (problem.startsWith("expected <block end>")) {
                return blockEnd(found());
            }
            if (problem.startsWith("expected the node content")) {
                return content(found());
            }
            if (problem.startsWith("mapping values are not allowed")) {
                return mappingValue();
            }
            if (problem.startsWith("could not find expected ':'")) {
                return atContext("this line has no colon: write key: value, or put multi-line text in quotes");
            }
            if (problem.startsWith("sequence entries are not allowed")) {
                return here("a list cannot start on the line of its key: start it on a new line, or write [a, b]");
            }
            return context.startsWith("while scanning") ? scalar() : document();
        }

        private SyntaxProblem here(String message) {
            return new SyntaxProblem(line, column, message);
        }

        private SyntaxProblem atContext(String message) {
            return new SyntaxProblem(contextLine, contextColumn, message);
        }

        /** Returns what the parser found instead of what it expected, without quotes. */
        private String found() {
            int from = problem.lastIndexOf("found '");
            return from < 0 ? "" : problem.substring(from + "found '".length(), problem.length() - 1);
        }

        private SyntaxProblem brackets(String opened, String closing) {
            String got = problem.substring(problem.lastIndexOf(' ') + 1);
            if (got.equals("<end>") || problem.endsWith("<stream end>")) {
                return atContext("this " + opened + " is never closed: add " + closing + " where it ends");
            }
            if (got.equals("]") || got.equals("}")) {
                return here("this " + got + " does not match the " + opened + " in line " + contextLine + ", column "
                        + contextColumn + ": write " + closing);
            }
            if (line == contextLine) {
                return here(
                        "missing comma: separate the values between " + opened + " and " + closing + " with commas");
            }
            return atContext("this " + opened + " is not closed, or a comma is missing before line " + line + ": add "
                    + closing + " where it ends, or the comma");
        }

        private SyntaxProblem blockEnd(String found) {
            return switch (found) {
                case "<block sequence start>", "<block mapping start>" -> wrongIndentation();
                case "?" -> here("this is a key among the items of a list: indent it, or" + " start it with -");
                case "-" -> here("this is a list item among keys: move it below a" + " key, or remove the -");
                case "]", "}" -> unmatchedClosingBracket(found);
                case "<scalar>" ->
                    here("text after the end of the value: put the whole value in quotes, and write a single"
                            + " quote inside single quotes twice");
                default -> here(OTHER);
            };
        }

        private SyntaxProblem content(String found) {
            return switch (found) {
                case "]", "}" -> unmatchedClosingBracket(found);
                case "," -> here("value missing before this comma: remove the comma, or write a value");
                default -> here("value missing: write one, or put the text in quotes");
            };
        }

        private SyntaxProblem unmatchedClosingBracket(String bracket) {
            return here("this " + bracket + " has no opening bracket: remove it, add "
                    + (bracket.equals("]") ? "[" : "{") + " where it starts, or put the text in quotes");
        }

        /** Explains a colon that makes a key of something that cannot be a key. */
        private SyntaxProblem mappingValue() {
            String text = textOf(line);
            String before = text.substring(0, Math.min(text.length(), column - 1));
            if (before.contains(": ")) {
                return here("second colon in one line: put the value in quotes, or the second key on a line of its"
                        + " own");
            }
            int above = lineAbove(line);
            if (above > 0 && indentOf(above) >= indentOf(line) && !textOf(above).contains(":")) {
                return new SyntaxProblem(above, indentOf(above) + 1, "this line has no colon: write key: value");
            }
            return wrongIndentation();
        }

        private SyntaxProblem wrongIndentation() {
            int indent = indentOf(line);
            SortedSet<Integer> columns = new TreeSet<>();
            int deeper = -1;
            for (int above = lineAbove(line); above > 0; above = lineAbove(above)) {
                int other = indentOf(above);
                if (other <= indent) {
                    columns.add(other + 1);
                    break;
                }
                deeper = other;
            }
            if (deeper > 0) {
                columns.add(deeper + 1);
            }
            columns.remove(indent + 1);
            String wanted = columns.stream().map(String::valueOf).collect(Collectors.joining(" or "));
            return new SyntaxProblem(
                    line,
                    indent + 1,
                    "wrong indentation: this line starts in column " + (indent + 1)
                            + (wanted.isEmpty()
                                    ? ": align it with the lines it belongs to"
                                    : ", the lines above in column " + wanted + ": align it with those it belongs to"));
        }

        private SyntaxProblem scalar() {
            if (problem.startsWith("found unexpected end of stream") && context.contains("quoted")) {
                char quote = charAt(contextLine, contextColumn);
                return atContext("this quote is never closed: add " + quote + " where the text ends");
            }
            if (problem.startsWith("found unknown escape")) {
                return here("\\" + charAt(line, column)
                        + " is not an escape in double quotes: write \\\\ for a backslash," + " or use single quotes");
            }
            if (problem.startsWith("expected escape sequence")) {
                return here(MISSING_DIGITS);
            }
            if (context.contains("block scalar")) {
                return here("text after | or > must start on the next line: move it there, or put the value in quotes");
            }
            if (context.contains("alias") || context.contains("anchor") || context.contains("tag")) {
                return atContext("text cannot start with " + charAt(contextLine, contextColumn) + ": put it in quotes");
            }
            if (problem.contains("cannot start any token")) {
                return here("text cannot start with " + charAt(line, column) + ": put it in quotes");
            }
            if (problem.startsWith("DEL character")) {
                return here("the character U+007F must be escaped: in double quotes, write \"\\u007F\"");
            }
            return here(OTHER);
        }

        private SyntaxProblem document() {
            if (!lines.isEmpty() && lines.get(0).startsWith("%")) {
                return new SyntaxProblem(1, 1, "unexpected line with %: remove it");
            }
            return problem.contains("<document start>")
                    ? here("only one document per file: remove everything after ...")
                    : here(OTHER);
        }

        private String textOf(int number) {
            return number < 1 || number > lines.size() ? "" : lines.get(number - 1);
        }

        private char charAt(int number, int at) {
            String text = textOf(number);
            int index = text.offsetByCodePoints(0, Math.min(at - 1, text.codePointCount(0, text.length())));
            return index < text.length() ? text.charAt(index) : '?';
        }

        private int indentOf(int number) {
            String text = textOf(number);
            return text.length() - text.stripLeading().length();
        }

        /** Returns the nearest line above that is neither empty nor a comment; 0 if there is none. */
        private int lineAbove(int number) {
            int above = Math.min(number, lines.size() + 1) - 1;
            while (above > 0
                    && (textOf(above).isBlank() || textOf(above).stripLeading().startsWith("#"))) {
                above--;
            }
            return above;
        }

        /** Returns the column of a tab that indents this line or a value; 0 if there is none. */
        private int indentingTab(int number) {
            String text = textOf(number);
            int tab = text.indexOf('\t');
            boolean indents = tab >= 0
                    && text.substring(0, tab).chars().allMatch(c -> c == ' ' || c == '-' || c == '?' || c == ':');
            return indents ? tab + 1 : 0;
        }
    }
}
