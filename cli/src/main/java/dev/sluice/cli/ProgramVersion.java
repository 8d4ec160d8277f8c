package dev.sluice.cli;

import picocli.CommandLine.IVersionProvider;

/** Versions of the program and the JVM. */
final class ProgramVersion implements IVersionProvider {

    /** Version when the program is not packaged, as in an IDE. */
    private static final String UNPACKED = "development";

    @Override
    public String[] getVersion() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return new String[] {"sluice " + (version == null ? UNPACKED : version) + " (Java " + Runtime.version() + ")"};
    }
}
