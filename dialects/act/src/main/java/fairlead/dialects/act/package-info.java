/**
 * The config files of ACT and Philly: read, checked, and turned into what a job is made from; the
 * origin and the launch of such a job. Touches api, its JSON reader and the YAML library.
 */
package fairlead.dialects.act;
