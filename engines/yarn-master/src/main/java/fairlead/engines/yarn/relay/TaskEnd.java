package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * How a task ended.
 *
 * @param code as a shell reports it; {@link #LOST} when nobody knows
 * @param stopped whether it had been asked to stop before
 * @param outOfMemory whether YARN killed it because of its memory
 * @param note for people; may be empty
 * @param logBytes how much it has written; {@link #LOST} when nobody knows
 */
public record TaskEnd(
        int code, boolean stopped, boolean outOfMemory, String note, long atMillis, long logBytes) {
    public static final int LOST = -1;

    public static TaskEnd lost(String note) {
        return new TaskEnd(LOST, false, false, note, System.currentTimeMillis(), LOST);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeInt(code);
        out.writeBoolean(stopped);
        out.writeBoolean(outOfMemory);
        Fields.write(out, note);
        out.writeLong(atMillis);
        out.writeLong(logBytes);
    }

    public static TaskEnd read(DataInputStream in) throws IOException {
        return new TaskEnd(
                in.readInt(),
                in.readBoolean(),
                in.readBoolean(),
                Fields.text(in),
                in.readLong(),
                in.readLong());
    }
}
