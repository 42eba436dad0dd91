package fairlead.cli.spec;

import fairlead.api.ContainerBody;

import java.util.List;

/** What few jobs say about their containers, in the making. A null is not said. */
public final class ContainerDraft {
    private static final ContainerBody NOTHING = new ContainerDraft().written();

    public String podName;
    public String shm;
    public String runAs;
    public Boolean entrypoint;
    public String pullPolicy;
    public List<String> pullSecrets;
    public String service;
    public Boolean stdin;
    public Boolean tty;
    public Boolean hostIpc;
    public Boolean hostNetwork;

    /** Null where nothing is said. */
    ContainerBody body() {
        ContainerBody written = written();
        return written.equals(NOTHING) ? null : written;
    }

    private ContainerBody written() {
        return new ContainerBody(
                podName,
                shm,
                runAs,
                entrypoint,
                pullPolicy,
                pullSecrets,
                service,
                stdin,
                tty,
                hostIpc,
                hostNetwork);
    }
}
