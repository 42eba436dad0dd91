package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the server orders of one application: an attempt with all its tasks.
 *
 * @param secret by which server, master and keepers know each other
 * @param java the program that runs keepers, on any node
 * @param startPatienceMillis how long the tasks may wait for their containers
 * @param lingerMillis how long the master stays when all has ended and nobody has asked how
 * @param heartbeatMillis between two questions to the resource manager while containers are awaited
 * @param code the address of an archive that every container finds as the folder {@link #CODE};
 *     empty for none
 * @param tasks by rank
 */
public record Orders(
        String secret,
        String java,
        long startPatienceMillis,
        long lingerMillis,
        long heartbeatMillis,
        String code,
        List<TaskOrder> tasks) {
    /** The name of the file, in the application's folder and beside the master. */
    public static final String FILE = "orders";

    /** The name of the folder with the job's code, beside keepers. */
    public static final String CODE = "code";

    /** The name of the jar beside masters and keepers. */
    public static final String JAR = "fairlead.jar";

    /** The variable with the application's folder, which the master writes to. */
    public static final String FOLDER = "FAIRLEAD_APPLICATION_FOLDER";

    /** The variable with the address of the jar. */
    public static final String JAR_ADDRESS = "FAIRLEAD_JAR";

    /** Changed whenever the format does: a master reads the orders of its own server alone. */
    private static final int FORMAT = 1;

    public void write(DataOutputStream out) throws IOException {
        out.writeInt(FORMAT);
        Fields.write(out, secret);
        Fields.write(out, java);
        out.writeLong(startPatienceMillis);
        out.writeLong(lingerMillis);
        out.writeLong(heartbeatMillis);
        Fields.write(out, code);
        out.writeInt(tasks.size());
        for (TaskOrder task : tasks) task.write(out);
    }

    public static Orders read(DataInputStream in) throws IOException {
        if (in.readInt() != FORMAT) throw new IOException("orders of another version");
        String secret = Fields.text(in);
        String java = Fields.text(in);
        long patience = in.readLong();
        long linger = in.readLong();
        long heartbeat = in.readLong();
        String code = Fields.text(in);
        int count = Fields.count(in);
        var tasks = new ArrayList<TaskOrder>();
        for (int i = 0; i < count; i++) tasks.add(TaskOrder.read(in));
        return new Orders(secret, java, patience, linger, heartbeat, code, tasks);
    }
}
