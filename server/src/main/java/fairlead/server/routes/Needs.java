package fairlead.server.routes;

import fairlead.job.GpuPart;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.wire.Units;

import java.util.ArrayList;
import java.util.List;

/** What a job asks for, in words. */
final class Needs {
    private Needs() {}

    static String words(JobSpec spec) {
        var needs = new ArrayList<String>();
        for (Role role : spec.roles()) {
            String each = words(role.resources());
            needs.add(role.count() == 1 ? each : role.count() + " tasks with " + each + " each");
        }
        return String.join(", and ", needs);
    }

    private static String words(Resources ask) {
        List<String> words = new ArrayList<>();
        String type = ask.gpuType().map(name -> " of type " + name).orElse("");
        if (ask.gpus() > 0)
            words.add(
                    switch (ask.part()) {
                                case GpuPart.Whole _ ->
                                        ask.gpus() == 1
                                                ? "1 GPU"
                                                : ask.gpus() + " GPUs on one node";
                                case GpuPart.Fraction(int thousandths) ->
                                        thousandths / 1e3 + " of a GPU";
                                case GpuPart.Memory(long bytes) ->
                                        Units.text(bytes) + " of a GPU's memory";
                            }
                            + type);
        if (ask.gpus() == 0 && ask.cpus() > 0)
            words.add(ask.cpus() + (ask.cpus() == 1 ? " CPU" : " CPUs"));
        if (ask.memoryBytes() > 0) words.add(Units.text(ask.memoryBytes()) + " of memory");
        return words.isEmpty() ? "a node" : String.join(" and ", words);
    }
}
