package fairlead.api.launch;

/** A file of a storage that says how to log in to the registry of a job's image. */
public interface LoginFile {
    /** What the job's file calls it, for messages. */
    String field();

    /** Where it is. */
    String address();

    /** In whose name it is read. */
    String user();

    /** No good one is longer. */
    int bytesMax();

    Login read(String text) throws Misfit;

    /** Its text never shows the password. */
    record Login(String server, String user, String password) {
        @Override
        public String toString() {
            return user + "@" + server;
        }
    }
}
