package fairlead.dialects.act;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads an {@link ActJob} from its JSON. */
final class ActJobReader {
    private final StrictReader reader;

    ActJobReader(StrictReader reader) {
        this.reader = reader;
    }

    ActJob read() {
        String config = "";
        int gpus = 0;
        int nodes = 0;
        int processes = 0;
        boolean mpi = false;
        Place code = null;
        Map<String, Place> folders = Map.of();
        String compileArgs = "";
        boolean sleepIfFail = false;
        boolean sleepIfSucceed = false;
        boolean philly = false;
        reader.beginObject();
        while (reader.hasNextField()) {
            String name = reader.nextField();
            switch (name) {
                case "config" -> config = reader.readString();
                case "gpus" -> gpus = reader.readInt();
                case "nodes" -> nodes = reader.readInt();
                case "processesPerNode" -> processes = reader.readInt();
                case "mpi" -> mpi = reader.readBoolean();
                case "code" -> code = place(name);
                case "folders" -> folders = folders();
                case "compileArgs" -> compileArgs = reader.readString();
                case "sleepIfFail" -> sleepIfFail = reader.readBoolean();
                case "sleepIfSucceed" -> sleepIfSucceed = reader.readBoolean();
                case "philly" -> philly = reader.readBoolean();
                default -> throw BadBody.wrong(name, "is not known");
            }
        }
        reader.endObject();
        reader.expectEnd();
        if (code == null) throw BadBody.wrong("code", "is missing");
        if (gpus < 0 || nodes < 1 || processes < 1) {
            throw BadBody.wrong("nodes", "must be 1 or more, and so the processes of each");
        }
        return new ActJob(
                config,
                gpus,
                nodes,
                processes,
                mpi,
                code,
                folders,
                compileArgs,
                sleepIfFail,
                sleepIfSucceed,
                philly);
    }

    private Map<String, Place> folders() {
        var folders = new LinkedHashMap<String, Place>();
        reader.beginObject();
        while (reader.hasNextField()) {
            String name = reader.nextField();
            folders.put(name, place("folders." + name));
        }
        reader.endObject();
        return folders;
    }

    private Place place(String where) {
        var fields = new LinkedHashMap<String, String>();
        reader.beginObject();
        while (reader.hasNextField()) fields.put(reader.nextField(), reader.readString());
        reader.endObject();
        String fuse = fields.getOrDefault("fuse", "");
        String kind = fields.getOrDefault("kind", "");
        if (kind.equals("file") && fields.containsKey("path")) {
            return new Place.File(fields.get("path"), fuse, fields.getOrDefault("store", ""));
        }
        if (kind.equals("blob") && fields.containsKey("url") && fields.containsKey("sas")) {
            return new Place.Blob(fields.get("url"), fields.get("sas"), fuse);
        }
        throw BadBody.wrong(where, "must be a file with its path, or a blob with url and sas");
    }
}
