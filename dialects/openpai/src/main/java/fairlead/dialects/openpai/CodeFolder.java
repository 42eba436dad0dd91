package fairlead.dialects.openpai;

import fairlead.api.launch.FetchedFolder;
import fairlead.api.launch.Misfit;

import java.util.Optional;

/** What becomes of a job's codeDir: a folder in the working directory (items O20, O21). */
record CodeFolder(String asked, String address, String user) implements FetchedFolder {
    private static final long BYTES_MAX = 200_000_000;

    @Override
    public String field() {
        return "codeDir";
    }

    /** The last part of the address: {@code code} for {@code hdfs://host:9000/ann/code/}. */
    @Override
    public String name() throws Misfit {
        String path = address.replaceAll("/+$", "");
        String name = path.substring(path.lastIndexOf('/') + 1);
        boolean isFolder = !name.isEmpty() && !name.equals(".") && !name.equals("..");
        boolean isHost = path.endsWith("://" + name) || name.endsWith(":");
        if (isFolder && !isHost) return name;
        throw new Misfit(field(), "does not name a folder: '" + Invalid.shown(address) + "'");
    }

    @Override
    public Optional<String> refusal(long bytes) {
        if (bytes > BYTES_MAX) return Optional.of(address + " is larger than 200MB, exit.");
        return bytes > 0 ? Optional.empty() : Optional.of(address + " is empty, exit.");
    }
}
