package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Map;

class LayoutTest {
    @Test
    void aSmallJobTakesTheTightestNodeSoThatWholeNodesStayWhole() {
        Layout layout = layout(2, 4, 3, 2);
        assertTrue(layout.fit(0, 2));
        assertEquals(Map.of(2, 2), layout.place(0));
        assertTrue(layout.fit(1, 4));
        assertEquals(Map.of(0, 4), layout.place(1));
    }

    @Test
    void amongEqualNodesTheFirstIsTaken() {
        Layout layout = layout(1, 4, 4);
        assertTrue(layout.fit(0, 2));
        assertEquals(Map.of(0, 2), layout.place(0));
    }

    @Test
    void aJobOfSixTakesThreeOnEachOfTwoNodes() {
        Layout layout = layout(1, 4, 2, 3);
        assertTrue(layout.fit(0, 6));
        assertEquals(Map.of(0, 3, 2, 3), layout.place(0));
    }

    @Test
    void aSizeThatDoesNotDivideAmongItsNodesHasNoPlace() {
        assertFalse(layout(1, 4, 4, 4).fit(0, 5));
    }

    @Test
    void smallJobsMoveTogetherWhenAWholeNodeIsNeeded() {
        Layout layout = layout(3, 4, 4);
        layout.keep(0, Map.of(0, 1), false);
        layout.keep(1, Map.of(1, 2), false);
        assertTrue(layout.fit(2, 4));
        assertEquals(Map.of(0, 4), layout.place(2));
        assertEquals(Map.of(1, 1), layout.place(0), "the smaller one had to move");
        assertEquals(Map.of(1, 2), layout.place(1));
    }

    @Test
    void aFixedJobIsNotMovedAndNothingChanges() {
        Layout layout = layout(3, 4, 4);
        layout.keep(0, Map.of(0, 1), true);
        layout.keep(1, Map.of(1, 2), true);
        assertFalse(layout.fit(2, 4));
        assertEquals(Map.of(0, 1), layout.place(0));
        assertTrue(layout.fit(2, 3), "what was free still is");
        assertEquals(Map.of(0, 3), layout.place(2));
    }

    @Test
    void aJobOfAsManyNodesAsThereAreHasAPlaceAndALargerOneHasNone() {
        assertTrue(layout(1, 4, 4).fit(0, 8));
        assertFalse(layout(1, 4, 4).fit(0, 12));
    }

    @Test
    void theEmptiestNodeIsClearedOntoTheTightestOne() {
        Layout layout = layout(4, 4, 4, 4);
        layout.keep(0, Map.of(0, 2), false);
        layout.keep(1, Map.of(1, 1), false);
        layout.keep(2, Map.of(2, 3), false);
        assertTrue(layout.fit(3, 4));
        assertEquals(Map.of(1, 4), layout.place(3));
        assertEquals(Map.of(2, 1), layout.place(1));
        assertEquals(Map.of(0, 2), layout.place(0));
        assertFalse(layout.fit(3, 3), "2 are free on the first node, and nothing elsewhere");
    }

    @Test
    void theSmallestMoveFirstEachToTheTightestNode() {
        Layout layout = layout(5, 4, 4, 4);
        layout.keep(0, Map.of(0, 2), false);
        layout.keep(1, Map.of(0, 1), false);
        layout.keep(2, Map.of(1, 2), true);
        layout.keep(3, Map.of(2, 3), true);
        assertTrue(layout.fit(4, 3));
        assertEquals(Map.of(0, 3), layout.place(4));
        assertEquals(Map.of(2, 1), layout.place(1));
        assertEquals(Map.of(1, 2), layout.place(0));
    }

    @Test
    void amongEqualNodesTheFirstTakesWhoeverMoves() {
        Layout layout = layout(4, 4, 4, 4);
        layout.keep(0, Map.of(0, 3), true);
        layout.keep(1, Map.of(1, 1), false);
        layout.keep(2, Map.of(2, 3), true);
        assertTrue(layout.fit(3, 4));
        assertEquals(Map.of(0, 1), layout.place(1));
    }

    @Test
    void noMoreMoveThanMust() {
        Layout layout = layout(4, 4, 4);
        layout.keep(0, Map.of(0, 1), false);
        layout.keep(1, Map.of(0, 1), false);
        layout.keep(2, Map.of(1, 2), true);
        assertTrue(layout.fit(3, 3));
        assertEquals(Map.of(1, 1), layout.place(0));
        assertEquals(Map.of(0, 1), layout.place(1), "it may stay");
    }

    @Test
    void severalNodesAreClearedForOneJob() {
        Layout layout = layout(5, 4, 4, 4, 4);
        layout.keep(0, Map.of(0, 1), false);
        layout.keep(1, Map.of(1, 1), false);
        layout.keep(2, Map.of(2, 2), true);
        layout.keep(3, Map.of(3, 4), true);
        assertTrue(layout.fit(4, 8));
        assertEquals(Map.of(0, 4, 1, 4), layout.place(4));
        assertEquals(Map.of(2, 1), layout.place(0));
        assertEquals(Map.of(2, 1), layout.place(1));
    }

    @Test
    void aJobOnSeveralNodesIsNotMovedAndOneWithoutAPlaceToGoStays() {
        Layout layout = layout(3, 4, 4, 4);
        layout.keep(0, Map.of(0, 3, 1, 3), false);
        layout.keep(1, Map.of(2, 2), false);
        assertFalse(layout.fit(2, 3), "the 2 find no room, and the 6 do not move");
        assertTrue(layout.fit(2, 2));
        assertEquals(Map.of(2, 2), layout.place(2));
    }

    @Test
    void onlySoManyMoveForOneJob() {
        for (int small : new int[] {8, 9}) {
            var layout = new Layout(16, new int[] {16, 16}, small + 2);
            for (int i = 0; i < small; i++) layout.keep(i, Map.of(0, 1), false);
            layout.keep(small, Map.of(1, 1), true);
            assertEquals(small == 8, layout.fit(small + 1, 16), small + " would have to move");
        }
    }

    private static Layout layout(int jobs, int... free) {
        return new Layout(4, free, jobs);
    }
}
