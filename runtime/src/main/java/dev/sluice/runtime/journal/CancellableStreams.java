package dev.sluice.runtime.journal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/**
 * Streams that check before each read or write whether to continue, and throw an {@link IOException} if not. The check
 * may block to throttle the work.
 */
final class CancellableStreams {

    private CancellableStreams() {}

    static InputStream input(InputStream in, BooleanSupplier shouldContinue) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                require(shouldContinue);
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                require(shouldContinue);
                return super.read(bytes, from, length);
            }
        };
    }

    static OutputStream output(OutputStream out, BooleanSupplier shouldContinue) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                require(shouldContinue);
                out.write(value);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                require(shouldContinue);
                out.write(bytes, from, length);
            }
        };
    }

    private static void require(BooleanSupplier shouldContinue) throws IOException {
        if (!shouldContinue.getAsBoolean()) {
            throw new IOException("cancelled");
        }
    }
}
