package dev.sluice.cli;

import picocli.CommandLine.IVersionProvider;

/** Which version this is, and what it runs on. */
final class ProgramVersion implements IVersionProvider {

    /** The version where the program was not put together, as in an editor. */
    private static final String UNPACKED = "development";

    @Override
    public String[] getVersion() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return new String[] {"sluice " + (version == null ? UNPACKED : version) + " (Java " + Runtime.version() + ")"};
    }
}
