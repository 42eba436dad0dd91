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

    static ContainerDraft of(ContainerBody body) {
        var draft = new ContainerDraft();
        draft.podName = body.podName();
        draft.shm = body.shm();
        draft.runAs = body.runAs();
        draft.entrypoint = body.entrypoint();
        draft.pullPolicy = body.pullPolicy();
        draft.pullSecrets = body.pullSecrets();
        draft.service = body.service();
        draft.stdin = body.stdin();
        draft.tty = body.tty();
        draft.hostIpc = body.hostIpc();
        draft.hostNetwork = body.hostNetwork();
        return draft;
    }

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
