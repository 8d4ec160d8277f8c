package dev.sluice.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what is wrong with a page: tags that do not match, inline code, other hosts, missing labels and landmarks. */
final class HtmlCheck {

    private static final Set<String> VOID = Set.of("meta", "link", "input", "br", "hr");
    private static final Pattern TAG =
            Pattern.compile("<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\\s+[^<>\"]+(?:\"[^\"]*\")?)*)\\s*(/?)>");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-zA-Z:-]+)(?:=\"([^\"]*)\")?");

    private HtmlCheck() {}

    static List<String> problems(String html) {
        List<String> problems = new ArrayList<>();
        String text = html.replaceFirst("(?i)^\\s*<!DOCTYPE html>", "").replaceAll("content='[^']*'", "content=\"\"");
        Deque<String> open = new ArrayDeque<>();
        Set<String> ids = new HashSet<>();
        Matcher tag = TAG.matcher(text);
        int end = 0;
        while (tag.find()) {
            String between = text.substring(end, tag.start());
            if (between.contains("<")) {
                problems.add("stray < in: " + between.strip());
            }
            end = tag.end();
            String name = tag.group(2);
            if (!tag.group(1).isEmpty()) {
                if (open.isEmpty() || !open.pop().equals(name)) {
                    problems.add("unexpected </" + name + ">");
                }
                continue;
            }
            attributes(name, tag.group(3), ids, problems);
            if (!VOID.contains(name) && tag.group(4).isEmpty()) {
                open.push(name);
            }
        }
        if (!open.isEmpty()) {
            problems.add("not closed: " + open);
        }
        for (String landmark : List.of("<main", "<html lang=", "<title>", "<h1>")) {
            if (!html.contains(landmark)) {
                problems.add("missing " + landmark);
            }
        }
        return problems;
    }

    private static void attributes(String tag, String text, Set<String> ids, List<String> problems) {
        Matcher attribute = ATTRIBUTE.matcher(text);
        while (attribute.find()) {
            String name = attribute.group(1);
            String value = attribute.group(2) == null ? "" : attribute.group(2);
            if (name.equals("style") || name.startsWith("on") || name.startsWith("hx-on")) {
                problems.add("inline code: " + tag + " " + name);
            }
            if (value.matches("(?i)\\s*(https?:)?//.*|\\s*javascript:.*")) {
                problems.add("leads elsewhere: " + tag + " " + name + "=" + value);
            }
            if (name.equals("id") && !ids.add(value)) {
                problems.add("duplicate id " + value);
            }
        }
    }
}
