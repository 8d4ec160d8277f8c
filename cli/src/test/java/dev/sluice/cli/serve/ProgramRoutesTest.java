package dev.sluice.cli.serve;

import dev.sluice.cli.ProgramTest;
import dev.sluice.server.RoutesContract;
import java.nio.file.Path;

/** The routes of a server of the packaged program. */
@ProgramTest
final class ProgramRoutesTest extends RoutesContract {

    private ServerProcess server;

    @Override
    protected int startServer(Path folder) throws Exception {
        server = ServerProcess.start(folder.resolve("data"), "--slots", "4");
        return server.port();
    }

    @Override
    protected void stopServer() {
        server.close();
    }
}
