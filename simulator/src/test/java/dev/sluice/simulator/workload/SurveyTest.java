package dev.sluice.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.csv.CsvWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurveyTest {

    @TempDir
    Path directory;

    private Survey survey(String rows) throws IOException {
        Path mapping = Texts.write(
                directory,
                "mapping.yaml",
                "applications: {submitted: t, duration: d, user: u, resources: {vcore: c, gpu: {column: g, whenempty: 0}}}");
        return Survey.of(CsvWorkload.read(Texts.write(directory, "table.csv", "t,d,u,c,g\n" + rows), mapping)
                .value());
    }

    @Test
    void workload_surveyed_isSummedUp() throws IOException {
        Survey survey = survey("5,10,a,2,\n7,0.5,b,1,4\nx,1,a,1,\n7,3,a,0.5,1\n");

        assertThat(survey.applications()).isEqualTo(3);
        assertThat(survey.tasks()).isEqualTo(3);
        assertThat(survey.users()).isEqualTo(2);
        assertThat(survey.first()).isEqualTo(Instant.ofEpochSecond(5));
        assertThat(survey.last()).isEqualTo(Instant.ofEpochSecond(7));
        assertThat(survey.work()).isEqualTo(Map.of("slots", 13.5, "vcore", 22_000.0, "gpu", 5.0));
        assertThat(survey.largestTask()).isEqualTo(Resources.parse("vcore", "2", "gpu", "4"));
        assertThat(survey.inOrder()).isTrue();
        assertThat(survey.broken().lines()).isEqualTo(4);
        assertThat(survey.broken().broken()).isOne();
    }

    @Test
    void workload_outOfOrder_isFoundSo() throws IOException {
        Survey survey = survey("5,1,a,1,\n9,1,a,1,\n4,1,a,1,\n");

        assertThat(survey.inOrder()).isFalse();
        assertThat(survey.first()).isEqualTo(Instant.ofEpochSecond(4));
        assertThat(survey.last()).isEqualTo(Instant.ofEpochSecond(9));
    }

    @Test
    void workload_withoutApplications_hasNoTimes() throws IOException {
        Survey survey = survey("");

        assertThat(survey.applications()).isZero();
        assertThat(survey.first()).isNull();
        assertThat(survey.last()).isNull();
        assertThat(survey.inOrder()).isTrue();
    }
}
