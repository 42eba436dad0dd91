package fairlead.storage.azureblob;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Progress;
import fairlead.storage.Transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A program that moves one file, and prints the most memory that it had, in KiB. */
final class Mover {
    private Mover() {}

    public static void main(String[] words) throws Exception {
        var access =
                new Access("", Optional.of(Azurite.KEY), Optional.empty(), Optional.of(words[2]));
        Address root = Address.of("azureblob://" + Azurite.ACCOUNT + "/large");
        try (var storage = new AzureBlobProvider().open(root, access)) {
            var transfer = new Transfer(storage, Progress.NONE);
            Address file = root.child("file");
            if (words[0].equals("upload")) transfer.upload(Path.of(words[1]), file);
            else transfer.download(file, Path.of(words[1]));
        }
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            String peak = lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElseThrow();
            System.out.println(peak.replaceAll("\\D", ""));
        }
    }
}
