package fairlead.api.submit;

import fairlead.api.spec.SpecBody;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * One job of a file.
 *
 * @param kind what the file was, in the word that pages know
 * @param remarks what the file asks for and will not get, a line each
 * @param line where a field stands in the file, counted from 1; a field that is not there has the
 *     line of what it belongs to
 */
public record PostedJob(
        String kind, SpecBody spec, List<String> remarks, Function<String, OptionalInt> line) {
    public PostedJob {
        remarks = List.copyOf(remarks);
    }
}
