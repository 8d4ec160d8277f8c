package dev.sluice.cli.client;

import dev.sluice.cli.source.FileProblem;
import dev.sluice.config.field.Field;
import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.output.YamlPrinter;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a context file.
 *
 * @param current the name of the current context, or null
 * @param all contexts in file order, with unique names
 */
public record Contexts(@Nullable String current, List<ServerContext> all) {

    /** Environment variable with the path of the context file. */
    public static final String VARIABLE = "SLUICE_CONTEXT";

    private static final int NAME_LENGTH_MAX = 256;
    private static final Keys KEYS = Keys.of(
            "context file",
            null,
            Key.of("current", KeyType.NAME, "The name of the current context."),
            Key.of("contexts", KeyType.sections(() -> Contexts.CONTEXT_KEYS), "The contexts."));
    private static final Keys CONTEXT_KEYS = Keys.of(
            "context",
            null,
            Key.of("name", KeyType.NAME, "The name of the context.").isRequired(),
            Key.of("server", KeyType.TEXT, "The address of the server.").isRequired(),
            Key.of("partition", KeyType.TEXT, "The name of the default partition."),
            Key.of("token-file", KeyType.TEXT, "The absolute path of the file with the access token for the server."),
            Key.of(
                    "ca",
                    KeyType.TEXT,
                    "The absolute path of the PEM file with the trusted issuers of the server's certificate."));

    public Contexts {
        all = List.copyOf(all);
    }

    /** Returns the path of the context file. */
    public static Path file(Map<String, String> environment, String home) {
        String named = environment.get(VARIABLE);
        return named == null || named.isEmpty() ? Path.of(home, ".config", "sluice", "context.yaml") : Path.of(named);
    }

    /** Reads a context file; a missing file has no contexts. */
    public static Contexts read(Path file) {
        if (!Files.exists(file)) {
            return new Contexts(null, List.of());
        }
        Problems problems = new Problems(file.toString());
        YamlValue document = YamlReader.read(file, problems);
        ParseResult<Contexts> reading = problems.result(document == null ? null : read(document, problems));
        if (!reading.isOk()) {
            throw ClientException.badInput(reading.report().strip());
        }
        return reading.value();
    }

    private static @Nullable Contexts read(YamlValue document, Problems problems) {
        Section section = Field.root(document, problems).asSection("a list of contexts", KEYS);
        if (section == null) {
            return null;
        }
        List<ServerContext> contexts = new ArrayList<>();
        Field list = section.get("contexts");
        if (list != null) {
            for (Field item : list.asList("contexts")) {
                ServerContext context = context(item);
                if (context != null) {
                    if (contexts.stream().anyMatch(each -> each.name().equals(context.name()))) {
                        item.problem("duplicate context " + context.name());
                    }
                    contexts.add(context);
                }
            }
        }
        Field current = section.get("current");
        String name = current == null ? null : current.asName("the name of a context", NAME_LENGTH_MAX);
        if (current != null
                && name != null
                && contexts.stream().noneMatch(each -> each.name().equals(name))) {
            current.problem("context " + name + " not found in this file");
        }
        return new Contexts(name, contexts);
    }

    private static @Nullable ServerContext context(Field item) {
        Section section = item.asSection("a context", CONTEXT_KEYS);
        if (section == null) {
            return null;
        }
        Field name = section.require("name", "missing name of the context");
        Field server = section.require("server", "missing server of the context, such as unix:/run/sluice/sluice.sock");
        Field partition = section.get("partition");
        Field tokenFile = section.get("token-file");
        Field ca = section.get("ca");
        String nameText = name == null ? null : name.asName("the name of a context", NAME_LENGTH_MAX);
        String serverText = server == null ? null : server.asText();
        return nameText == null || serverText == null
                ? null
                : new ServerContext(
                        nameText,
                        serverText,
                        partition == null ? null : partition.asText(),
                        tokenFile == null ? null : path(tokenFile, "token file"),
                        ca == null ? null : path(ca, "file with certificates"));
    }

    private static @Nullable Path path(Field field, String what) {
        String text = field.asText();
        if (text == null) {
            return null;
        }
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            field.problem("not a path");
            return null;
        }
        field.problem("the path of the " + what + " must be absolute");
        return null;
    }

    /** Returns the context with this name, or null. */
    public @Nullable ServerContext find(@Nullable String name) {
        return all.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    /** Returns the context with this name; throws {@link ClientException} if it is not found. */
    public ServerContext get(String name) {
        ServerContext context = find(name);
        if (context == null) {
            throw ClientException.badInput("context " + name + " not found: "
                    + (all.isEmpty()
                            ? "create one with sluice context set"
                            : "known contexts are "
                                    + String.join(
                                            ", ",
                                            all.stream()
                                                    .map(ServerContext::name)
                                                    .toList())));
        }
        return context;
    }

    /** Returns these contexts with one added or replaced. */
    public Contexts with(ServerContext context) {
        List<ServerContext> contexts = new ArrayList<>(all);
        int at = contexts.indexOf(find(context.name()));
        if (at < 0) {
            contexts.add(context);
        } else {
            contexts.set(at, context);
        }
        return new Contexts(current, contexts);
    }

    /** Returns these contexts without one. */
    public Contexts without(String name) {
        String gone = get(name).name();
        return new Contexts(
                gone.equals(current) ? null : current,
                all.stream().filter(each -> !each.name().equals(gone)).toList());
    }

    /** Returns these contexts with another current one. */
    public Contexts using(String name) {
        return new Contexts(get(name).name(), all);
    }

    /** Replaces the file atomically. */
    public void write(Path file) {
        OutputMap document = new OutputMap();
        if (current != null) {
            document.put("current", Output.text(current));
        }
        OutputList list = new OutputList();
        for (ServerContext context : all) {
            OutputMap item = new OutputMap();
            item.put("name", Output.text(context.name())).put("server", Output.text(context.server()));
            String partition = context.partition();
            if (partition != null) {
                item.put("partition", Output.text(partition));
            }
            Path tokenFile = context.tokenFile();
            if (tokenFile != null) {
                item.put("token-file", Output.text(tokenFile.toString()));
            }
            Path ca = context.ca();
            if (ca != null) {
                item.put("ca", Output.text(ca.toString()));
            }
            list.add(item);
        }
        document.put("contexts", list);
        try {
            Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            Path fresh = Files.createTempFile(folder, "context", ".yaml");
            Files.writeString(fresh, YamlPrinter.print(document));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw ClientException.badInput("cannot write " + file + ": " + FileProblem.text(e));
        }
    }
}
