/** What the tests of several modules share; no program uses it. */
package fairlead.testing;
