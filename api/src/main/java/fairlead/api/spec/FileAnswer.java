package fairlead.api.spec;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What a job file says, or what is wrong with it.
 *
 * @param kind {@code ours}, {@code openpai} or {@code pod}; null where it cannot be read
 * @param jobs ready to be submitted; empty where there is a problem
 * @param remarks what the file asks for and will not get
 */
@Json
public record FileAnswer(
        String kind, List<SpecBody> jobs, List<ProblemBody> problems, List<String> remarks) {
    /**
     * One mistake.
     *
     * @param line counted from 1; null for what is wrong with the whole
     */
    @Json
    public record ProblemBody(Integer line, String message) {}
}
