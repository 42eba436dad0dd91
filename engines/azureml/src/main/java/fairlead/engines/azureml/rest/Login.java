package fairlead.engines.azureml.rest;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.AzureCliCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.DeviceCodeCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.OffsetDateTime;

/**
 * Tokens by Azure's own identity library. They are kept in memory alone, and nothing of them is
 * logged.
 */
public final class Login implements Tokens {
    private static final Logger LOG = System.getLogger(Login.class.getName());

    /** One that ends sooner might end on its way. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private final String kind;
    private final TokenCredential credential;
    private final TokenRequestContext context;
    private AccessToken last;

    private Login(String kind, Cloud cloud, TokenCredential credential) {
        this.kind = kind;
        this.credential = credential;
        this.context = new TokenRequestContext().addScopes(cloud.scope());
    }

    /**
     * @param kind cli (as {@code az login} left it), environment (the AZURE_ variables of a service
     *     principal), managed, workload, device-code, or default: the first that is there
     */
    public static Login of(String kind, Cloud cloud) {
        String host = cloud.authority();
        TokenCredential credential =
                switch (kind) {
                    case "cli" -> new AzureCliCredentialBuilder().build();
                    case "environment" ->
                            new EnvironmentCredentialBuilder().authorityHost(host).build();
                    case "managed" -> new ManagedIdentityCredentialBuilder().build();
                    case "workload" ->
                            new WorkloadIdentityCredentialBuilder().authorityHost(host).build();
                    case "device-code" ->
                            new DeviceCodeCredentialBuilder()
                                    .authorityHost(host)
                                    .challengeConsumer(
                                            told -> LOG.log(Level.WARNING, told.getMessage()))
                                    .build();
                    case "default" ->
                            new DefaultAzureCredentialBuilder().authorityHost(host).build();
                    default ->
                            throw new IllegalArgumentException("no way to log in called " + kind);
                };
        return new Login(kind, cloud, credential);
    }

    @Override
    public synchronized String token() throws ServiceException {
        boolean isGood =
                last != null && last.getExpiresAt().isAfter(OffsetDateTime.now().plus(MARGIN));
        if (isGood) return last.getToken();
        try {
            last = credential.getTokenSync(context);
            return last.getToken();
        } catch (RuntimeException problem) {
            // The library has a dozen kinds of its own, all unchecked.
            throw new ServiceException(
                    "cannot log in to Azure (%s): %s"
                            .formatted(kind, problem.getMessage().lines().findFirst().orElse("")),
                    problem);
        }
    }

    @Override
    public synchronized void refused(String token) {
        if (last != null && last.getToken().equals(token)) last = null;
    }
}
