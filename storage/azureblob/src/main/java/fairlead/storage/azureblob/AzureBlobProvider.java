package fairlead.storage.azureblob;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Base64;

/**
 * Opens containers of Azure Blob Storage, or folders in them, by addresses such as {@code
 * azureblob://account/container/path}. It goes by the account's key where there is one, otherwise
 * by a SAS.
 */
public final class AzureBlobProvider implements StorageProvider {
    static final String SCHEME = "azureblob";

    /** With the pauses below about 10 s in all: a busy account is free by then, a lost one not. */
    private static final int TRIES = 5;

    private static final Duration PAUSE_FIRST = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /** Of one try, on the server's side; the client's own limits are for silence. */
    private static final Duration TRY_MAX = Duration.ofMinutes(10);

    /** No transfer takes longer. */
    private static final Duration SIGNED_FOR = Duration.ofDays(7);

    /** The most that Azure puts in one answer. */
    private static final int NAMES_PER_PAGE = 5_000;

    private final int namesPerPage;

    public AzureBlobProvider() {
        this(NAMES_PER_PAGE);
    }

    /** With smaller pages, so that a test has several of them with fewer files. */
    AzureBlobProvider(int namesPerPage) {
        this.namesPerPage = namesPerPage;
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    /** Asks the container at once, so that a wrong address or secret is noticed here. */
    @Override
    public Storage open(Address root, Access access) throws StorageException {
        if (!root.scheme().equals(SCHEME) || root.authority().isEmpty() || root.names().isEmpty()) {
            throw new StorageException(
                    root + " names no container; write azureblob://account/container/path");
        }
        Account account = account(root.authority(), access);
        var client = new UrlHttpClient();
        var service = connect(account, client);
        var storage = new AzureBlobStorage(root, account, service, client, namesPerPage);
        try {
            storage.isEmpty(root);
            return storage;
        } catch (StorageException away) {
            storage.close();
            throw away;
        }
    }

    private static Account account(String name, Access access) throws StorageException {
        String endpoint = access.endpoint().orElse("https://" + name + ".blob.core.windows.net");
        try {
            URI uri = new URI(endpoint);
            boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!isWeb || uri.getHost() == null || uri.getQuery() != null)
                throw new StorageException(
                        "an endpoint is an address such as https://host or"
                                + " http://127.0.0.1:10000/account, without a question mark");
        } catch (URISyntaxException _) {
            throw new StorageException("the endpoint of the account " + name + " is no address");
        }
        if (access.key().isEmpty() && access.sas().isEmpty())
            throw new StorageException(
                    "the account " + name + " needs an account key or a SAS, and has neither");
        try {
            access.key().ifPresent(Base64.getDecoder()::decode);
        } catch (IllegalArgumentException _) {
            throw new StorageException("the key of the account " + name + " is no Base64 text");
        }
        return new Account(name, endpoint, access.key(), access.sas());
    }

    /** A SAS is made of a key once: to sign every request by the key would cost more. */
    private static BlobServiceClient connect(Account account, UrlHttpClient client) {
        String sas =
                account.key().isPresent()
                        ? signing(account, client).generateAccountSas(everything())
                        : account.sas().orElseThrow();
        return builder(account, client).sasToken(sas).buildClient();
    }

    /** Signs addresses, and makes no call. */
    static BlobServiceClient signing(Account account, UrlHttpClient client) {
        return builder(account, client)
                .credential(
                        new StorageSharedKeyCredential(account.name(), account.key().orElseThrow()))
                .buildClient();
    }

    private static AccountSasSignatureValues everything() {
        return new AccountSasSignatureValues(
                OffsetDateTime.now().plus(SIGNED_FOR),
                AccountSasPermission.parse("rwdlac"),
                new AccountSasService().setBlobAccess(true),
                AccountSasResourceType.parse("sco"));
    }

    private static BlobServiceClientBuilder builder(Account account, UrlHttpClient client) {
        return new BlobServiceClientBuilder()
                .endpoint(account.endpoint())
                .httpClient(client)
                .retryOptions(
                        new RequestRetryOptions(
                                RetryPolicyType.EXPONENTIAL,
                                TRIES,
                                TRY_MAX,
                                PAUSE_FIRST,
                                PAUSE_MAX,
                                null));
    }
}
