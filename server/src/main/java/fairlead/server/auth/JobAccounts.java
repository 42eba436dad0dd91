package fairlead.server.auth;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * As which accounts of this machine people's jobs may run. A job runs as the server's account
 * unless it names another. Where that is root's, such a job could read the server's home and be an
 * admin, so a job of anybody but the server's owner has to name an account that its sender may use:
 * the one of their own name, or one that the settings give to all. An admin may name any. Any
 * thread.
 *
 * @param shared the accounts that everybody's jobs may run as
 */
public record JobAccounts(Machine machine, Set<String> shared) {
    /**
     * The accounts of the machine, as far as they matter here.
     *
     * @param serverIsRoot whether the server's own account may do everything
     * @param isThere whether it has an account of this name
     * @param isRoot whether an account of this name may do everything
     */
    public record Machine(
            boolean serverIsRoot, Predicate<String> isThere, Predicate<String> isRoot) {}

    /** How a job says as which account it runs, or what to do where it cannot say that. */
    public enum Form {
        SPEC("name an account to run as ('fairlead submit --user NAME', or user in a job file)"),
        OPENPAI("send its file by 'fairlead submit -f FILE --user NAME'"),
        SCRIPT("send it by 'fairlead submit --user NAME', or by POST /v1/jobs with its user");

        private final String advice;

        Form(String advice) {
            this.advice = advice;
        }
    }

    public JobAccounts {
        shared = Set.copyOf(shared);
    }

    /**
     * The account that somebody's jobs have where they name none: the one called as they are, on a
     * server that may become it.
     */
    public Optional<String> usual(String person) {
        boolean isTheirs =
                machine.serverIsRoot()
                        && machine.isThere().test(person)
                        && !machine.isRoot().test(person);
        return isTheirs ? Optional.of(person) : Optional.empty();
    }

    /**
     * Why a job may not name an account, or has to; empty when all is well.
     *
     * @param caller who sends the job
     * @param ownersJob whether the job is the server's owner's
     * @param here whether it runs on this machine
     */
    public Optional<String> refusal(
            Caller caller, boolean ownersJob, boolean here, Optional<String> account, Form form) {
        if (account.isEmpty())
            return machine.serverIsRoot() && here && !ownersJob
                    ? Optional.of(
                            advice(caller, form)
                                    + ". This server is root's, and only its owner's jobs run as"
                                    + " root")
                    : Optional.empty();
        return caller.isAdmin() || isAllowed(caller, account.get())
                ? Optional.empty()
                : Optional.of(
                        "only an admin may run a job as the account "
                                + account.get()
                                + "; you are "
                                + caller.name()
                                + choice(caller));
    }

    private boolean isAllowed(Caller caller, String account) {
        boolean isTheirs = account.equals(caller.name()) || shared.contains(account);
        return isTheirs && !machine.isRoot().test(account);
    }

    /** What to do where a job has to name an account. */
    private String advice(Caller caller, Form form) {
        if (!caller.isAdmin() && names(caller).isEmpty())
            return "ask an admin for an account of this machine called "
                    + caller.name()
                    + ", as there is none that your jobs may run as";
        return form.advice + choice(caller);
    }

    /** What would be accepted from this caller. */
    private String choice(Caller caller) {
        if (caller.isAdmin()) return "; you are an admin and may name any";
        Set<String> names = names(caller);
        return names.isEmpty()
                ? "; there is none that you may name, so ask an admin"
                : "; you may name " + String.join(", ", names);
    }

    private Set<String> names(Caller caller) {
        var names = new TreeSet<>(shared);
        if (machine.isThere().test(caller.name())) names.add(caller.name());
        names.removeIf(machine.isRoot());
        return names;
    }
}
