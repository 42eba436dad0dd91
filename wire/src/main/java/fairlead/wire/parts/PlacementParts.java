package fairlead.wire.parts;

import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.LONG;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.Part.Value;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Where tasks run. Both forms read what the other has written. */
public final class PlacementParts {
    private PlacementParts() {}

    public static final Form<TaskId> TASK_ID = Form.text(TaskId::parse);

    private static final Part<Share> SHARE = Part.of(PlacementParts::share);

    private static Function<Found, Share> share(Fields<Share> fields) {
        var gpu = fields.field("gpu", INT, Share::gpu);
        var units = fields.field("units", LONG, Share::units, 0L);
        return found -> new Share(gpu.in(found), units.in(found));
    }

    /** As journals have it: the numbers of whole GPUs, and apart from them the others, if any. */
    public static final Part<TaskPlacement> TASK =
            task(
                    fields ->
                            fields.field(
                                    "gpus",
                                    INT.list(),
                                    task -> gpus(task.shares().stream().filter(Share::isWhole)),
                                    List.of()),
                    fields ->
                            fields.unless(
                                    List.of(),
                                    "shares",
                                    SHARE.list(),
                                    task ->
                                            task.shares().stream()
                                                    .filter(share -> !share.isWhole())
                                                    .toList()));

    /** As snapshots have it: all GPUs alike. */
    public static final Part<TaskPlacement> TASK_WITH_SHARES =
            task(
                    fields -> fields.unless(List.of(), "gpus", INT.list(), _ -> List.of()),
                    fields ->
                            fields.field("shares", SHARE.list(), TaskPlacement::shares, List.of()));

    private static Part<TaskPlacement> task(
            Function<Fields<TaskPlacement>, Value<List<Integer>>> wholeOnes,
            Function<Fields<TaskPlacement>, Value<List<Share>>> others) {
        return Part.of(
                fields -> {
                    var task = fields.field("task", TASK_ID, TaskPlacement::task);
                    var node = fields.field("node", TEXT, TaskPlacement::node);
                    var whole = wholeOnes.apply(fields);
                    var shares = others.apply(fields);
                    return found ->
                            new TaskPlacement(
                                    task.in(found),
                                    node.in(found),
                                    Stream.concat(
                                                    whole.in(found).stream().map(Share::whole),
                                                    shares.in(found).stream())
                                            .toList());
                });
    }

    private static List<Integer> gpus(Stream<Share> shares) {
        return shares.map(Share::gpu).toList();
    }
}
