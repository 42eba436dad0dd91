package fairlead.api.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.QueueBody;
import fairlead.api.WhyBody;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Answers as the client reads them. */
class WireTest {
    @Test
    void placesAndPrioritiesOfAQueueAreReadByPeople() {
        assertEquals(
                List.of("CPU", "1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th"),
                IntStream.of(0, 1, 2, 3, 4, 11, 12, 21, 113)
                        .mapToObj(QueueBody::ordinalWord)
                        .toList());
        assertEquals("auto", QueueBody.priorityWord(0));
        assertEquals("+2", QueueBody.priorityWord(2));
        assertEquals("-3", QueueBody.priorityWord(-3));
    }

    @Test
    void fieldsOfANewerServerArePassedOver() throws IOException {
        String json =
                """
                {"id":"a","new":{"x":[1,{"y":"}]"}],"z":null},"state":"queued","more":-1.5e3,
                 "flag":true,"place":3,"obstacles":[]}
                """;
        var why = Wire.read(json, Wire.type(WhyBody.class));
        assertEquals("queued", why.state());
        assertEquals(3, why.place());
    }

    @Test
    void aLongTextIsReadWhole() throws IOException {
        String text = "x\n".repeat(1_000_000);
        String json = "\"" + text.replace("\n", "\\n") + "\"";
        assertEquals(text, Wire.read(json, Wire.type(String.class)));
    }

    @Test
    void whatIsNotJsonIsTold() {
        for (String json : new String[] {"", "{", "<html>", "{\"id\":1}", "{} {}"}) {
            assertThrows(IOException.class, () -> Wire.read(json, Wire.type(WhyBody.class)), json);
        }
    }
}
