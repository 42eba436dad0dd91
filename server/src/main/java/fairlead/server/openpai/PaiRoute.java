package fairlead.server.openpai;

/**
 * One call of OpenPAI's interface.
 *
 * @param path below the root, with {@code {user}} where a user is named, {@code {vc}} where a
 *     virtual cluster is and {@code {job}} where a job is
 * @param open needs no token
 * @param judge what OpenPAI looks at before the token, whoever asks
 */
record PaiRoute(String method, String path, boolean open, Action judge, Action action) {
    private static final Action NOTHING = _ -> {};

    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    interface Action {
        void run(PaiCall call) throws Exception;
    }

    static PaiRoute open(String method, String path, Action action) {
        return new PaiRoute(method, path, true, NOTHING, action);
    }

    static PaiRoute of(String method, String path, Action action) {
        return new PaiRoute(method, path, false, NOTHING, action);
    }

    static PaiRoute judged(String method, String path, Action judge, Action action) {
        return new PaiRoute(method, path, false, judge, action);
    }
}
