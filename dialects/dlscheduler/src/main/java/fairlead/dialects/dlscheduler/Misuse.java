package fairlead.dialects.dlscheduler;

import fairlead.api.submit.BadForm;

/** Words that cannot be meant: the message says what to change. */
public final class Misuse extends BadForm {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
        super(message);
    }
}
