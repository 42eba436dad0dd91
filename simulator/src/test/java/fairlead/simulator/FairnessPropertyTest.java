package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.justice.Judge;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Goal: the rule holds in every lab, at every time. Method: random labs under the real controller,
 * and a judge who knows the rule from the docs and not from the policies.
 */
class FairnessPropertyTest {
    /** Of stops of one job for others: three of different people, and one of its own owner's. */
    private static final int STOPS_AN_HOUR_MAX = 6;

    @Seeds(200)
    void fairIsFair(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("fair", 0)));
    }

    @Seeds(40)
    void fairIsFairToTrainingJobsToo(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("fair", 50)));
    }

    @Seeds(40)
    void elasticIsFairFirst(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("elastic", 30)));
    }

    @Seeds(10)
    void elasticIsFairAmongTrainingJobs(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("elastic", 100)));
    }

    @Seeds(
            value = 40,
            also = {
                2001066, 2004918, 2007698, 2009918, 2019046, 3012996, 4013866, 4034936, 4086816,
                5052926, 5093466
            })
    void whoFillsANodeMakesRoom(long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind("elastic", 40, true)));
    }

    /** In each of these somebody was wronged once, or the judge accused without a reason. */
    @ParameterizedTest
    @CsvSource({
        "fair, 0, 300930",
        "fair, 0, 401368",
        "fair, 0, 403661",
        "fair, 0, 404534",
        "fair, 0, 407604",
        "fair, 0, 408179",
        "fair, 0, 508380",
        "fair, 0, 904106",
        "fair, 0, 2006948",
        "fair, 0, 2011294",
        "fair, 0, 3006713",
        "fair, 0, 4068920",
        "fair, 0, 4092643",
        "fair, 0, 5032018",
        "fair, 0, 5058238",
        "fair, 0, 7057865",
        "fair, 0, 9043320",
        "fair, 0, 11068993",
        "fair, 50, 401212",
        "fair, 50, 900823",
        "fair, 50, 3011507",
        "fair, 50, 4089637",
        "fair, 50, 5077551",
        "fair, 50, 5088717",
        "elastic, 30, 300429",
        "elastic, 30, 300767",
        "elastic, 30, 301114",
        "elastic, 30, 301477",
        "elastic, 30, 1200135",
        "elastic, 30, 1202002",
        "elastic, 30, 1202083",
        "elastic, 30, 1202580",
        "elastic, 30, 1300432",
        "elastic, 30, 2005663",
        "elastic, 30, 2009923",
        "elastic, 30, 2018249",
        "elastic, 30, 3011969",
        "elastic, 30, 4031412",
        "elastic, 30, 4045159",
        "elastic, 30, 4049092",
        "elastic, 30, 4091332",
        "elastic, 30, 5046982",
        "elastic, 100, 300032",
        "elastic, 100, 300099",
        "elastic, 100, 300162",
        "elastic, 100, 300226",
        "elastic, 100, 300345",
        "elastic, 100, 900444",
        "elastic, 100, 901001",
        "elastic, 100, 1220197",
        "elastic, 100, 1220394",
        "elastic, 100, 1220402",
        "elastic, 100, 1220525",
        "elastic, 100, 2004956",
        "elastic, 100, 2008536",
        "elastic, 100, 2017596",
        "elastic, 100, 4066884",
        "elastic, 100, 4075504",
        "elastic, 100, 5048464",
        "elastic, 100, 6018964",
        "elastic, 100, 7017214",
        "elastic, 100, 9055424"
    })
    void labsThatOnceWereUnfairAreFair(String policy, int percent, long seed) throws Exception {
        check(new Lab(seed, new Lab.Kind(policy, percent)));
    }

    /** Or the tests above would prove nothing: the judge finds what others do wrong. */
    @Test
    void othersAreNot() throws Exception {
        int wrongs = 0;
        for (long seed = 0; seed < 20; seed++) {
            var lab = new Lab(seed, new Lab.Kind("backfill", 0));
            wrongs += tooLong(lab.judge, lab.run()).size();
        }
        assertTrue(wrongs > 20, "wrongs: " + wrongs);
    }

    private static void check(Lab lab) throws Exception {
        Instant end = lab.run();
        assertEquals(List.of(), tooLong(lab.judge, end));
        assertEquals(List.of(), lab.judge.faults());
        int stops = lab.judge.stopsWithin(Duration.ofHours(1));
        assertTrue(stops <= STOPS_AN_HOUR_MAX, stops + " stops of one job within an hour");
    }

    private static List<Judge.Wrong> tooLong(Judge judge, Instant end) {
        return judge.wrongs(end).stream().filter(wrong -> wrong.beyond().isPositive()).toList();
    }
}
