package dev.sluice.cli;

import picocli.CommandLine.IVersionProvider;

/** Versions of the program and the JVM. */
final class ProgramVersion implements IVersionProvider {

    /** Version when the program is not packaged, as in an IDE. */
    private static final String UNPACKED = "development";

    static String number() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKED : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"sluice " + number() + " (Java " + Runtime.version() + ")"};
    }
}
