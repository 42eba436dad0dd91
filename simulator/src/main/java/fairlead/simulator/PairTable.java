package fairlead.simulator;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast training scripts run on one GPU of a type, alone and beside each other, as somebody has
 * measured it. A pair that did not fit into the GPU's memory is forbidden.
 */
public final class PairTable {
    private static final int GPUS_MAX = 1_024;

    private final List<String> models = new ArrayList<>();
    private final Map<String, Double> alone = new HashMap<>();
    private final Map<Pair, Double> beside = new HashMap<>();

    private record Pair(String model, String other) {}

    private PairTable() {}

    /**
     * @param isolated a CSV file with the columns gpu_type, model, gpus and steps_per_s
     * @param colocated one with gpu_type, gpus, model_a, model_b, a_steps_per_s and b_steps_per_s,
     *     in which 0 means that the pair did not fit; rows of more than one GPU are passed over
     */
    public static PairTable read(Path isolated, Path colocated, String gpuType)
            throws TraceException {
        var table = new PairTable();
        for (Table.Row row :
                new Table(isolated, List.of("gpu_type", "model", "gpus", "steps_per_s")).rows()) {
            if (isOther(row, gpuType)) continue;
            String model = row.text("model");
            double speed = row.perSecond("steps_per_s");
            if (speed <= 0) throw row.bad("steps_per_s", "must be more than 0");
            if (table.alone.put(model, speed) != null) throw row.bad("model", "is given twice");
            table.models.add(model);
        }
        if (table.models.isEmpty()) {
            throw new TraceException(isolated + " has nothing on one GPU of type " + gpuType);
        }
        var columns =
                List.of("gpu_type", "gpus", "model_a", "model_b", "a_steps_per_s", "b_steps_per_s");
        for (Table.Row row : new Table(colocated, columns).rows()) {
            if (isOther(row, gpuType)) continue;
            String a = table.known(row, "model_a");
            String b = table.known(row, "model_b");
            table.beside.put(new Pair(a, b), row.perSecond("a_steps_per_s"));
            table.beside.put(new Pair(b, a), row.perSecond("b_steps_per_s"));
        }
        return table;
    }

    private static boolean isOther(Table.Row row, String gpuType) throws TraceException {
        return row.count("gpus", GPUS_MAX) != 1 || !row.text("gpu_type").equals(gpuType);
    }

    private String known(Table.Row row, String column) throws TraceException {
        String model = row.text(column);
        if (!alone.containsKey(model)) throw row.bad(column, "was not measured alone: " + model);
        return model;
    }

    /** In the order of the file. */
    public List<String> models() {
        return List.copyOf(models);
    }

    /** Steps per second with the GPU to itself. */
    public double alone(String model) {
        return alone.get(model);
    }

    /** How much of its speed alone a model keeps beside another. */
    public double kept(String model, String other) {
        return beside.getOrDefault(new Pair(model, other), 0.0) / alone.get(model);
    }

    /** Whether the two did not fit, or nobody has tried. */
    public boolean isForbidden(String model, String other) {
        return kept(model, other) == 0 || kept(other, model) == 0;
    }
}
