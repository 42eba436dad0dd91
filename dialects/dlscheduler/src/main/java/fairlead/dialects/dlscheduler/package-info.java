/** The commands of the Kubernetes DL scheduler: words in, a spec out. Touches api. */
package fairlead.dialects.dlscheduler;
