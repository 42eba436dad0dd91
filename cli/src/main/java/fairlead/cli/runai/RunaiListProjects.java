package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.api.people.ProjectBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
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
