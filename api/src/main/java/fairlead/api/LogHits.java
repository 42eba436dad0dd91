package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Where a text stands in a task's log, in the order of the search.
 *
 * @param attempt whose log it is; 0 while there is none
 * @param lines the offset at which each line begins that has the text
 * @param next where to go on; null when all of the log is searched
 */
@Json
public record LogHits(int attempt, List<Long> lines, Long next) {}
