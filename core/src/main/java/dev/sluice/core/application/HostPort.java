package dev.sluice.core.application;

/**
 * A port of its node that a task uses.
 *
 * @param port the number, from 1 to {@value #PORT_MAX}
 * @param protocol the protocol
 * @param ip the address of the node; {@link #ANY_IP} for all of them
 */
public record HostPort(int port, Protocol protocol, String ip) {

    /** The largest number of a port. */
    public static final int PORT_MAX = 65_535;

    /** All addresses of the node. */
    public static final String ANY_IP = "0.0.0.0";

    /** The protocols of ports. */
    public enum Protocol {
        /** Transmission Control Protocol. */
        TCP,
        /** User Datagram Protocol. */
        UDP,
        /** Stream Control Transmission Protocol. */
        SCTP
    }

    /** Throws {@link IllegalArgumentException} if the port is out of range or the address is empty. */
    public HostPort {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("a host port must be between 1 and " + PORT_MAX);
        }
        if (ip.isEmpty()) {
            throw new IllegalArgumentException("the address of a host port must not be empty");
        }
    }

    /** Returns whether two tasks on one node cannot use both: port and protocol are equal, and an address is shared. */
    public boolean conflictsWith(HostPort other) {
        return port == other.port
                && protocol == other.protocol
                && (ip.equals(other.ip) || ip.equals(ANY_IP) || other.ip.equals(ANY_IP));
    }

    /** Returns address, port and protocol, as far as they are not the default. */
    @Override
    public String toString() {
        return (ip.equals(ANY_IP) ? "" : (ip.contains(":") ? "[" + ip + "]:" : ip + ":"))
                + port
                + (protocol == Protocol.TCP ? "" : "/" + protocol);
    }
}
