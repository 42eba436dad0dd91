package fairlead.transfer.pack;

/**
 * Something of a folder that goes into its archive, as it was when it was looked at.
 *
 * @param path from the top, with slashes
 */
record Found(String path, Kind kind, boolean isExecutable, Stamp stamp) {
    enum Kind {
        FILE,
        LINK,

        /** Only one that would be empty: the others are made with what is in them. */
        FOLDER
    }

    /**
     * What differs when a file has changed, as far as that can be told without reading it. The
     * inode and the time of its last change in any way are there for files whose time was set by
     * hand.
     */
    record Stamp(long bytes, long modifiedNanos, long changedNanos, long inode) {}
}
