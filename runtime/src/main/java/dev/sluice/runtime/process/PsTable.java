package dev.sluice.runtime.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ps}, for systems without {@code /proc}. It reports groups but, on some systems, no sessions. */
final class PsTable implements ProcessTable {

    @Override
    public List<Row> read() {
        List<Row> rows = new ArrayList<>();
        try {
            Process ps = new ProcessBuilder("ps", "-A", "-o", "pid=,pgid=,stat=")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            ps.getOutputStream().close();
            try (BufferedReader lines = ps.inputReader(ISO_8859_1)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] fields = line.trim().split(" +", -1);
                    if (fields.length == 3 && !fields[2].startsWith("Z")) {
                        long group = Long.parseLong(fields[1]);
                        rows.add(new Row(Long.parseLong(fields[0]), group, group));
                    }
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return rows;
    }
}
