package fairlead.server.openpai;

/**
 * One call of OpenPAI's interface.
 *
 * @param path below the root, with {@code {user}} where a user is named, {@code {vc}} where a
 *     virtual cluster is and {@code {job}} where a job is
 * @param door who may come in
 * @param judge what OpenPAI looks at before the token, whoever asks
 */
record PaiRoute(String method, String path, Door door, Action judge, Action action) {
    private static final Action NOTHING = _ -> {};

    /** Whose token a call needs. */
    enum Door {
        /** Nobody's. */
        OPEN,
        /** Nobody's where the settings let guests in, as in OpenPAI; otherwise somebody's. */
        GUESTS,
        /** Somebody's. */
        PEOPLE
    }

    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    interface Action {
        void run(PaiCall call) throws Exception;
    }

    static PaiRoute open(String method, String path, Action action) {
        return new PaiRoute(method, path, Door.OPEN, NOTHING, action);
    }

    /** One that OpenPAI answers without a token. */
    static PaiRoute guests(String path, Action action) {
        return new PaiRoute("GET", path, Door.GUESTS, NOTHING, action);
    }

    static PaiRoute of(String method, String path, Action action) {
        return new PaiRoute(method, path, Door.PEOPLE, NOTHING, action);
    }

    static PaiRoute judged(String method, String path, Action judge, Action action) {
        return new PaiRoute(method, path, Door.PEOPLE, judge, action);
    }
}
