/**
 * The fair rule written a second time, to judge those by who plan by it. Touches job and cluster,
 * and no policy.
 */
package fairlead.justice;
