package fairlead.journal;

/** The journal in memory keeps the promises of all journals while it lives. */
class MemoryJournalTest extends JournalContract {
    @Override
    protected Journal open() {
        return new MemoryJournal();
    }

    @Override
    protected boolean isDurable() {
        return false;
    }
}
