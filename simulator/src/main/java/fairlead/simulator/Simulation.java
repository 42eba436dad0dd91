package fairlead.simulator;

import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Interpreter;
import fairlead.control.Message;
import fairlead.control.Owed;
import fairlead.control.Tick;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.policy.Policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A server in virtual time: the real controller and interpreter, with a simulated engine and clock.
 * When it crashes it starts again from its journal alone; calls that were on their way to the
 * engine at that moment may still arrive. Everything follows from the seed.
 */
public final class Simulation {
    public static final String CLUSTER = "local";

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);

    /** None, so that a restless policy has its way. */
    private static final Duration UNDISTURBED = Duration.ZERO;

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration RESTART = Duration.ofSeconds(2);
    private static final Duration COMMIT_RETRY = Duration.ofMillis(100);
    private static final int CALL_MILLIS_MAX = 200;

    private final Agenda agenda = new Agenda(START);
    private final SplittableRandom dice;
    private final Journal disk;
    private final Policy policy;
    private final SimulatedEngine machines;
    private final List<String> nodeNames;
    private final Consumer<Fact> witness;
    private Faults faults;
    private Engine engine;
    private Server server;
    private int crashes;

    /** What dies in a crash. */
    private final class Server {
        final Controller controller;
        final Interpreter interpreter;
        final List<Message> inbox = new ArrayList<>();
        boolean isDead;
        boolean isTickDue;

        Server() throws JournalException {
            controller =
                    new Controller(
                            new FaultyJournal(disk, faults, dice.split()),
                            List.of(new Cluster(CLUSTER, policy)),
                            new Rules(Map.of(), UNDISTURBED),
                            dice.split());
            interpreter = new Interpreter(Map.of(CLUSTER, engine), STOP_GRACE, this::offer);
        }

        boolean offer(Message message) {
            if (isDead) return false;
            inbox.add(message);
            tickAfter(Duration.ZERO);
            return true;
        }

        void tickAfter(Duration delay) {
            if (isTickDue) return;
            isTickDue = true;
            agenda.after(delay, this::tick);
        }

        void tick() {
            isTickDue = false;
            if (isDead) return;
            var batch = List.copyOf(inbox);
            inbox.clear();
            try {
                Instant clock =
                        hits(faults.clockJump()) ? agenda.now().minusSeconds(3_600) : agenda.now();
                Tick tick = controller.tick(clock, batch);
                tick.facts().forEach(witness);
                for (Owed owed : interpreter.select(tick.owed(), agenda.now())) call(owed);
            } catch (JournalException full) {
                tickAfter(COMMIT_RETRY);
            } catch (FaultyJournal.Crash crash) {
                die(this);
            }
        }

        /** A call takes a while; one under way arrives even if the server dies meanwhile. */
        private void call(Owed owed) {
            agenda.after(
                    Duration.ofMillis(dice.nextInt(CALL_MILLIS_MAX)),
                    () -> {
                        if (!isDead || dice.nextBoolean()) interpreter.run(owed, agenda.now());
                    });
        }

        /** Looks at the engine again and again, one look at a time. */
        void look() {
            if (isDead) return;
            if (hits(faults.lostNode())) {
                machines.lose(
                        nodeNames.get(dice.nextInt(nodeNames.size())),
                        Duration.ofSeconds(dice.nextInt(60)));
            }
            if (hits(faults.lostTask())) machines.loseTask(dice.nextInt(1_000_000));
            long begun = interpreter.acknowledgements();
            try {
                var nodes = new Message.NodesSeen(CLUSTER, engine.nodes());
                var seen = new Message.Observed(CLUSTER, engine.observe(), begun);
                agenda.after(
                        Duration.ofMillis(dice.nextInt(CALL_MILLIS_MAX)),
                        () -> {
                            offer(nodes);
                            offer(seen);
                            agenda.after(LOOK_EVERY, this::look);
                        });
            } catch (EngineException lost) {
                offer(new Message.Unseen(CLUSTER, lost.getMessage()));
                agenda.after(LOOK_EVERY, this::look);
            }
        }
    }

    /**
     * @param disk survives every crash
     * @param witness hears of every durable fact that the server lived to publish
     */
    public Simulation(
            long seed,
            Faults faults,
            List<Node> nodes,
            SimulatedEngine.Behaviour behaviour,
            Policy policy,
            Journal disk,
            Consumer<Fact> witness)
            throws JournalException {
        this.dice = new SplittableRandom(seed);
        this.disk = disk;
        this.policy = policy;
        this.witness = witness;
        this.nodeNames = nodes.stream().map(Node::name).toList();
        this.machines = new SimulatedEngine(agenda, nodes, behaviour);
        setFaults(faults);
        start();
    }

    private void setFaults(Faults changed) {
        faults = changed;
        engine = new FaultyEngine(machines, faults, dice.split());
    }

    /** Ends all trouble: restarts the server with a sound line and a sound disk. */
    public void calm() throws JournalException {
        setFaults(Faults.NONE);
        server.isDead = true;
        start();
    }

    private void start() throws JournalException {
        server = new Server();
        server.tickAfter(Duration.ZERO);
        server.look();
    }

    private void die(Server dead) {
        crashes++;
        dead.isDead = true;
        agenda.after(
                RESTART,
                () -> {
                    try {
                        if (server == dead) start();
                    } catch (JournalException broken) {
                        throw new IllegalStateException(broken);
                    }
                });
    }

    public void after(Duration delay, Runnable action) {
        agenda.after(delay, action);
    }

    /** False when the server is down or dies before it takes this in. */
    public boolean offer(Message message) {
        return server.offer(message);
    }

    public Instant now() {
        return agenda.now();
    }

    public int crashes() {
        return crashes;
    }

    public Controller controller() {
        return server.controller;
    }

    public SimulatedEngine machines() {
        return machines;
    }

    /** Lets time pass until then. */
    public void run(Duration span) {
        Instant end = agenda.now().plus(span);
        while (agenda.now().isBefore(end) && agenda.step()) {
            // Everything happens inside the step.
        }
    }

    private boolean hits(int chance) {
        return dice.nextInt(1_000) < chance;
    }
}
