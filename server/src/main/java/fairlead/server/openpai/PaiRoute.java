package fairlead.server.openpai;

/**
 * One call of OpenPAI's interface.
 *
 * @param path below the root, with {@code {user}} where a user is named and {@code {vc}} where a
 *     virtual cluster is
 * @param open needs no token
 */
record PaiRoute(String method, String path, boolean open, Action action) {
    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    interface Action {
        void run(PaiCall call) throws Exception;
    }

    static PaiRoute open(String method, String path, Action action) {
        return new PaiRoute(method, path, true, action);
    }

    static PaiRoute of(String method, String path, Action action) {
        return new PaiRoute(method, path, false, action);
    }
}
