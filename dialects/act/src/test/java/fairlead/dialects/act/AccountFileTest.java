package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import fairlead.dialects.act.config.AzureMl;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.yaml.ConfigException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Account files of Azure Blob, workspace files of Azure ML, and what the messages about wrong ones
 * say.
 */
class AccountFileTest {
    private static final String ANY = "aux_data/configs/vigeastblob_account.yaml:";

    @TempDir Path folder;

    private ConfigFolder account(String text) {
        return ConfigFolder.documented(folder).with(ConfigFolder.ACCOUNT, text);
    }

    private static Store.Blob store(ConfigFolder files) throws ConfigException {
        return (Store.Blob) files.config().code().store();
    }

    @Test
    void a14AnAccountFileNeedsNoKeyWhereItHasASignature() throws ConfigException {
        var files = account("account_name: vig\nsas_token: ?a=b\ncontainer_name: data\n");
        assertEquals(
                new Store.Blob(
                        "vig", Optional.empty(), Optional.of("?a=b"), "data", Optional.empty()),
                store(files));
    }

    @Test
    void a14AnAccountFileNeedsNoSignatureWhereItHasAKey() throws ConfigException {
        var files =
                account(
                        "account_name: vig\naccount_key: YWI=\nsas_token: null\n"
                                + "container_name: data\nendpoint: http://127.0.0.1:10000/vig/\n");
        Store.Blob store = store(files);
        assertEquals(Optional.of("YWI="), store.key());
        assertEquals(Optional.empty(), store.sas());
        assertEquals("http://127.0.0.1:10000/vig/data", store.url());
    }

    @Test
    void a14APlaceholderForTheKeyDoesNoHarmBesideASignature() throws ConfigException {
        var files =
                account(
                        "account_name: vig\naccount_key: none!\nsas_token: ?a=b\n"
                                + "container_name: data\n");
        assertEquals(Optional.empty(), store(files).key());
        assertEquals(
                List.of(
                        ANY
                                + "2: account_key is no Base64 text, as the keys of Azure are; the"
                                + " sas_token is used"),
                files.warnings());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sas_token: ?sv=2020-12-06&sig=verysecret | sas_token: sv=2020&sig=verysecret | 3 | sas_token must start with the question mark '?'
                    sas_token: ?sv=2020-12-06&sig=verysecret | sas_token: ?sv=a b                | 3 | sas_token has a character that no signature has, such as a blank
                    sas_token: ?sv=2020-12-06&sig=verysecret | sas_token: [a]                    | 3 | sas_token must be a text
                    account_name: vigeast  | account_name: Vig_East | 1 | account_name must be 3 to 24 small letters and digits, but is 'Vig_East'
                    account_name: vigeast  | other: 1               | 1 | account_name is missing
                    container_name: data   | container_name: a--b   | 4 | container_name must be 3 to 63 small letters, digits and single hyphens, but is 'a--b'
                    container_name: data   | container_name: ../x   | 4 | container_name must be 3 to 63 small letters, digits and single hyphens, but is '../x'
                    container_name: data   | container_name: ""     | 4 | container_name is empty
                    container_name: data   | container_name: null   | 4 | container_name is missing
                    container_name: data   | 'container_name: data\\nendpoint: ftp://x'  | 5 | endpoint must be the address of the account, such as http://127.0.0.1:10000/NAME
                    container_name: data   | 'container_name: data\\nendpoint: http://x?y'  | 5 | endpoint must be the address of the account, such as http://127.0.0.1:10000/NAME
                    container_name: data   | 'container_name: "da'  | 5 | not YAML: found unexpected end of stream
                    """)
    void a14AWrongAccountFileIsToldWithItsLine(
            String line, String other, int number, String problem) {
        String text = ConfigFolder.ACCOUNT_TEXT.replace(line, other.replace("\\n", "\n"));
        List<String> mistakes = account(text).mistakes();
        assertEquals(List.of(ANY + number + ": " + problem), mistakes);
    }

    @Test
    void a14AKeyThatCannotSignIsToldWhereItIsNeeded() {
        var files = account("account_name: vig\naccount_key: no!\ncontainer_name: data\n");
        assertEquals(
                List.of(ANY + "2: account_key is no Base64 text, as the keys of Azure are"),
                files.mistakes());
    }

    @Test
    void a14WithoutKeyAndSignatureNothingCanBeReached() {
        var files = account("account_name: vig\ncontainer_name: data\n");
        assertEquals(
                List.of(ANY + "1: sas_token is missing, and so is account_key: one must be there"),
                files.mistakes());
    }

    @Test
    void aMissingAccountFileIsToldWhereItIsNamed() {
        var files = ConfigFolder.documented(folder);
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED.replaceFirst("vigeastblob_account", "other_account"));
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:6: there is no file"
                                + " aux_data/configs/other_account.yaml"),
                files.mistakes());
    }

    @Test
    void noTextOfAStoreOrAConfigShowsASecret() throws ConfigException {
        String text = ConfigFolder.documented(folder).config().toString();
        assertFalse(text.contains("c2VjcmV0LWtleQ") || text.contains("verysecret"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"subscription_id": "1", "resource_group": "g"}       | 1 | workspace_name is missing
                    {'subscription_id': '1'}                              | 1 | not valid JSON: expected a field name in double quotes, at line 1 column 2
                    {\\n"subscription_id": 1\\n}                          | 2 | subscription_id: must be a text, but is a number
                    {\\n"subscription_id": "1",\\n}                       | 3 | not valid JSON: expected a field name in double quotes, at line 3 column 1
                    []                                                    | 1 | the body must be an object, but is a list
                    """)
    void a15AWrongWorkspaceFileIsToldWithItsLine(String json, int line, String problem) {
        var files = ConfigFolder.documented(folder);
        files.with("aux_data/aml/config.json", json.replace("\\n", "\n"));
        assertEquals(
                List.of("aux_data/aml/config.json:" + line + ": " + problem), files.mistakes());
    }

    @Test
    void a15TheWorkspaceMayStandInTheFileItself() throws ConfigException {
        String inline =
                "aml_config: {subscription_id: '1', resource_group: g, workspace_name: inner}";
        var files = ConfigFolder.documented(folder);
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED.replace("aml_config: aux_data/aml/config.json", inline));
        assertEquals(
                Optional.of(new AzureMl.Workspace("1", "g", "inner")),
                files.config().azure().workspace());
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED.replace(
                        "aml_config: aux_data/aml/config.json", "aml_config: {workspace_name: w}"));
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:3: aml_config.subscription_id is missing",
                        "aux_data/aml/aml.yaml:3: aml_config.resource_group is missing"),
                files.mistakes());
    }

    @Test
    void a15AFileOfAzureMlNeedsItsWorkspaceAndItsComputeTarget() {
        var files = ConfigFolder.documented(folder);
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED
                        .replace("aux_data/aml/config.json", "aux_data/aml/none.json")
                        .replace("compute_target: NC24RSV3", "compute_target: null"));
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:3: there is no file aux_data/aml/none.json",
                        "aux_data/aml/aml.yaml:15: compute_target is missing"),
                files.mistakes());
    }
}
