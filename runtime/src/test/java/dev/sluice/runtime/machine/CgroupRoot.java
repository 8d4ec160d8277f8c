package dev.sluice.runtime.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A made-up cgroup v2 file system: folders with files that nobody interprets. */
public final class CgroupRoot {

    private final Path folder;

    /**
     * Creates the own group of this program, {@code service}.
     *
     * @param controllers the available controllers
     */
    public CgroupRoot(Path folder, String controllers) throws IOException {
        this.folder = folder;
        Files.createDirectories(service());
        Files.createDirectories(proc().resolve("self"));
        Files.writeString(folder.resolve("cgroup.controllers"), controllers + "\n");
        Files.writeString(service().resolve("cgroup.controllers"), controllers + "\n");
        setOwn("/service");
    }

    /** Moves this program to another group. */
    void setOwn(String path) throws IOException {
        Files.writeString(proc().resolve("self/cgroup"), "1:name=systemd:/x\n0::" + path + "\n");
    }

    Path proc() {
        return folder.resolve("proc");
    }

    Path root() {
        return folder;
    }

    /** Returns the own group. */
    public Path service() {
        return folder.resolve("service");
    }

    /** Returns limits by these groups. */
    public Enforcement enforcement() {
        return Enforcement.of(LimitMode.CGROUP, root(), proc());
    }
}
