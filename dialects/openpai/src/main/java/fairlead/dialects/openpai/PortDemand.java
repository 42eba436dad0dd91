package fairlead.dialects.openpai;

import java.util.ArrayList;
import java.util.List;

/**
 * Ports that each task of a role needs under one label (items O8, O27, O28).
 *
 * @param begin the first of consecutive ports of the machine; 0 for any free ones
 */
public record PortDemand(String label, int begin, int count) {
    public static final String HTTP = "http";
    public static final String SSH = "ssh";

    public boolean isFixed() {
        return begin > 0;
    }

    /** As the role of a spec has it. */
    String text() {
        return label + ":" + begin + ":" + count;
    }

    /** Fixed ranges first, then random ones; http and ssh are always among them. */
    public static List<PortDemand> of(PaiTaskRole role) {
        var fixed = new ArrayList<PortDemand>();
        var random = new ArrayList<PortDemand>();
        for (PaiPort port : role.portList()) {
            var demand = new PortDemand(port.label(), port.beginAt(), port.portNumber());
            (demand.isFixed() ? fixed : random).add(demand);
        }
        for (String label : List.of(HTTP, SSH)) {
            if (role.portList().stream().noneMatch(port -> port.label().equals(label))) {
                random.add(new PortDemand(label, 0, 1));
            }
        }
        fixed.addAll(random);
        return List.copyOf(fixed);
    }
}
