package fairlead.policy;

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
        assertTrue(layout.isMoved(0));
        assertFalse(layout.isMoved(1));
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

    private static Layout layout(int jobs, int... free) {
        return new Layout(4, free, jobs);
    }
}
