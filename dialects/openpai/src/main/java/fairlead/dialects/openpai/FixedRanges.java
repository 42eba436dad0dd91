package fairlead.dialects.openpai;

import java.util.Comparator;
import java.util.List;

/** Refuses a role whose fixed ranges of ports overlap: one task cannot have a port twice. */
final class FixedRanges {
    private FixedRanges() {}

    static void check(List<PaiPort> ports) throws Invalid {
        PaiPort before = null;
        for (PaiPort port :
                ports.stream()
                        .filter(each -> !each.isRandom())
                        .sorted(Comparator.comparingInt(PaiPort::beginAt))
                        .toList()) {
            if (before != null && before.beginAt() + before.portNumber() > port.beginAt()) {
                throw Invalid.field(
                        "portList",
                        "gives port "
                                + port.beginAt()
                                + " to both \""
                                + before.label()
                                + "\" and \""
                                + port.label()
                                + "\"");
            }
            before = port;
        }
    }
}
