package dev.sluice.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.state.Vectors;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Amounts saturate; unnamed types are zero in a demand and unlimited in a limit. */
class ResourceTest {

    private static final Amount MOST = Amount.UNLIMITED;

    @Test
    void amount_arithmetic_saturates() {
        assertThat(MOST.plus(new Amount(1))).isEqualTo(MOST);
        assertThat(new Amount(Long.MAX_VALUE - 1).plus(new Amount(5))).isEqualTo(MOST);
        assertThat(new Amount(1L << 62).times(2)).isEqualTo(MOST);
        assertThat(new Amount(3).times(Long.MAX_VALUE)).isEqualTo(MOST);
        assertThat(new Amount(3).times(4)).isEqualTo(new Amount(12));
        assertThat(MOST.times(0)).isEqualTo(Amount.ZERO);
        assertThat(new Amount(3).minus(new Amount(5))).isEqualTo(Amount.ZERO);
        assertThat(new Amount(5).minus(new Amount(3))).isEqualTo(new Amount(2));
        assertThat(MOST.minus(new Amount(3))).isEqualTo(MOST);
    }

    @Test
    void amount_negative_isRefused() {
        assertThatThrownBy(() -> new Amount(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Amount(1).times(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resources.of("vcore", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unnamedType_asAmountOrLimit_isZeroOrUnlimited() {
        Resources resources = Resources.parse("vcore", "2", "gpu", "0");

        assertThat(resources.amount("memory")).isEqualTo(Amount.ZERO);
        assertThat(resources.limit("memory")).isEqualTo(MOST);
        assertThat(resources.amount("gpu")).isEqualTo(Amount.ZERO);
        assertThat(resources.limit("gpu")).isEqualTo(Amount.ZERO);
        assertThat(resources.names("gpu")).isTrue();
        assertThat(resources.names("memory")).isFalse();
    }

    @Test
    void demand_comparedWithLimits_isWithinOrNot() {
        Resources limits = Resources.parse("vcore", "2", "gpu", "0");

        assertThat(Resources.parse("vcore", "2", "memory", "9Ti").isWithin(limits))
                .isTrue();
        assertThat(Resources.parse("vcore", "2001m").isWithin(limits)).isFalse();
        assertThat(Resources.parse("gpu", "1").isWithin(limits)).isFalse();
        assertThat(Resources.NONE.isWithin(limits)).isTrue();
    }

    @Test
    void resources_addedAndMultiplied_keepEveryType() {
        Resources sum =
                Resources.parse("vcore", "1", "gpu", "2").plus(Resources.parse("vcore", "500m", "memory", "1Gi"));

        assertThat(sum).isEqualTo(Resources.parse("vcore", "1500m", "gpu", "2", "memory", "1Gi"));
        assertThat(sum.times(2)).isEqualTo(Resources.parse("vcore", "3", "gpu", "4", "memory", "2Gi"));
        assertThat(sum).hasToString("gpu 2, memory 1Gi, vcore 1500m");
    }

    @Test
    void resources_sourceMapChanged_areUnchanged() {
        Map<String, Amount> map = new HashMap<>(Map.of("gpu", new Amount(1)));
        Resources resources = Resources.of(map);

        map.put("gpu", new Amount(9));

        assertThat(resources).isEqualTo(Resources.parse("gpu", "1"));
        assertThatThrownBy(() -> resources.amounts().put("gpu", Amount.ZERO))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void resources_withoutPairsOrNames_areRefused() {
        assertThatThrownBy(() -> Resources.parse("vcore")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resources.of("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TaskSpec.single("t", Resources.parse("slots", "1")))
                .hasMessageContaining("a task cannot request slots");
    }

    @Test
    void types_addedInSequence_keepTheirIndexes() {
        ResourceTypes types = new ResourceTypes();
        long[] early = types.vector(Resources.parse("gpu", "3"), 0);
        long[] late = types.vector(Resources.parse("fpga", "5", "vcore", "1"), 0);
        long[] limits = types.vector(Resources.parse("gpu", "7"), Long.MAX_VALUE);

        assertThat(types.find("slots")).isEqualTo(ResourceTypes.SLOTS_INDEX);
        assertThat(types.find("unknown")).isEqualTo(-1);
        assertThat(types.resources(type -> Vectors.at(early, type))).isEqualTo(Resources.parse("gpu", "3"));
        assertThat(types.resources(type -> Vectors.at(late, type)))
                .isEqualTo(Resources.parse("fpga", "5", "vcore", "1"));
        assertThat(limits[types.find("gpu")]).isEqualTo(7);
        assertThat(limits[types.find("fpga")]).isEqualTo(Long.MAX_VALUE);
    }
}
