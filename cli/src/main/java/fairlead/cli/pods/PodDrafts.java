package fairlead.cli.pods;

import fairlead.api.client.Refused;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Session;
import fairlead.cli.spec.Draft;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.runai.LabScript;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Fits the jobs of pod files to who submits them, and to a cluster that has no containers. */
public final class PodDrafts {
    private final String as;
    private final Session session;
    private String caller;

    /**
     * @param as for whom an admin submits, or null
     */
    public PodDrafts(String as, Session session) {
        this.as = as;
        this.session = session;
    }

    /** Jobs of other files stay as they are. */
    public void fit(Draft draft) throws UsageException, Failure, Refused, IOException {
        if (!draft.isPod) return;
        draft.remarks.forEach(session::say);
        if (draft.labelledUser != null) compareOwner(draft.labelledUser);
        boolean isForLab = draft.spec.command != null && LabScript.isIn(draft.spec.command);
        boolean hasClaims =
                draft.spec.mounts != null
                        && draft.spec.mounts.stream().anyMatch(PodDrafts::isClaim);
        if (!isForLab && !hasClaims) return;
        var kind = new ClusterKind(session);
        boolean images = kind.runsImages(draft.spec.cluster);
        if (isForLab && !images) {
            session.say(LabScript.warning(draft.spec.command));
            draft.spec.command = LabScript.wrapped(draft.spec.command);
        }
        if (hasClaims && kind.isOneMachine(draft.spec.cluster))
            draft.spec.mounts = folders(draft.spec.mounts, images);
    }

    private void compareOwner(String labelled)
            throws UsageException, Failure, Refused, IOException {
        if (caller == null) caller = as == null ? session.client().me().value().name() : as;
        if (labelled.equals(caller)) return;
        session.say(
                "the label user says '"
                        + labelled
                        + "', but the job is "
                        + caller
                        + "'s; an admin submits it for them with --as "
                        + labelled);
    }

    private static boolean isClaim(String mount) {
        return mount.matches("claim:[^:]+:.+");
    }

    /** As with Run:ai's command: a folder that was set, or the one at the same path. */
    private List<String> folders(List<String> mounts, boolean images)
            throws UsageException, Failure, IOException {
        Map<String, String> known = RunaiFile.of(session).claims();
        var folders = new ArrayList<String>();
        for (String mount : mounts) {
            String[] parts = mount.split(":", 3);
            if (!isClaim(mount)) {
                folders.add(mount);
            } else if (known.containsKey(parts[1])) {
                folders.add(known.get(parts[1]) + ":" + parts[2]);
            } else {
                addUnknown(parts[1], parts[2], images, folders);
            }
        }
        return folders;
    }

    private void addUnknown(String claim, String target, boolean images, List<String> folders) {
        boolean readOnly = target.endsWith(":ro");
        String path = readOnly ? target.substring(0, target.length() - 3) : target;
        if (!Files.isDirectory(Path.of(path))) {
            session.say(
                    "the claim '"
                            + claim
                            + "' is unknown, and there is no folder "
                            + path
                            + "; 'runai config pvc "
                            + claim
                            + " FOLDER' says where it is");
            // The server refuses it, with the line.
            folders.add("claim:" + claim + ":" + target);
            return;
        }
        session.say("claim " + claim + ": the machine's own " + path + " is used");
        // Outside images it is already where the job looks; only a right that is less needs work.
        if (readOnly || images) folders.add(path + ":" + target);
    }
}
