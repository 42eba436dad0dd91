package fairlead.cli.spec;

import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.jobfile.FileJob;
import fairlead.dialects.jobfile.Lines;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/** A job in the making: what a file says, then what options say over it. */
public final class Draft {
    private static final RoleBody NOTHING = new RoleBody.Edit().body();

    /** Its env can be changed, and is never null. */
    public final SpecBody.Edit spec;

    /** What the file asks for and will not get, a line each. */
    public final List<String> remarks = new ArrayList<>();

    /** Whether it was a pod of Kubernetes. */
    public boolean isPod;

    /** Whose job a pod file says that it is; null where it says nothing. */
    public String labelledUser;

    private final Lines lines;

    private Draft(SpecBody body, Lines lines) {
        spec = new SpecBody.Edit(body);
        spec.env = new LinkedHashMap<>();
        if (body.env() != null) spec.env.putAll(body.env());
        this.lines = lines;
    }

    Draft(FileJob job) {
        this(job.spec(), job.lines());
        remarks.addAll(job.remarks());
        isPod = job.kind() == FileJob.Kind.POD;
        labelledUser = job.labelledUser().orElse(null);
    }

    /** Without a file. */
    public Draft() {
        this(new SpecBody.Edit().body(), Lines.none());
    }

    public Lines lines() {
        return lines;
    }

    /** An option says this over the file. */
    public void overridden(String path) {
        lines.forget(path);
        lines.forget("roles[0]." + path);
    }

    /**
     * What an option says about the tasks goes to the one role there is.
     *
     * @param field what the option is called in a file
     */
    public void ofOneRole(String field, Consumer<RoleBody.Edit> change) throws UsageException {
        overridden(field);
        boolean isShort = spec.roles == null;
        if (!isShort && spec.roles.size() != 1) {
            throw new UsageException(
                    "the " + field + " of a job with several roles can only be given in its file");
        }
        var role = new RoleBody.Edit(isShort ? spec.body().main() : spec.roles.getFirst());
        change.accept(role);
        if (isShort && role.count == null) {
            spec.main(role.body());
            return;
        }
        if (isShort) spec.main(NOTHING);
        spec.roles = List.of(role.body());
    }

    public SpecBody body() {
        return spec.body();
    }
}
