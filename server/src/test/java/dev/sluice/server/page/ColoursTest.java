package dev.sluice.server.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether people who do not see all colours tell those of the page apart. Their view is simulated with the matrices for
 * missing cones of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency" (2009); differences are distances in the colour space CIELAB.
 */
final class ColoursTest {

    /** Colours that mean different things in one drawing. */
    private static final List<List<String>> TOGETHER = List.of(
            List.of("waiting", "running", "succeeded", "failed", "panel"),
            List.of("used", "permitted", "due"),
            List.of("heat0", "heat2", "heat4"),
            List.of("heat1", "heat3", "heat5"));

    /** A distance that people see at once; 2 is about the smallest that they see. */
    private static final double DISTANCE_MIN = 20;

    private static final Map<String, double[][]> VIEWS = Map.of(
            "all cones", new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            "protanopia",
                    new double[][] {
                        {0.152286, 1.052583, -0.204868},
                        {0.114503, 0.786281, 0.099216},
                        {-0.003882, -0.048116, 1.051998}
                    },
            "deuteranopia",
                    new double[][] {
                        {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
                    },
            "tritanopia",
                    new double[][] {
                        {1.255528, -0.076749, -0.178779},
                        {-0.078411, 0.930809, 0.147602},
                        {0.004733, 0.691367, 0.303900}
                    });

    private static final Pattern VARIABLE = Pattern.compile("--([a-z0-9]+): (#[0-9a-f]{3,6});");

    private static Map<String, String> colours(boolean dark) throws IOException {
        String css;
        try (InputStream in = Assets.class.getResourceAsStream("assets/page.css")) {
            css = new String(requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
        int scheme = css.indexOf("@media (prefers-color-scheme: dark)");
        int end = css.indexOf("\n}\n", scheme);
        Matcher variable = VARIABLE.matcher(dark ? css.substring(scheme, end) : css.substring(0, scheme));
        Map<String, String> colours = new HashMap<>();
        while (variable.find()) {
            colours.put(variable.group(1), variable.group(2));
        }
        return colours;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void coloursOfOneDrawing_differForEveryView(boolean dark) throws IOException {
        Map<String, String> colours = colours(dark);
        for (var view : VIEWS.entrySet()) {
            for (List<String> together : TOGETHER) {
                for (String one : together) {
                    for (String other : together.subList(together.indexOf(one) + 1, together.size())) {
                        double[] first = seen(requireNonNull(colours.get(one)), view.getValue());
                        double[] second = seen(requireNonNull(colours.get(other)), view.getValue());
                        assertThat(distance(first, second))
                                .as(one + " and " + other + ", " + view.getKey() + (dark ? ", dark" : ", light"))
                                .isGreaterThan(DISTANCE_MIN);
                    }
                }
            }
        }
    }

    /** Returns a colour in CIELAB as somebody sees it. */
    private static double[] seen(String colour, double[][] view) {
        String digits = colour.length() == 4 ? colour.substring(1).replaceAll("(.)", "$1$1") : colour.substring(1);
        double[] linear = new double[3];
        for (int i = 0; i < 3; i++) {
            double part = Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16) / 255.0;
            linear[i] = part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
        }
        return lab(times(view, linear));
    }

    private static double[] lab(double[] rgb) {
        double[] xyz = times(
                new double[][] {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, rgb);
        double x = root(xyz[0] / 0.9505);
        double y = root(xyz[1]);
        double z = root(xyz[2] / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double root(double part) {
        return part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16.0 / 116;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[3];
        for (int row = 0; row < 3; row++) {
            double sum = 0;
            for (int column = 0; column < 3; column++) {
                sum += matrix[row][column] * vector[column];
            }
            product[row] = Math.min(1, Math.max(0, sum));
        }
        return product;
    }

    private static double distance(double[] one, double[] other) {
        return Math.sqrt(
                Math.pow(one[0] - other[0], 2) + Math.pow(one[1] - other[1], 2) + Math.pow(one[2] - other[2], 2));
    }
}
