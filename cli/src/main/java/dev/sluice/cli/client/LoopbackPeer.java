package dev.sluice.cli.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Compares the user of the process at the other end of a connection on the loopback address with that of this one. */
public final class LoopbackPeer {

    /** The kernel's tables of connections: a line each, with both addresses in columns 1 and 2, and a uid in 7. */
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final String MAPPED = "0000000000000000FFFF0000";
    private static final int UID = 7;

    private LoopbackPeer() {}

    /** Returns whether both users are the same; false if that is unknown. */
    public static boolean isSameUser(InetSocketAddress peer, InetSocketAddress local) throws IOException {
        String own = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        for (Path table : TABLES) {
            if (Files.isReadable(table) && isListed(Files.readAllLines(table), peer, local, own)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a table has a connection from {@code peer} to {@code local} of this user. */
    static boolean isListed(List<String> table, InetSocketAddress peer, InetSocketAddress local, String uid) {
        String from = text(peer);
        String to = text(local);
        return table.stream()
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(columns -> columns.length > UID
                        && isAddress(columns[1], from)
                        && isAddress(columns[2], to)
                        && columns[UID].equals(uid));
    }

    private static boolean isAddress(String column, String address) {
        return column.equals(address) || column.equals(MAPPED + address);
    }

    /** Returns an IPv4 address and port as the kernel prints them. */
    private static String text(InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        int number = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
        return String.format("%08X:%04X", number, address.getPort());
    }
}
