package fairlead.engines.azureml.rest;

/** Who calls: gives tokens for Azure's management interface. Any thread. */
public interface Tokens {
    /** One that still holds for some minutes. */
    String token() throws ServiceException;

    /** The service has refused this one: the next must be another. */
    void refused(String token);
}
