package fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;
import fairlead.job.Container;
import fairlead.job.GpuPart;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;
import fairlead.job.SpecException;
import fairlead.job.Training;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

class SpecsTest {
    private static final Specs.Defaults NO_GPUS =
            new Specs.Defaults("ann", "default", "/home/ann", false, "local");
    private static final Specs.Defaults GPUS =
            new Specs.Defaults("ann", "default", "/home/ann", true, "local");

    @Test
    void aBareCommandGetsAllDefaults() {
        JobSpec spec = read("{'command':['true']}", NO_GPUS);
        assertEquals("ann", spec.name());
        assertEquals("local", spec.cluster());
        assertEquals("default", spec.project());
        assertEquals(0, spec.priority());
        assertEquals(0, spec.retries());
        assertEquals(Map.of(), spec.environment());
        assertEquals(Optional.empty(), spec.timeLimit());
        assertEquals("/home/ann", spec.workingFolder());
        assertEquals(Optional.empty(), spec.user());
        var role =
                new Role(
                        "main",
                        1,
                        List.of("true"),
                        new Resources(0, 1, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        assertEquals(List.of(role), spec.roles());
    }

    @ParameterizedTest
    @CsvSource({
        "true, '', 1, 0",
        "false, '', 0, 1",
        "true, ',\"gpus\":0', 0, 1",
        "false, ',\"gpus\":2', 2, 0",
        "true, ',\"cpus\":4', 1, 4",
        "true, ',\"gpus\":0,\"cpus\":0', 0, 0"
    })
    void gpusAndCpusFollowTheClusterAndEachOther(boolean gpus, String said, int g, int c) {
        JobSpec spec = read("{'command':['true']" + said + "}", gpus ? GPUS : NO_GPUS);
        assertEquals(new Resources(g, c, 0), spec.roles().getFirst().resources());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'gpu':2 | 2 | null | null",
                "'gpu':'2' | 2 | null | null",
                "'gpu':0 | 0 | null | null",
                "'gpu':1.0 | 1 | null | null",
                "'gpu':0.5 | null | 0.5 | null",
                "'gpu':'.25' | null | 0.25 | null",
                "'gpu':0.001,'gpuType':'a100' | null | 0.001 | null",
                "'gpuMemory':'8192M' | null | null | 8G",
                "'gpuType':'H200' | 1 | null | null"
            })
    void gpusAreSaidInOneOfThreeWays(String said, String gpus, String gpu, String memory) {
        SpecBody body = Specs.write(read("{'command':['true']," + said + "}", NO_GPUS));
        assertEquals(gpus, String.valueOf(body.gpus()));
        assertEquals(gpu, String.valueOf(body.gpu()));
        assertEquals(memory, String.valueOf(body.gpuMemory()));
    }

    @Test
    void everythingThatIsSaidIsTaken() {
        JobSpec spec =
                read(
                        """
                        {'name':'mnist','cluster':'lab','project':'vision','priority':-3,
                        'roles':[{'name':'ps','command':'serve','minFailed':0},
                        {'name':'worker','count':4,'gpus':2,'cpus':3,'memory':'8G',
                        'command':['train'],'minSucceeded':4}],
                        'env':{'A':'1'},'retries':2,'time':'1h30m','workdir':'/data','user':'bob'}
                        """,
                        NO_GPUS);
        assertEquals(List.of("sh", "-c", "serve"), spec.role("ps").command());
        assertEquals(OptionalInt.empty(), spec.role("ps").minFailed());
        assertEquals(new Resources(2, 3, 8L << 30), spec.role("worker").resources());
        assertEquals(OptionalInt.of(1), spec.role("worker").minFailed());
        assertEquals(OptionalInt.of(4), spec.role("worker").minSucceeded());
        assertEquals(Optional.of(Duration.ofMinutes(90)), spec.timeLimit());
        assertEquals("/data", spec.workingFolder());
        assertEquals(Optional.of("bob"), spec.user());
        assertEquals(
                List.of("mnist", "lab", "vision"),
                List.of(spec.name(), spec.cluster(), spec.project()));
        assertEquals(-3, spec.priority());
        assertEquals(2, spec.retries());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | command | is empty",
                "{'gpus':1} | command | is empty",
                "{'command':[]} | command | is empty",
                "{'command':['']} | command | is empty",
                "{'roles':[]} | roles | is empty",
                "{'roles':[null]} | roles[0] | is null",
                "{'roles':[{'command':['a']}]} | roles[0].name | is missing",
                "{'roles':[{'name':'a'}]} | roles[0].command | is empty",
                "{'command':['a'],'roles':[{'name':'a','command':['a']}]} | command"
                        + " | cannot be given together with roles; say it in each role instead",
                "{'gpus':0,'roles':[{'name':'a','command':['a']}]} | gpus"
                        + " | cannot be given together with roles; say it in each role instead",
                "{'command':['a'],'gpus':-1} | gpus | must be 0 to 4096, but is -1",
                "{'command':['a'],'gpu':1.5} | gpu | must be a whole number, or a part of one GPU"
                        + " between 0.001 and 0.999 with up to 3 decimals, but is '1.5'",
                "{'command':['a'],'gpu':-0.5} | gpu | must be a whole number, or a part of one GPU"
                        + " between 0.001 and 0.999 with up to 3 decimals, but is '-0.5'",
                "{'command':['a'],'gpu':'half'} | gpu | must be a whole number, or a part of one"
                        + " GPU between 0.001 and 0.999 with up to 3 decimals, but is 'half'",
                "{'command':['a'],'gpu':0.0001} | gpu | must be a whole number, or a part of one"
                        + " GPU between 0.001 and 0.999 with up to 3 decimals, but is '0.0001'",
                "{'command':['a'],'gpu':0.5,'gpus':1} | gpu | only one of gpus, gpu and gpuMemory"
                        + " can be said",
                "{'command':['a'],'gpus':1,'gpuMemory':'8G'} | gpuMemory | only one of gpus, gpu"
                        + " and gpuMemory can be said",
                "{'command':['a'],'gpuMemory':'8'} | gpuMemory | must be at least 100M, but is 8",
                "{'command':['a'],'gpus':0,'gpuType':'a100'} | gpuType | must be 1 to 63"
                        + " characters, for a task with GPUs",
                "{'gpu':0.5,'roles':[{'name':'a','command':['a']}]} | gpu"
                        + " | cannot be given together with roles; say it in each role instead",
                "{'command':['a'],'memory':'8X'} | memory | must be a whole number with a unit,"
                        + " such as 512M, 8G or 1T, but is '8X'",
                "{'command':['a'],'time':'90'} | time | must be a number with a unit, such as 90s,"
                        + " 30m, 4h, 2d or 1h30m, but is '90'",
                "{'command':['a'],'time':'0s'} | time | must be positive and at most 3650 days",
                "{'command':['a'],'workdir':'x'} | workdir | must be an absolute path, but is 'x'",
                "{'command':['a'],'retries':-1} | retries | must be 0 to 1000, but is -1",
                "{'command':['a'],'env':{'A':null}} | env.A | is null",
                "{'command':['a'],'after':[{'until':'ended'}]} | after[0].job | is missing",
                "{'command':['a'],'after':[{'job':'b','until':'won'}]} | after[0].until | must be"
                        + " started, succeeded or ended, but is 'won'",
                "{'command':['a'],'env':{'A':'\\u0000'}} | env.A | contains a NUL character",
                "{'command':['a\\u0000']} | command | contains a NUL character",
                "{'roles':[{'name':'a','command':['a']},{'name':'b','command':['b'],'gpus':-1}]}"
                        + " | roles[1].gpus | must be 0 to 4096, but is -1",
                "{'roles':[{'name':'a','command':['a'],'memory':'?'}]} | roles[0].memory | must be"
                        + " a whole number with a unit, such as 512M, 8G or 1T, but is '?'",
                "{'roles':[{'name':'a','command':['a'],'count':2,'minFailed':3}]} |"
                        + " roles[0].minFailed | must be 1 to the role's count of 2, but is 3",
                "{'roles':[{'name':'a','command':['a']},{'name':'a','command':['a']}]} |"
                        + " roles[1].name | is given twice: 'a'",
                "{'command':['a'],'workdir':''} | workdir | must be an absolute path, but is ''",
                "{'command':['a'],'mounts':['data']} | mounts | must be folder:path,"
                        + " claim:NAME:path or new-claim:[CLASS]:SIZE:path, with :ro to read only,"
                        + " but one is 'data'",
                "{'command':['a'],'mounts':['claim:data']} | mounts | must be folder:path,"
                        + " claim:NAME:path or new-claim:[CLASS]:SIZE:path, with :ro to read only,"
                        + " but one is 'claim:data'",
                "{'command':['a'],'mounts':['claim:DATA:/data']} | mounts | name a claim by lower"
                        + " case letters, digits, - and ., but one is 'DATA'",
                "{'command':['a'],'mounts':['claim:data:data']} | mounts | must be at an absolute"
                        + " path, but is at 'data'",
                "{'command':['a'],'mounts':['new-claim::big:/d']} | mounts | must be a whole number"
                        + " with a unit, such as 512M, 8G or 1T, but is 'big'",
                "{'command':['a'],'mounts':['new-claim::0:/d']} | mounts | must ask for a size"
                        + " above 0, but it is 0",
                "{'command':['a'],'mounts':['/a:/b','claim:c:/b']} | mounts | use /b twice",
                "{'command':['a'],'retry':{'limit':-3}} | retry | must be -2 to 1000000,"
                        + " but is -3",
                "{'command':['a'],'retry':{'exits':{'x':'transient'}}} | retry.exits | must name"
                        + " exit codes from 1 to 255, but one is 'x'",
                "{'command':['a'],'retry':{'exits':{'7':'maybe'}}} | retry.exits.7 | must be"
                        + " transient, conflict, permanent or unknown, but is 'maybe'",
                "{'command':['a'],'retry':{},'retries':1} | retries | cannot be given together"
                        + " with retry; say one of them",
                "{'command':['a'],'origin':{'dialect':'openpai','text':''}} | origin.key | is"
                        + " missing",
                "{'roles':[{'name':'w','command':['a'],'ports':['a:1']}]} | roles[0].ports | must"
                        + " be LABEL or LABEL:FIRST:COUNT, but one is 'a:1'",
                "{'command':['a'],'container':{'podName':'A b'}} | container.podName | must be"
                        + " lower case letters, digits, - and ., at most 52, but is 'A b'",
                "{'command':['a'],'container':{'shm':'x'}} | container.shm | must be a whole number"
                        + " with a unit, such as 512M, 8G or 1T, but is 'x'",
                "{'command':['a'],'container':{'runAs':'ann'}} | container.runAs | must be the"
                        + " number of an account such as 1000, or with its group 1000:100, but is"
                        + " 'ann'",
                "{'command':['a'],'container':{'pullPolicy':'Always'}} | container.pullPolicy |"
                        + " must be one of always, if-not-present, never, but is 'Always'",
                "{'command':['a'],'container':{'service':'ingress'}} | container.service | must be"
                        + " one of none, nodeport, loadbalancer, but is 'ingress'",
                "{'command':['a'],'container':{'tty':true}} | container.tty | needs stdin: a"
                        + " terminal is written to",
                "{'command':['a'],'container':{'pullSecrets':['A']}} | container.pullSecrets | are"
                        + " names of lower case letters, digits, - and ., but one is 'A'",
                "{'container':{'entrypoint':true}} | container.entrypoint | is the image's, but"
                        + " there is no image"
            })
    void aMistakeNamesItsFieldAsInTheBody(String body, String field, String problem) {
        var e = assertThrows(SpecException.class, () -> read(body, NO_GPUS));
        assertEquals(field + ": " + problem, e.getMessage());
        assertEquals(field, e.field());
    }

    @Test
    void aJobInsideAnImageBeginsInTheImagesFolder() {
        var inside =
                new Specs.Defaults(
                        "ann",
                        "default",
                        "/home/ann",
                        false,
                        "local",
                        Map.of("PATH", "/bin"),
                        true);
        assertEquals("", read("{'command':'a','image':'i'}", inside).workingFolder());
        assertEquals("", read("{'command':'a'}", inside).workingFolder());
        assertEquals(
                "/d", read("{'command':'a','image':'i','workdir':'/d'}", inside).workingFolder());
        assertEquals("/home/ann", read("{'command':'a','image':'i'}", NO_GPUS).workingFolder());
    }

    @Test
    void theNodeSelectorOfAPodCountsForThePlace() {
        String pod = "{'spec':{'nodeSelector':{'zone':'a','disk':'nvme'}}}";
        JobSpec spec = read("{'command':'a','container':{'pod':" + pod + "}}", NO_GPUS);
        assertEquals(List.of("disk=nvme", "zone=a"), spec.roles().getFirst().resources().labels());
        assertEquals(spec, Specs.read(Specs.write(spec), NO_GPUS));
    }

    @Test
    void variablesOfTheDefaultsYieldToThoseOfTheJob() {
        var variables =
                new Specs.Defaults(
                        "ann", "default", "/", false, "local", Map.of("A", "1", "B", "2"), false);
        JobSpec spec = read("{'command':'a','env':{'B':'3','C':'4'}}", variables);
        assertEquals(Map.of("A", "1", "B", "3", "C", "4"), spec.environment());
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "' '", "[]", "['']"})
    void anEmptyCommandIsRefused(String command) {
        var e = assertThrows(SpecException.class, () -> read("{'command':" + command + "}", GPUS));
        assertEquals("command", e.field());
    }

    @Test
    void aCommandThatIsTooLongIsRefusedInBothForms() {
        String words = ("'" + "x".repeat(100_000) + "',").repeat(11) + "'x'";
        var e = assertThrows(SpecException.class, () -> read("{'command':[" + words + "]}", GPUS));
        assertEquals("command", e.field());
        String role = "{'roles':[{'name':'a','command':[" + words + "]}]}";
        e = assertThrows(SpecException.class, () -> read(role, GPUS));
        assertEquals("roles", e.field());
        assertTrue(e.problem().startsWith("command takes "), e.problem());
    }

    @Test
    void theOwnersNameIsMadeLegal() {
        var defaults = new Specs.Defaults("DOM\\ann", "p", "/home/ann", false, "local");
        var body = SpecBody.of(spec -> spec.command = List.of("true"));
        assertEquals("DOM-ann", Specs.read(body, defaults).name());
    }

    @Test
    void aPlainJobIsWrittenShortAndComplete() {
        SpecBody body = Specs.write(read("{'command':'a b','memory':'1024M'}", GPUS));
        assertEquals(
                "{\"name\":\"ann\",\"cluster\":\"local\",\"project\":\"default\",\"priority\":0,"
                        + "\"command\":\"a b\",\"gpus\":1,\"cpus\":0,\"memory\":\"1G\",\"env\":{},"
                        + "\"retries\":0,\"workdir\":\"/home/ann\"}",
                Json.write(body));
    }

    @ParameterizedTest
    @CsvSource({
        "{'name':'main'|'count':2|'command':['a']}",
                "{'name':'main'|'command':['a']|'minFailed':0}",
        "{'name':'main'|'command':['a']|'minSucceeded':1}", "{'name':'solo'|'command':['a']}"
    })
    void aJobThatNeedsRolesIsWrittenWithRoles(String role) {
        SpecBody body = Specs.write(read("{'roles':[" + role.replace('|', ',') + "]}", GPUS));
        assertNull(body.command());
        assertEquals(1, body.roles().size());
    }

    @Test
    void anArraysIndexGoesIntoCommandAndEnvironment() {
        JobSpec spec =
                read("{'command':['run','--seed={i}','{i}{i}','{j}'],'env':{'N':'n{i}'}}", NO_GPUS);
        JobSpec seventh = spec.at(7);
        assertEquals(List.of("run", "--seed=7", "77", "{j}"), seventh.roles().getFirst().command());
        assertEquals(Map.of("N", "n7"), seventh.environment());
        assertEquals(spec.name(), seventh.name());
    }

    /** Goal: writing loses nothing. Method: random specs, through JSON and back, other defaults. */
    @Seeds(20)
    void whatIsWrittenReadsBackTheSame(long seed) {
        var dice = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            JobSpec spec = randomSpec(dice);
            String json = Json.write(Specs.write(spec));
            SpecBody body = Json.read(SpecBody.class, json);
            var others =
                    new Specs.Defaults("other", "theirs", "/elsewhere", dice.nextBoolean(), "far");
            assertEquals(spec, Specs.read(body, others), json);
            assertEquals(
                    List.copyOf(spec.environment().keySet()),
                    List.copyOf(Specs.read(body, others).environment().keySet()));
        }
    }

    @Test
    void aSecretIsAVariableWhoseValueNobodyIsShown() {
        JobSpec spec = read("{'command':['true'],'secrets':{'TOKEN':'se,cret'}}", NO_GPUS);
        assertEquals("se,cret", spec.environment().get("TOKEN"));
        SpecBody shown = Specs.shown(spec);
        assertEquals(Map.of("TOKEN", ""), shown.secrets());
        assertFalse(Json.write(shown).contains("se,cret"), () -> Json.write(shown));
        assertEquals("secrets.TOKEN", refusedField("{'command':['true'],'secrets':{'TOKEN':''}}"));
        assertEquals(
                "secrets.A",
                refusedField("{'command':['true'],'env':{'A':'1'},'secrets':{'A':'2'}}"));
    }

    private static String refusedField(String body) {
        return assertThrows(SpecException.class, () -> read(body, NO_GPUS)).field();
    }

    @Test
    void aTrainingJobIsWrittenAsItsOwnerAskedForIt() {
        JobSpec asked =
                read(
                        "{'command':['train'],'gpus':2,'training':{'epochs':3,'gpusMin':1,'gpusMax':8}}",
                        GPUS);
        var sizes =
                List.of(
                        asked.sized(2, 4, GpuPart.WHOLE),
                        asked.sized(1, 1, new GpuPart.Memory(6L << 30)),
                        asked.sized(1, 1, new GpuPart.Fraction(400)));
        for (JobSpec sized : sizes) {
            assertEquals(asked, Specs.read(Specs.write(sized), GPUS));
        }
    }

    private static JobSpec randomSpec(SplittableRandom dice) {
        Container container = RandomContainer.of(dice);
        var roles = new ArrayList<Role>();
        int count = 1 + dice.nextInt(3);
        for (int i = 0; i < count; i++)
            roles.add(randomRole(dice, i, container.details().ownEntryPoint()));
        var environment = new LinkedHashMap<String, String>();
        for (int i = dice.nextInt(4); i > 0; i--) {
            environment.put("V" + dice.nextInt(100), randomText(dice));
        }
        Optional<Training> training = randomTraining(dice, roles);
        Optional<RetryPolicy> retry = RandomPorts.policy(dice);
        Set<String> secrets = dice.nextBoolean() ? Set.of() : Set.of("KEY", "TOKEN");
        secrets.stream().sorted().forEach(name -> environment.put(name, "s" + randomText(dice)));
        var spec = new JobSpec.Edit();
        spec.name = "n" + dice.nextInt(100);
        spec.cluster = dice.nextBoolean() ? "local" : "lab";
        spec.project = dice.nextBoolean() ? "default" : "p-1";
        spec.priority = dice.nextInt(-10, 10);
        spec.roles = roles;
        spec.environment = environment;
        spec.retries = retry.isPresent() ? 0 : dice.nextInt(4);
        spec.timeLimit =
                dice.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(Duration.ofMillis(1 + dice.nextLong(100_000_000)));
        spec.workingFolder =
                container.image().isPresent() && dice.nextBoolean() ? "" : "/" + randomText(dice);
        spec.user = dice.nextBoolean() ? Optional.empty() : Optional.of("bob");
        spec.interactive = training.isEmpty() && dice.nextBoolean();
        spec.container = container;
        spec.training = training;
        spec.retry = retry;
        spec.origin =
                container.details().podName().isPresent()
                        ? Optional.empty()
                        : RandomPorts.origin(dice, randomText(dice));
        spec.secrets = secrets;
        spec.after =
                Stream.of(JobSpec.After.Until.values())
                        .filter(_ -> dice.nextInt(4) == 0)
                        .map(until -> new JobSpec.After("job-" + dice.nextInt(9), until))
                        .toList();
        return spec.spec();
    }

    private static Optional<Training> randomTraining(SplittableRandom dice, List<Role> roles) {
        Resources ask = roles.getFirst().resources();
        boolean isPossible =
                roles.size() == 1
                        && roles.getFirst().count() == 1
                        && ask.part() instanceof GpuPart.Whole;
        if (!isPossible || dice.nextBoolean()) return Optional.empty();
        int batch = 1 + dice.nextInt(512);
        return Optional.of(
                new Training(
                        1 + dice.nextInt(100),
                        batch,
                        batch + dice.nextInt(10_000),
                        ask.gpus(),
                        dice.nextInt(ask.gpus() + 1),
                        ask.gpus() + dice.nextInt(8),
                        dice.nextBoolean(),
                        dice.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(dice.nextLong(1L << 36)),
                        dice.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofHours(2)),
                        dice.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(Instant.parse("2026-11-15T18:00:00Z"))));
    }

    private static Role randomRole(SplittableRandom dice, int number, boolean mayBeEmpty) {
        int tasks = 1 + dice.nextInt(3);
        var command = new ArrayList<String>();
        if (dice.nextInt(4) == 0) {
            // An empty text for the shell is refused.
            command.addAll(List.of("sh", "-c", "x" + randomText(dice)));
        } else {
            command.add("c");
        }
        for (int i = dice.nextInt(3); i > 0; i--) command.add(randomText(dice));
        return new Role(
                number == 0 ? Role.MAIN : "role" + number,
                tasks,
                mayBeEmpty && dice.nextBoolean() ? List.of() : command,
                randomResources(dice),
                dice.nextBoolean() ? OptionalInt.of(1 + dice.nextInt(tasks)) : OptionalInt.empty(),
                dice.nextBoolean() ? OptionalInt.of(1 + dice.nextInt(tasks)) : OptionalInt.empty(),
                RandomPorts.of(dice));
    }

    private static Resources randomResources(SplittableRandom dice) {
        GpuPart part =
                switch (dice.nextInt(4)) {
                    case 0 -> new GpuPart.Fraction(1 + dice.nextInt(999));
                    case 1 -> new GpuPart.Memory((100L << 20) + dice.nextLong(1L << 40));
                    default -> GpuPart.WHOLE;
                };
        int gpus = part instanceof GpuPart.Whole ? dice.nextInt(3) : 1;
        boolean isTyped = gpus > 0 && dice.nextBoolean();
        return new Resources(
                gpus,
                part,
                isTyped ? Optional.of("H" + randomText(dice)) : Optional.empty(),
                dice.nextInt(3),
                dice.nextLong(1L << dice.nextInt(1, 50)));
    }

    private static String randomText(SplittableRandom dice) {
        var text = new StringBuilder();
        for (int i = dice.nextInt(6); i > 0; i--) {
            text.appendCodePoint("a {i}\"\\\n'$é€\u0001".codePointAt(dice.nextInt(12)));
        }
        return text.append(dice.nextInt(5) == 0 ? "😀" : "").toString();
    }

    private static JobSpec read(String body, Specs.Defaults defaults) {
        return Specs.read(Json.read(SpecBody.class, body.replace('\'', '"')), defaults);
    }
}
