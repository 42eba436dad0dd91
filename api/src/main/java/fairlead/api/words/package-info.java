/**
 * Amounts with units, and guesses at mistyped words: the same for all who read what people write.
 *
 * <p>Touches: nothing.
 */
package fairlead.api.words;
