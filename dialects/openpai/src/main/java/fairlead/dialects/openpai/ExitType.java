package fairlead.dialects.openpai;

/** What an exit says about another try, in OpenPAI's words (item O40). */
public enum ExitType {
    SUCCEEDED,

    /** Will pass by itself: tried again without using up retryCount. */
    TRANSIENT_NORMAL,

    /** Others were in the way: tried again later, without using up retryCount. */
    TRANSIENT_CONFLICT,

    /** Would happen again: never tried again. */
    NON_TRANSIENT,

    /** Tried again up to retryCount. */
    UNKNOWN
}
