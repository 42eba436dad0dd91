package fairlead.server.sessions;

import java.io.InputStream;

/** How the frames of a session travel on its connection. */
interface Wire {
    /** As they are: after an upgrade to our own protocol. */
    Wire PLAIN =
            new Wire() {
                @Override
                public byte[] wrapped(byte[] frame) {
                    return frame;
                }

                @Override
                public InputStream unwrapped(InputStream from) {
                    return from;
                }
            };

    /** One frame, ready to be sent. */
    byte[] wrapped(byte[] frame);

    /** The frames in what comes in. */
    InputStream unwrapped(InputStream from);
}
