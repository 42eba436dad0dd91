package fairlead.transfer;

/**
 * What Ctrl-C means to a call at this moment: what its user reads, and whether the work is given a
 * moment to clear up. Any thread.
 */
final class Interruption {
    private record Now(String words, boolean clearsUp) {}

    /** Of a transfer: what is half done is under another name, and is taken up again or removed. */
    private volatile Now now = new Now("interrupted; the same command goes on where it was", true);

    /** From here on there is nothing to clear up. */
    void means(String words) {
        now = new Now(words, false);
    }

    String words() {
        return now.words();
    }

    boolean clearsUp() {
        return now.clearsUp();
    }
}
