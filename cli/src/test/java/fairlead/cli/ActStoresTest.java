package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;

import fairlead.api.ErrorBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the stores of a config's folders answer, before a job is submitted or aborted for it. */
class ActStoresTest {
    private static final String RUNNING = "ann_1763179200_0000000b";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;
    private HttpServer store;

    /** What is wrong with a container, such as {@code 403 AuthenticationFailed}. */
    private final Map<String, String> wrong = new ConcurrentHashMap<>();

    private final List<String> lists = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext(
                "/",
                exchange -> {
                    String container = exchange.getRequestURI().getPath().split("/")[2];
                    String query = exchange.getRequestURI().getRawQuery();
                    boolean isList = query.contains("comp=list");
                    if (isList) lists.add(container);
                    String answer = wrong.getOrDefault(container, "200 ");
                    exchange.getResponseHeaders().add("x-ms-error-code", answer.substring(4));
                    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), -1);
                    exchange.close();
                });
        store.start();
        Files.writeString(folder.resolve("code.zip"), "");
        write(
                "aux_data/aml/eu.yaml",
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%s', path: code.zip}
                  data_folder: {azure_blob_config_file: aux_data/a.yaml, path: in}
                  output_folder: {azure_blob_config_file: aux_data/a.yaml, path: out}
                  models_folder: {azure_blob_config_file: aux_data/b.yaml, path: ''}
                """
                        .formatted(folder));
        account("a", "sas_token: ?sig=verysecret");
        account("b", "sas_token: ?sig=verysecret");
        var job =
                new ActJob(
                        "eu",
                        1,
                        1,
                        1,
                        true,
                        new Place.File(folder.resolve("code.zip").toString()),
                        Map.of(),
                        "",
                        false,
                        false);
        server.add(new FakeJob(RUNNING, "running", FakeBodies.from(ActOrigin.write(job))));
    }

    @AfterEach
    void stop() {
        server.close();
        store.stop(0);
    }

    private void write(String file, String text) {
        Shell.write(folder, file, text);
    }

    private void account(String name, String secret) throws IOException {
        write(
                "aux_data/" + name + ".yaml",
                """
                account_name: vig
                %s
                container_name: box-%s
                endpoint: http://127.0.0.1:%d/vig
                """
                        .formatted(secret, name, store.getAddress().getPort()));
    }

    private String refused(int code, String why, String line) {
        var result = shell.type(line.split(" "));
        assertEquals(code, result.code(), result::toString);
        assertTrue(result.err().contains(why), result.err());
        assertFalse(result.err().contains("verysecret"), result.err());
        return result.err();
    }

    private void refusedEverywhere(String why) {
        String submit = refused(4, why, "-c eu submit ls");
        assertFalse(submit.contains("--help"), submit);
        refused(4, why + "; nothing was aborted", "-c eu resubmit 000b");
        assertEquals(List.of(), server.submitted);
        assertEquals(List.of(), server.replaced);
    }

    @Test
    void eachContainerIsAskedOnce() {
        refused(0, "submitted with 'eu'", "-c eu submit ls");
        assertEquals(List.of("box-a", "box-b"), lists.stream().sorted().toList());
        refused(0, "is aborted, and submitted again", "resubmit 000b");
    }

    @Test
    void aKeyThatAFoldersStoreDoesNotTakeIsToldBeforeAnythingHappens() {
        wrong.put("box-b", "403 AuthenticationFailed");
        refusedEverywhere(
                "the store azureblob://vig/box-b of models refuses the account's key or signature"
                        + " (403 AuthenticationFailed), so no job could fetch it");
    }

    @Test
    void aMissingContainerOfAFolderIsToldBeforeAnythingHappens() {
        wrong.put("box-a", "404 ContainerNotFound");
        refusedEverywhere(
                "the container azureblob://vig/box-a of data, output is not there; make it in the"
                        + " portal of Azure or by 'az storage container create'");
    }

    @Test
    void aStoreThatCannotBeAskedIsToldAndNoJobIsAbortedForIt() {
        wrong.put("box-a", "500 Because");
        String why = "azureblob://vig/box-a of data, output could not be looked at: 500 Because";
        refused(4, why + "; nothing was aborted", "resubmit 000b");
        assertEquals(List.of(), server.replaced);
        refused(0, why, "-c eu submit ls");
        store.stop(0);
        refused(0, "of models could not be looked at from here", "-c eu submit ls");
    }

    /** A disk may have to be mounted in its place, so nobody makes it. */
    @Test
    void aFolderOfAFileStoreThatIsNotHereIsToldAndNoJobIsAbortedForIt() throws IOException {
        write(
                "aux_data/aml/eu.yaml",
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%1$s', path: code.zip}
                  data_folder: {storage: 'file:%1$s/mnt', path: in}
                  output_folder: {storage: 'file:%1$s/mnt', path: out}
                """
                        .formatted(folder));
        String why =
                "the folder "
                        + folder.resolve("mnt")
                        + " of data, output is not on this machine: the nodes must have it";
        refused(4, why + "; nothing was aborted", "resubmit 000b");
        assertEquals(List.of(), server.replaced);
        refused(0, why, "-c eu submit ls");
        Files.createDirectory(folder.resolve("mnt"));
        assertFalse(refused(0, "submitted", "-c eu submit ls").contains("not on this machine"));
    }

    @Test
    void anEngineThatTheServerDoesNotKnowIsToldWithItsLine() throws IOException {
        Path file = folder.resolve("aux_data/aml/eu.yaml");
        Files.writeString(file, Files.readString(file).replace("engine: local", "engine: nosuch"));
        String why =
                "aux_data/aml/eu.yaml:1: engine names 'nosuch', which is no cluster of the server;"
                        + " known: local, lab\n";
        for (String verb : List.of("q", "s", "blame")) refused(2, why, "-c eu " + verb);
        server.refusal =
                new ErrorBody("invalid", "no cluster 'nosuch'; known: local", "cluster", null);
        refused(2, why, "-c eu submit ls");
    }

    @Test
    void aSignatureThatMayNotListIsToldAsThat() throws IOException {
        account("a", "sas_token: ?sp=racwd&sig=verysecret");
        refusedEverywhere(
                "the sas_token for azureblob://vig/box-a lacks the right to list (l), so no job"
                        + " could fetch data, output");
        account("a", "sas_token: ?sp=w&sig=verysecret");
        refusedEverywhere(
                "lacks the rights to read (r) and list (l), so no job could fetch data, output");
    }

    @Test
    void aSignatureThatHasEndedRefusesTheSubmitAndAbortsNothing() throws IOException {
        account("b", "sas_token: ?se=2025-11-14&sig=verysecret");
        refusedEverywhere(
                "the sas_token for azureblob://vig/box-b ended at 2025-11-14T00:00:00Z; put a new"
                        + " one, or the account_key, into its account file");
    }

    @Test
    void aSignatureThatEndsSoonIsToldOrReplacedByTheKey() throws IOException {
        account("b", "sas_token: ?se=2025-11-16&sig=verysecret");
        String soon = "the sas_token for azureblob://vig/box-b ends at 2025-11-16T00:00:00Z";
        refused(0, soon, "-c eu submit ls");
        assertTrue(
                server.submitted
                        .getLast()
                        .secrets()
                        .containsValue("?se=2025-11-16&sig=verysecret"));
        account("b", "sas_token: ?se=2025-11-16&sig=verysecret\naccount_key: c2VjcmV0");
        String err = refused(0, "submitted", "-c eu submit ls");
        assertFalse(err.contains(soon), err);
        var secrets = server.submitted.getLast().secrets().values();
        assertTrue(secrets.stream().anyMatch(each -> each.contains("se=2025-12-15")), "" + secrets);
    }
}
