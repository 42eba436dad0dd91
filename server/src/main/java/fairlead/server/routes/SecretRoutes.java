package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.SecretList;
import fairlead.api.people.SecretRequest;
import fairlead.control.Controller;
import fairlead.journal.JournalException;
import fairlead.server.auth.Access;
import fairlead.server.auth.Secrets;
import fairlead.server.auth.Secrets.Holder;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Values that jobs get: they are set and deleted here, and never shown. */
final class SecretRoutes {
    private final Controller controller;
    private final Access access;
    private final Secrets secrets;

    SecretRoutes(Controller controller, Access access, Secrets secrets) {
        this.controller = controller;
        this.access = access;
        this.secrets = secrets;
    }

    void ofPerson(Call call) throws JournalException {
        onlyOwn(call);
        list(call, Holder.PERSON);
    }

    void setOfPerson(Call call) throws JournalException, IOException, InterruptedException {
        onlyOwn(call);
        set(call, Holder.PERSON);
    }

    void deleteOfPerson(Call call) throws JournalException {
        onlyOwn(call);
        delete(call, Holder.PERSON);
    }

    void ofProject(Call call) throws JournalException {
        onlyProject(call);
        list(call, Holder.PROJECT);
    }

    void setOfProject(Call call) throws JournalException, IOException, InterruptedException {
        onlyProject(call);
        set(call, Holder.PROJECT);
    }

    void deleteOfProject(Call call) throws JournalException {
        onlyProject(call);
        delete(call, Holder.PROJECT);
    }

    private void onlyOwn(Call call) {
        if (!call.name().equals(call.caller().name())) call.onlyAdmin("touch secrets of others");
        if (!access.everyone().containsKey(call.name()))
            throw new Problem(ErrorCode.NOT_FOUND, "no user '%.40s'".formatted(call.name()));
    }

    private void onlyProject(Call call) {
        if (!call.caller().administers().contains(call.name()))
            call.onlyAdmin("touch the secrets of a project");
        ProjectRoutes.known(controller, call.name(), "name");
    }

    private void list(Call call, Holder holder) throws JournalException {
        call.send(200, new SecretList(secrets.names(holder, call.name())));
    }

    private void set(Call call, Holder holder)
            throws JournalException, IOException, InterruptedException {
        String name = call.inPath("secret").orElseThrow();
        if (!Secrets.NAME.matcher(name).matches())
            throw Problem.invalid(
                    "name",
                    "name: a secret is called by letters, digits and any of '._-', but this is '%.80s'"
                            .formatted(name));
        String value = call.body(SecretRequest.class).value();
        boolean fits =
                value != null
                        && !value.isEmpty()
                        && value.indexOf(0) < 0
                        && value.getBytes(StandardCharsets.UTF_8).length <= Secrets.VALUE_BYTES_MAX;
        if (!fits)
            throw Problem.invalid(
                    "value",
                    "value: must have 1 to " + Secrets.VALUE_BYTES_MAX + " bytes, none of them 0");
        var known = secrets.names(holder, call.name());
        if (!known.contains(name) && known.size() >= Secrets.COUNT_MAX)
            throw new Problem(
                    ErrorCode.CONFLICT, "there are %d secrets already".formatted(known.size()));
        secrets.set(holder, call.name(), name, value);
        call.sendNothing(204);
    }

    private void delete(Call call, Holder holder) throws JournalException {
        String name = call.inPath("secret").orElseThrow();
        if (!secrets.names(holder, call.name()).contains(name))
            throw new Problem(ErrorCode.NOT_FOUND, "no secret '%.80s'".formatted(name));
        secrets.delete(holder, call.name(), name);
        call.sendNothing(204);
    }
}
