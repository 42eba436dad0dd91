package fairlead.dialects.dlscheduler;

import fairlead.api.spec.SpecBody;

/** Names of experiments, which may hold anything, as names of specs, which may not. */
final class JobName {
    private JobName() {}

    static String legal(String name) {
        // A row of odd characters becomes one dash.
        return SpecBody.legalName(name.strip().replaceAll("[^A-Za-z0-9._-]+", "-"));
    }
}
