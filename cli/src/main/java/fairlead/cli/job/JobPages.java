package fairlead.cli.job;

import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.api.client.Client;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The jobs of a server, as many as are wanted, page by page. */
public final class JobPages {
    /** The most that a server puts on one page. */
    private static final int PAGE_MAX = 10_000;

    private JobPages() {}

    /** Reads pages until the limit and returns whether there was more. */
    public static boolean pages(Client client, JobFilter filter, int limit, List<JobBody> jobs)
            throws Refused, IOException {
        return pages(client, filter, limit, jobs, new LinkedHashSet<>());
    }

    public static boolean pages(
            Client client, JobFilter filter, int limit, List<JobBody> jobs, Set<String> notes)
            throws Refused, IOException {
        return pages(client, filter, limit, jobs, notes, new HashMap<>());
    }

    /**
     * As above.
     *
     * @param notes gets what the server says beside the jobs, such as a cluster that it cannot
     *     reach
     * @param arrays gets how far the arrays are that one job each stands for
     */
    public static boolean pages(
            Client client,
            JobFilter filter,
            int limit,
            List<JobBody> jobs,
            Set<String> notes,
            Map<String, JobPage.ArrayProgress> arrays)
            throws Refused, IOException {
        String before = null;
        int left = limit;
        do {
            JobPage page =
                    client.jobs(filter.limit(Math.min(left, PAGE_MAX)).before(before)).value();
            jobs.addAll(page.jobs());
            if (page.notes() != null) notes.addAll(page.notes());
            if (page.arrays() != null) page.arrays().forEach(one -> arrays.put(one.id(), one));
            left -= page.jobs().size();
            before = page.jobs().isEmpty() ? null : page.next();
        } while (before != null && left > 0);
        return before != null;
    }
}
