package fairlead.dialects.openpai;

/**
 * One entry of a role's portList: so many ports under a label.
 *
 * @param beginAt the first of consecutive ports; 0 leaves the choice to the scheduler
 */
public record PaiPort(String label, int beginAt, int portNumber) {
    public boolean isRandom() {
        return beginAt == 0;
    }
}
