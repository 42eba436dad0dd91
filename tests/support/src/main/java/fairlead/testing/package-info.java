/**
 * What the tests of several modules share; no program uses it.
 *
 * <p>Touches: org.junit.jupiter, org.junit.platform.
 */
package fairlead.testing;
