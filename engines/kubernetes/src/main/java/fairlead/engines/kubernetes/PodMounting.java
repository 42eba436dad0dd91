package fairlead.engines.kubernetes;

import fairlead.job.Container;
import fairlead.job.JobId;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;

import java.util.ArrayList;
import java.util.List;

/** The volumes of a job's pods, and the claims that are made for them. */
record PodMounting(Container container, JobId job) {
    private static final String SHM = "/dev/shm";

    List<Volume> volumes() {
        var volumes = new ArrayList<Volume>();
        for (int i = 0; i < container.mounts().size(); i++) {
            volumes.add(volume(i, container.mounts().get(i)));
        }
        if (hasShm()) {
            volumes.add(
                    new VolumeBuilder()
                            .withName("shm")
                            .withNewEmptyDir()
                            .withMedium("Memory")
                            .withSizeLimit(bytes(container.details().shmBytes()))
                            .endEmptyDir()
                            .build());
        }
        return volumes;
    }

    List<VolumeMount> mounts() {
        var mounts = new ArrayList<VolumeMount>();
        for (int i = 0; i < container.mounts().size(); i++) {
            Container.Mount mount = container.mounts().get(i);
            mounts.add(
                    new VolumeMountBuilder()
                            .withName("mount-" + i)
                            .withMountPath(mount.target())
                            .withReadOnly(mount.readOnly())
                            .build());
        }
        if (hasShm())
            mounts.add(new VolumeMountBuilder().withName("shm").withMountPath(SHM).build());
        return mounts;
    }

    private boolean hasShm() {
        return container.details().shmBytes() > 0;
    }

    private Volume volume(int index, Container.Mount mount) {
        var volume = new VolumeBuilder().withName("mount-" + index);
        return switch (mount.source()) {
            // Of this type, or a folder that is missing would be made, empty and root's.
            case Container.Folder(var path) ->
                    volume.withNewHostPath()
                            .withPath(path)
                            .withType("Directory")
                            .endHostPath()
                            .build();
            case Container.Claim(var name) -> claimed(volume, name, mount);
            case Container.NewClaim _ -> claimed(volume, Names.claim(job, index), mount);
        };
    }

    private static Volume claimed(VolumeBuilder volume, String claim, Container.Mount mount) {
        return volume.withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .withReadOnly(mount.readOnly())
                .endPersistentVolumeClaim()
                .build();
    }

    /** Those that are the job's own. */
    List<PersistentVolumeClaim> newClaims(String namespace, String server) {
        var claims = new ArrayList<PersistentVolumeClaim>();
        for (int i = 0; i < container.mounts().size(); i++) {
            if (!(container.mounts().get(i).source() instanceof Container.NewClaim wanted))
                continue;
            claims.add(
                    new PersistentVolumeClaimBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(Names.claim(job, i))
                            .addToLabels(Marks.SERVER, server)
                            .addToLabels(Marks.HEX, Names.hex(job))
                            .addToAnnotations(Marks.JOB, job.text())
                            .endMetadata()
                            .withNewSpec()
                            .withAccessModes("ReadWriteOnce")
                            .withStorageClassName(wanted.storageClass().orElse(null))
                            .withNewResources()
                            .addToRequests("storage", bytes(wanted.bytes()))
                            .endResources()
                            .endSpec()
                            .build());
        }
        return claims;
    }

    private static Quantity bytes(long bytes) {
        return new Quantity(Long.toString(bytes));
    }
}
