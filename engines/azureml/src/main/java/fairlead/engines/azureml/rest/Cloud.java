package fairlead.engines.azureml.rest;

import com.azure.identity.AzureAuthorityHosts;

import java.net.URI;

/**
 * One of Azure's clouds: where its management interface is, and who gives tokens for it.
 *
 * @param scope of which tokens are asked for
 */
public record Cloud(URI management, String scope, String authority) {
    private static final Cloud PUBLIC =
            of("https://management.azure.com", AzureAuthorityHosts.AZURE_PUBLIC_CLOUD);

    private static Cloud of(String management, String authority) {
        return new Cloud(URI.create(management), management + "/.default", authority);
    }

    /**
     * @param word public, china, usgovernment, or the address of a management interface that takes
     *     the tokens of the public cloud, such as a gateway
     */
    public static Cloud named(String word) {
        return switch (word) {
            case "public" -> PUBLIC;
            case "china" ->
                    of("https://management.chinacloudapi.cn", AzureAuthorityHosts.AZURE_CHINA);
            case "usgovernment" ->
                    of(
                            "https://management.usgovcloudapi.net",
                            AzureAuthorityHosts.AZURE_GOVERNMENT);
            default -> new Cloud(URI.create(word), PUBLIC.scope(), PUBLIC.authority());
        };
    }
}
