package fairlead.server.routes;

import fairlead.api.clusters.ClusterBody;
import fairlead.control.Controller;
import fairlead.engine.Engine;
import fairlead.policy.Obstacle;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The clusters of a server by name, and whether they can be reached. Any thread. */
final class Clusters {
    private final Controller controller;
    private final Supplier<List<Parts.Place>> places;
    private final Map<String, Engine> engines;

    /**
     * @param places as they are now; the first is that of jobs that name none
     */
    Clusters(
            Controller controller,
            Supplier<List<Parts.Place>> places,
            Map<String, Engine> engines) {
        this.controller = controller;
        this.places = places;
        this.engines = engines;
    }

    String first() {
        return places.get().getFirst().name();
    }

    List<String> names() {
        return places.get().stream().map(Parts.Place::name).toList();
    }

    /** The one that a call asks for, if it asks for one. */
    Optional<String> asked(Call call) {
        Optional<String> name = call.parameter("cluster");
        if (name.isPresent() && !names().contains(name.get())) {
            throw Problem.invalid(
                    "cluster",
                    "cluster: no cluster '%.40s'; known: %s"
                            .formatted(name.get(), String.join(", ", names())));
        }
        return name;
    }

    List<ClusterBody> bodies() {
        var bodies = new ArrayList<ClusterBody>();
        for (Parts.Place place : places.get()) {
            Optional<String> trouble =
                    controller.unreachable(place.name()).map(Obstacle.Unreachable::reason);
            bodies.add(
                    new ClusterBody(
                            place.name(),
                            place.engine(),
                            trouble.isEmpty(),
                            trouble.orElse(null),
                            engines.get(place.name()).terms().runsImages(),
                            place.namespace().orElse(null)));
        }
        return bodies;
    }

    /** A line for each of these that cannot be reached; for all when none is asked for. */
    List<String> troubles(Optional<String> asked) {
        return names().stream()
                .filter(name -> asked.isEmpty() || asked.get().equals(name))
                .flatMap(name -> controller.unreachable(name).stream())
                .map(Obstacle::words)
                .toList();
    }
}
