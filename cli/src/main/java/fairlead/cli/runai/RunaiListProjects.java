package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.api.people.ProjectBody;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Table;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.server.RunaiFile;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.util.List;

/** Shows the projects in the columns of Run:ai; departments and affinities there are none. */
final class RunaiListProjects implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai list projects", "runai list project"),
                "",
                0,
                "show the projects",
                List.of(),
                List.of(Example.of("fairlead runai list projects", "with their quotas")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var table =
                new Table()
                        .row(
                                "PROJECT",
                                "DEPARTMENT",
                                "DESERVED GPUs",
                                "INT LIMIT",
                                "INT AFFINITY",
                                "TRAIN AFFINITY");
        String usual = RunaiFile.of(session).project();
        for (ProjectBody project : session.client().projects().value().projects()) {
            boolean isUsual = project.name().equals(usual);
            table.row(
                    isUsual ? project.name() + " (default)" : project.name(),
                    JobWords.NOTHING,
                    project.quota() == null ? JobWords.NOTHING : project.quota().toString(),
                    project.interactiveLimit() == null
                            ? JobWords.NOTHING
                            : project.interactiveLimit(),
                    JobWords.NOTHING,
                    JobWords.NOTHING);
        }
        session.out().print(table.text());
        return ExitCode.OK;
    }
}
