package dev.sluice.server;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/**
 * Compares pictures of pages by the mean colours of squares: where words stand and what is coloured counts, the shapes
 * of single letters and digits do not.
 */
final class Pictures {

    /** The side of a square, in pixels: about the height of a line of text. */
    private static final int SIDE = 20;

    /** From which difference of a mean colour a square has changed; 255 is the one of black and white. */
    private static final double TOLERANCE = 20;

    private Pictures() {}

    /**
     * Returns the fraction of the squares of both pictures that differ, from 0 to 1. Where only one picture has a
     * square, it differs.
     *
     * @param first a PNG file
     * @param second a PNG file
     */
    static double difference(byte[] first, byte[] second) {
        BufferedImage before = read(first);
        BufferedImage after = read(second);
        int columns = squares(Math.max(before.getWidth(), after.getWidth()));
        int rows = squares(Math.max(before.getHeight(), after.getHeight()));
        int differing = 0;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                if (differs(before, after, column * SIDE, row * SIDE)) {
                    differing++;
                }
            }
        }
        return (double) differing / (rows * columns);
    }

    private static BufferedImage read(byte[] png) {
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
            if (image == null) {
                throw new IllegalArgumentException("not a picture");
            }
            return image;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int squares(int pixels) {
        return (pixels + SIDE - 1) / SIDE;
    }

    private static boolean differs(BufferedImage before, BufferedImage after, int x, int y) {
        if (!contains(before, x, y) || !contains(after, x, y)) {
            return true;
        }
        for (int shift : new int[] {0, 8, 16}) {
            if (Math.abs(mean(before, x, y, shift) - mean(after, x, y, shift)) > TOLERANCE) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(BufferedImage image, int x, int y) {
        return x < image.getWidth() && y < image.getHeight();
    }

    /** Returns the mean of one colour of a square, from 0 to 255. */
    private static double mean(BufferedImage image, int x, int y, int shift) {
        int right = Math.min(x + SIDE, image.getWidth());
        int bottom = Math.min(y + SIDE, image.getHeight());
        long sum = 0;
        for (int row = y; row < bottom; row++) {
            for (int column = x; column < right; column++) {
                sum += image.getRGB(column, row) >> shift & 0xff;
            }
        }
        return (double) sum / ((right - x) * (bottom - y));
    }
}
