package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.justice.Judge;
import fairlead.testing.Seeds;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Goal: the rule holds in every lab, at every time. Method: random labs under the real controller,
 * and a judge who knows the rule from the docs and not from the policies.
 */
class FairnessPropertyTest {
    @Seeds(100)
    void fairIsFair(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("fair", 0)));
    }

    @Seeds(100)
    void fairIsFairToTrainingJobsToo(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("fair", 50)));
    }

    @Seeds(100)
    void elasticIsFairFirst(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("elastic", 30)));
    }

    @Seeds(100)
    void elasticIsFairAmongTrainingJobs(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("elastic", 100)));
    }

    private static void check(Lab lab) throws Exception {
        Instant end = lab.run();
        List<Judge.Wrong> tooLong =
                lab.judge.wrongs(end).stream()
                        .filter(wrong -> wrong.beyond().compareTo(Duration.ZERO) > 0)
                        .toList();
        assertEquals(List.of(), tooLong);
        assertEquals(List.of(), lab.judge.faults());
    }
}
