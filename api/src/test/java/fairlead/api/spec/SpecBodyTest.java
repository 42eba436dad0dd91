package fairlead.api.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.api.SampleValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.List;

class SpecBodyTest {
    @ParameterizedTest
    @CsvSource({
        "ann, ann",
        "DOM\\ann, DOM-ann",
        "_www, www",
        "ann@lab.org, ann-lab.org",
        "'', job",
        "..., job",
        "é, job"
    })
    void aNameIsMadeLegal(String text, String name) {
        assertEquals(name, SpecBody.legalName(text));
    }

    @Test
    void aLongNameIsCut() {
        assertEquals("a".repeat(63), SpecBody.legalName("a".repeat(64)));
    }

    /** Copied and written by hand, so that one could be forgotten or swapped with another. */
    @Test
    void anEditKeepsEveryField() throws ReflectiveOperationException {
        for (Class<?> type :
                List.of(SpecBody.class, RoleBody.class, ContainerBody.class, TrainingBody.class)) {
            for (RecordComponent component : type.getRecordComponents()) {
                Class<?> editType = Class.forName(type.getName() + "$Edit");
                Object edit = editType.getConstructor().newInstance();
                Field field = editType.getField(component.getName());
                Object value = SampleValue.of(component);
                field.set(edit, value);
                Object body = editType.getMethod("body").invoke(edit);
                assertEquals(value, component.getAccessor().invoke(body), field.toString());
                Object copy = editType.getConstructor(type).newInstance(body);
                assertEquals(body, editType.getMethod("body").invoke(copy), field.toString());
            }
        }
    }
}
