package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.clusters.ClusterBody;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/** Clusters that are made while the server runs. */
class AddedClustersTest {
    @TempDir Path folder;

    private static String asked(String name, String compute) {
        return """
        {"name":"%s","engine":"azureml","settings":{"subscription":"s","resource-group":"g",
         "workspace":"w","compute":"%s","credential":"cli"}}\
        """
                .formatted(name, compute);
    }

    private static String added(TestServer server, String name, String compute) throws Exception {
        var answer = server.post("/v1/clusters", asked(name, compute));
        assertEquals(200, answer.statusCode(), answer.body());
        return Json.read(ClusterBody.class, answer.body()).name();
    }

    @Test
    void oneComputeIsOneClusterAndAnotherIsAnother() throws Exception {
        try (var server = new TestServer(folder)) {
            assertEquals("aml", added(server, "aml", "V100"));
            assertEquals("aml", added(server, "aml", "V100"));
            assertEquals("aml", added(server, "other", "V100"));
            assertEquals("aml-2", added(server, "aml", "A100"));
            assertEquals("azure-4-gpus", added(server, "4_GPUs", "K80"));
            assertEquals("local-2", added(server, "local", "P100"));
            assertEquals("work-2", added(server, "work", "T4"));
            String all = server.get("/v1/server").body();
            assertTrue(
                    all.contains("\"name\":\"aml-2\",\"engine\":\"azureml\",\"reachable\":true"),
                    all);
        }
    }

    @Test
    void jobsGoToItAndBothAreThereAfterARestart() throws Exception {
        String id;
        try (var server = new TestServer(folder)) {
            added(server, "aml", "V100");
            String job =
                    "{\"jobs\":[{\"name\":\"a\",\"command\":[\"true\"],\"gpus\":2,\"cluster\":\"aml\",\"image\":\"i\"}]}";
            id = server.submit(job, 201).ids().getFirst();
            server.awaitState(id, "running");
            String second = server.submit(job.replace(":2,", ":3,"), 201).ids().getFirst();
            String why = server.get("/v1/jobs/" + second + "/why").body();
            assertTrue(why.contains("3 GPUs on one node"), why);
            assertEquals(200, server.get("/v1/queue?cluster=aml").statusCode());
            assertEquals(200, server.post("/v1/jobs/" + second + "/abort", "").statusCode());
            assertTrue(server.get("/v1/nodes?cluster=aml").body().contains("\"gpusFree\":2"));
        }
        try (var server = new TestServer(folder)) {
            assertEquals("aml", server.detail(id).job().cluster());
            assertEquals("aml", added(server, "aml", "V100"));
            assertEquals("aml-2", added(server, "aml", "A100"));
        }
    }

    @Test
    void onlyAnAdminMakesOneAndEverybodyUsesIt() throws Exception {
        try (var server = new TestServer(folder)) {
            String bob = server.person("bob", "{}");
            var refused = server.call(bob, "POST", "/v1/clusters", asked("aml", "V100"));
            assertEquals(403, refused.statusCode());
            assertTrue(refused.body().contains("only an admin may make one"), refused.body());
            added(server, "aml", "V100");
            assertEquals(
                    200, server.call(bob, "POST", "/v1/clusters", asked("x", "V100")).statusCode());
        }
    }

    @Test
    void aClusterOfTheSettingsWithTheSameComputeIsTheOne() throws Exception {
        var settings =
                Map.of(
                        "clusters", "local, east",
                        "east.engine", "azureml",
                        "east.subscription", "s",
                        "east.resource-group", "g",
                        "east.workspace", "w",
                        "east.compute", "V100",
                        "east.image", "i");
        try (var server = TestServer.with(folder, settings)) {
            assertEquals("east", added(server, "aml", "V100"));
        }
    }

    @Test
    void thereAreSixteenAtMost() throws Exception {
        try (var server = new TestServer(folder)) {
            for (int i = 0; i < 16; i++) added(server, "aml", "c" + i);
            var refused = server.post("/v1/clusters", asked("aml", "one-more"));
            assertEquals(409, refused.statusCode());
            assertTrue(refused.body().contains("aml-16"), refused.body());
        }
    }

    @Test
    void whatIsNoComputeOfAzureMlIsRefused() throws Exception {
        try (var server = new TestServer(folder)) {
            for (String[] row :
                    new String[][] {
                        {"engine\":\"azureml", "engine\":\"yarn", "only clusters of azureml"},
                        {
                            "credential\":\"cli",
                            "cloud\":\"http://evil/",
                            "made for the cloud public"
                        },
                        {"credential\":\"cli", "credential\":\"x", "one of default, cli"},
                        {"credential", "kubeconfig", "'kubeconfig' cannot be set so"},
                        {"\"workspace\":\"w\",", "", "has no workspace of Azure ML"},
                    }) {
                String body = asked("aml", "V100").replace(row[0], row[1]);
                var refused = server.post("/v1/clusters", body);
                assertEquals(400, refused.statusCode(), refused.body());
                assertTrue(refused.body().contains(row[2]), refused.body());
            }
        }
    }
}
