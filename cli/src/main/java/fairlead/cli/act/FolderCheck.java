package fairlead.cli.act;

import fairlead.api.spec.SpecBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;
import fairlead.dialects.act.Sas;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Whether a job can have the folders that it has in one store, as far as this machine can tell.
 * Each container is asked once, by a list of one name.
 *
 * @param words what to say; empty where all is well
 */
record FolderCheck(Kind kind, String words, List<Place> places) {
    enum Kind {
        OPEN,
        /** No node could do better. */
        REFUSED,
        /** A node may see what this machine does not. */
        UNKNOWN
    }

    /**
     * Asks all stores, and all containers at the same time.
     *
     * @param silent a store that need not be asked
     */
    static List<FolderCheck> of(ClusterConfig config, SpecBody spec, Optional<Store> silent) {
        Map<Store, List<String>> folders = new LinkedHashMap<>();
        config.folders()
                .forEach(
                        (name, mapped) -> {
                            boolean isSilent = silent.filter(mapped.store()::equals).isPresent();
                            if (!isSilent)
                                folders.computeIfAbsent(mapped.store(), _ -> new ArrayList<>())
                                        .add(name);
                        });
        if (folders.isEmpty()) return List.of();
        ActJob job = ActOrigin.of(spec).orElseThrow();
        var answers = new ArrayList<Future<FolderCheck>>();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            folders.forEach(
                    (store, names) ->
                            answers.add(pool.submit(() -> ask(store, names, config, job, spec))));
        }
        return answers.stream().map(Future::resultNow).toList();
    }

    private static FolderCheck ask(
            Store store, List<String> names, ClusterConfig config, ActJob job, SpecBody spec) {
        List<Place> places = names.stream().map(job.folders()::get).toList();
        return switch (store) {
            case Store.Folder(var folder) -> look(folder, names, places);
            case Store.Blob blob -> ask(blob, names, config, places, spec);
        };
    }

    /** Nobody makes it: a disk may have to be mounted in its place. */
    private static FolderCheck look(Path folder, List<String> names, List<Place> places) {
        if (Files.isDirectory(folder)) return new FolderCheck(Kind.OPEN, "", places);
        return new FolderCheck(
                Kind.UNKNOWN,
                "the folder %s of %s is not on this machine: the nodes must have it"
                        .formatted(folder, String.join(", ", names)),
                places);
    }

    /** The signature stands in no message. */
    private static FolderCheck ask(
            Store.Blob blob,
            List<String> names,
            ClusterConfig config,
            List<Place> places,
            SpecBody spec) {
        String folders = String.join(", ", names);
        String lacking = Sas.lacking(blob, "rl");
        if (!lacking.isEmpty()) {
            return new FolderCheck(
                    Kind.REFUSED,
                    "the sas_token for %s lacks the %s to %s, so no job could fetch %s"
                            .formatted(
                                    blob,
                                    lacking.length() == 1 ? "right" : "rights",
                                    rights(lacking),
                                    folders),
                    places);
        }
        Mapped first = config.folders().get(names.getFirst());
        String prefix = first.path().isEmpty() ? "" : first.path() + "/";
        String signature =
                places.getFirst()
                        .signature()
                        .map(name -> spec.secrets().getOrDefault(name, ""))
                        .orElse("");
        String list =
                "&restype=container&comp=list&maxresults=1&prefix="
                        + URLEncoder.encode(prefix, StandardCharsets.UTF_8).replace("+", "%20");
        try {
            StoreQuestion answer = StoreQuestion.ask("GET", blob.url() + signature + list);
            if (answer.isAnswered()) return new FolderCheck(Kind.OPEN, "", places);
            if (answer.hasNoContainer()) {
                return new FolderCheck(
                        Kind.REFUSED,
                        "the container %s of %s is not there; make it in the portal of Azure or by"
                                        .formatted(blob, folders)
                                + " 'az storage container create'",
                        places);
            }
            if (answer.isRefused()) {
                return new FolderCheck(
                        Kind.REFUSED,
                        "the store %s of %s refuses the account's key or signature (%s), so no job"
                                        .formatted(blob, folders, answer)
                                + " could fetch it",
                        places);
            }
            return new FolderCheck(
                    Kind.UNKNOWN,
                    "the store %s of %s could not be looked at: %s"
                            .formatted(blob, folders, answer),
                    places);
        } catch (IOException | IllegalArgumentException problem) {
            return new FolderCheck(
                    Kind.UNKNOWN,
                    "the store %s of %s could not be looked at from here%s"
                            .formatted(blob, folders, CodeCheck.reason(problem, signature)),
                    places);
        }
    }

    /** Such as {@code list (l)}. */
    static String rights(String letters) {
        var words = new ArrayList<String>();
        for (char letter : letters.toCharArray()) {
            words.add(
                    switch (letter) {
                        case 'r' -> "read (r)";
                        case 'l' -> "list (l)";
                        case 'w' -> "write (w)";
                        default -> throw new IllegalArgumentException("right " + letter);
                    });
        }
        return String.join(" and ", words);
    }
}
