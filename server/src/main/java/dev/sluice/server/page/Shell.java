package dev.sluice.server.page;

import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the content of every page.
 *
 * @param title the title of the page
 * @param section the section of the navigation that it belongs to
 * @param partition the partition that the navigation leads to
 * @param partitions the names of all partitions
 * @param caller who reads it
 * @param signedIn whether the reader can sign out
 * @param formToken the token that forms must send
 * @param self the path and query of the page; empty if it does not update itself
 * @param interactive whether parts of it are loaded by themselves
 * @param sequence the version of the state that it shows
 * @param now when it was made
 */
public record Shell(
        String title,
        Section section,
        String partition,
        List<String> partitions,
        Caller caller,
        boolean signedIn,
        String formToken,
        String self,
        boolean interactive,
        long sequence,
        Instant now) {

    /** The sections of the navigation. */
    public enum Section {
        OVERVIEW("Overview"),
        QUEUES("Queues"),
        APPLICATIONS("Applications"),
        NODES("Nodes"),
        USAGE("Usage"),
        CONFIGURATION("Configuration"),
        REPORTS("Reports"),
        NONE("");

        private final String label;

        Section(String label) {
            this.label = label;
        }

        /** Returns the text of the link. */
        public String label() {
            return label;
        }

        /** Returns the sections that the navigation shows. */
        public static List<Section> shown() {
            return List.of(OVERVIEW, QUEUES, APPLICATIONS, NODES, USAGE, CONFIGURATION, REPORTS);
        }
    }

    public Shell {
        partitions = List.copyOf(partitions);
    }

    /** Returns the address of a section. */
    public String link(Section target) {
        return switch (target) {
            case OVERVIEW, NONE -> Links.ROOT;
            case QUEUES -> Links.queues(partition);
            case APPLICATIONS -> Links.applications(partition);
            case NODES -> Links.nodes(partition);
            case USAGE -> Links.usage(partition);
            case CONFIGURATION -> Links.CONFIGURATION;
            case REPORTS -> Links.reports(partition);
        };
    }

    /** Returns {@code page} for the section that is shown, or null. */
    public @Nullable String current(Section target) {
        return target == section ? "page" : null;
    }

    /** Returns whether the navigation is shown: only to those who may read. */
    public boolean hasNavigation() {
        return caller.role().includes(Role.VIEWER);
    }

    /** Returns how the reader is named. */
    public String reader() {
        return caller.source() == Caller.Source.UNVERIFIED
                ? "no sign-in (--insecure)"
                : caller.user() + ", " + caller.role().wireName();
    }

    /** Returns the address of the version of an asset. */
    public String asset(String name) {
        return Assets.link(name);
    }
}
