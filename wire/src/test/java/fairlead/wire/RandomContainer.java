package fairlead.wire;

import fairlead.job.Container;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Containers of every kind, from dice. */
final class RandomContainer {
    private RandomContainer() {}

    static Container of(SplittableRandom dice) {
        if (dice.nextInt(3) == 0) return Container.NONE;
        boolean hasImage = dice.nextBoolean();
        return new Container(
                hasImage ? Optional.of("registry/image:1") : Optional.empty(),
                mounts(dice),
                List.of(new Container.Port(1 + dice.nextInt(65_535), 80)),
                dice.nextBoolean() ? Container.Details.USUAL : details(dice, hasImage));
    }

    private static List<Container.Mount> mounts(SplittableRandom dice) {
        var mounts = new ArrayList<Container.Mount>();
        for (int i = dice.nextInt(4); i > 0; i--) {
            Container.Source source =
                    switch (dice.nextInt(3)) {
                        case 0 -> new Container.Folder("/home/ann");
                        case 1 -> new Container.Claim("runai-pv.data-" + i);
                        default ->
                                new Container.NewClaim(
                                        dice.nextBoolean() ? Optional.empty() : Optional.of("fast"),
                                        1 + dice.nextLong(1L << 40));
                    };
            mounts.add(new Container.Mount(source, "/data" + i, dice.nextBoolean()));
        }
        return mounts;
    }

    private static Container.Details details(SplittableRandom dice, boolean hasImage) {
        boolean stdin = dice.nextBoolean();
        return Container.Details.of(
                edit -> {
                    edit.podName = dice.nextBoolean() ? Optional.empty() : Optional.of("job-0-0");
                    edit.shmBytes = dice.nextBoolean() ? 0 : dice.nextLong(1L << 40);
                    edit.runAs = dice.nextBoolean() ? Optional.empty() : Optional.of(account(dice));
                    edit.ownEntryPoint = hasImage && dice.nextBoolean();
                    edit.pullPolicy =
                            dice.nextBoolean()
                                    ? Optional.empty()
                                    : Optional.of(one(Container.PullPolicy.values(), dice));
                    edit.pullSecrets =
                            dice.nextBoolean() ? List.of() : List.of("secret-1", "secret-2");
                    edit.service = one(Container.Service.values(), dice);
                    edit.stdin = stdin;
                    edit.tty = stdin && dice.nextBoolean();
                    edit.hostIpc = dice.nextBoolean();
                    edit.hostNetwork = dice.nextBoolean();
                    edit.pod =
                            dice.nextBoolean()
                                    ? Optional.empty()
                                    : Optional.of(
                                            "{\"spec\":{\"runtimeClassName\":\"r%d\",\"volumes\":[]}}"
                                                    .formatted(dice.nextInt(9)));
                });
    }

    private static Container.RunAs account(SplittableRandom dice) {
        return new Container.RunAs(
                dice.nextInt(100_000),
                dice.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(dice.nextInt(100_000)));
    }

    private static <T> T one(T[] all, SplittableRandom dice) {
        return all[dice.nextInt(all.length)];
    }
}
