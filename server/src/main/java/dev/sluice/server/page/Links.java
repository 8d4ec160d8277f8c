package dev.sluice.server.page;

import dev.sluice.server.access.SignInSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The addresses of pages. */
public final class Links {

    /** The overview, below which all pages are. */
    public static final String ROOT = "/ui";

    public static final String SIGN_IN = ROOT + "/sign-in";
    public static final String SIGN_IN_AT_ISSUER = SIGN_IN + "/issuer";
    public static final String SIGN_IN_CALLBACK = SignInSettings.REDIRECT_PATH;
    public static final String SIGN_OUT = ROOT + "/sign-out";
    public static final String CONFIGURATION = ROOT + "/configuration";
    public static final String CHANGES = ROOT + "/changes";

    private Links() {}

    private static String partition(String name) {
        return ROOT + "/partitions/" + encoded(name);
    }

    public static String queues(String partition) {
        return partition(partition) + "/queues";
    }

    public static String queue(String partition, String path) {
        return queues(partition) + "/" + encoded(path);
    }

    public static String applications(String partition) {
        return partition(partition) + "/applications";
    }

    public static String application(String partition, String id) {
        return applications(partition) + "/" + encoded(id);
    }

    public static String task(String partition, String application, String task) {
        return application(partition, application) + "/tasks/" + encoded(task);
    }

    public static String finished(String partition) {
        return partition(partition) + "/finished";
    }

    public static String nodes(String partition) {
        return partition(partition) + "/nodes";
    }

    public static String node(String partition, String name) {
        return nodes(partition) + "/" + encoded(name);
    }

    public static String usage(String partition) {
        return partition(partition) + "/usage";
    }

    /** Returns the address of a file with what {@link #usage} shows. */
    public static String usageTable(String partition) {
        return usage(partition) + "/table";
    }

    public static String reports(String partition) {
        return partition(partition) + "/reports";
    }

    public static String report(String partition, long id) {
        return reports(partition) + "/" + id;
    }

    public static String drain(String partition) {
        return partition(partition) + "/drain";
    }

    /** Returns an address with these parameters, without the empty ones. */
    public static String with(String address, Map<String, String> parameters) {
        StringBuilder text = new StringBuilder(address);
        char separator = '?';
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            if (!parameter.getValue().isEmpty()) {
                text.append(separator).append(encoded(parameter.getKey()));
                text.append('=').append(encoded(parameter.getValue()));
                separator = '&';
            }
        }
        return text.toString();
    }

    /** Returns an address with these parameters and a changed one. */
    static String with(String address, Map<String, String> parameters, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return with(address, changed);
    }

    /** Returns whether a target is one of these pages, so that no link leads to another site. */
    static boolean isPage(String target) {
        return (target.equals(ROOT) || target.startsWith(ROOT + "/") || target.startsWith(ROOT + "?"))
                && target.chars().noneMatch(letter -> letter <= ' ' || letter == '\\' || letter > '~');
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
