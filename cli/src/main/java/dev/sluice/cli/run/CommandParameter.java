package dev.sluice.cli.run;

import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputMap;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A parameter of a command: {@code seed=1..10}, {@code x=0..1..0.25} (from, to, step) or {@code lr=0.1,0.01}.
 *
 * @param name the name
 * @param values the values as written
 */
public record CommandParameter(String name, String values) {

    private static final String NUMBER = "([-+]?[0-9]+(?:\\.[0-9]+)?)";
    private static final Pattern RANGE = Pattern.compile(NUMBER + "\\.\\." + NUMBER + "(?:\\.\\." + NUMBER + ")?");

    /** Values that are short and may be part of an id. */
    private static final Pattern PART_OF_ID = Pattern.compile("[A-Za-z0-9._,+-]{1,60}");

    /**
     * Returns the parameters of these options.
     *
     * @throws JobException if one of them has no values, or two have the same name
     */
    public static List<CommandParameter> all(List<String> options) {
        List<CommandParameter> all = new ArrayList<>();
        for (String option : options) {
            int end = option.indexOf('=');
            if (end <= 0 || end == option.length() - 1) {
                String name = end < 0 ? option : option.substring(0, end);
                throw new JobException(
                        "\"" + option + "\" has no values: write " + name + "=1..10 or " + name + "=a,b");
            }
            String name = option.substring(0, end);
            if (all.stream().anyMatch(each -> each.name.equals(name))) {
                throw new JobException("duplicate parameter " + name + ": remove one");
            }
            all.add(new CommandParameter(name, option.substring(end + 1)));
        }
        return all;
    }

    /** Returns what follows the name in the ids of tasks: the values, if they are fit for it. */
    static String idSuffix(List<CommandParameter> parameters) {
        return parameters.stream()
                        .allMatch(each -> PART_OF_ID.matcher(each.values).matches())
                ? parameters.stream().map(each -> "-{" + each.name + "}").collect(Collectors.joining())
                : "";
    }

    /** Returns the values as in a job file. */
    Output output() {
        Matcher range = RANGE.matcher(values);
        if (!range.matches()) {
            return Output.texts(List.of(values.split(",", -1)));
        }
        OutputMap map = new OutputMap().put("from", Output.text(range.group(1))).put("to", Output.text(range.group(2)));
        return range.group(3) == null ? map : map.put("step", Output.text(range.group(3)));
    }
}
