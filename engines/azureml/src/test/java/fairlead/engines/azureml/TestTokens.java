package fairlead.engines.azureml;

import fairlead.engines.azureml.rest.Tokens;

import java.util.concurrent.atomic.AtomicInteger;

/** Tokens that the test service takes until it says otherwise. */
final class TestTokens implements Tokens {
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public String token() {
        return "token-" + number.get();
    }

    @Override
    public void refused(String token) {
        number.compareAndSet(
                Integer.parseInt(token.substring("token-".length())), number.get() + 1);
    }
}
