import { useState } from "preact/hooks";
import { at, call, get, query as ask, session, type Server } from "../lib/api";
import { useAction, useLoaded } from "../lib/hooks";
import { go } from "../lib/router";
import { amount, bytes, span } from "../lib/words";
import { Age, Button, csv, Empty, Facts, Field, Loading, Notes, Panel, save, State, Trouble } from "../ui/parts";

interface Project { name: string; quota?: number; members?: string[]; interactiveMax?: number; interactiveLimit?: string; gpusHeld: number; jobsWaiting: number; stopped?: boolean }
interface Person { name: string; admin: boolean; project: string }
interface Use { name: string; jobs: number; failed: number; gpuHours: number; waitSeconds?: number; quota?: number; borrowedHours?: number; lentHours?: number }
interface Report { from: string; to: string; gpus: number; gpuHours: number; people: Use[]; projects: Use[]; notes: string[] }
interface Stats { jobs: Record<string, number>; gpus: number; gpusFree: number; predictedWell: number; predictedBadly: number }

const PARTS: [string, string][] = [["projects", "Projects"], ["people", "People"], ["report", "Report"], ["server", "Server"]];

export function AdminPage({ part, query }: { part: string; query: URLSearchParams }) {
  return (
    <>
      <div class="head-line"><h1>Team</h1></div>
      <nav class="tabs" aria-label="About the team">{PARTS.map(([path, title]) => <a key={path} href={`/portal/admin/${path}`} aria-current={path === part ? "page" : undefined}>{title}</a>)}</nav>
      {part === "people" ? <People /> : part === "report" ? <ReportView query={query} /> : part === "server" ? <ServerView /> : <Projects />}
    </>
  );
}

function Projects() {
  const projects = useLoaded((signal) => get<{ projects: Project[] }>("/v1/projects", signal), [], { seconds: 10, events: () => true });
  const action = useAction();
  const [edited, setEdited] = useState<Project | "new">();
  const isAdmin = session.value?.admin;
  const put = (name: string, body: object, create = false) => void action.run(async () => {
    await call("PUT", at`/v1/projects/${name}` + ask({ create: create || undefined }), body);
    setEdited(undefined);
    projects.reload();
  });
  if (!projects.data) return projects.error ? <Trouble text={projects.error} /> : <Loading />;
  return (
    <Panel title="Projects" aside={isAdmin && <Button kind="primary" onClick={() => setEdited("new")}>New project</Button>}>
      <Trouble text={action.error} />
      {edited && <ProjectForm of={edited} busy={action.busy} close={() => setEdited(undefined)} put={put} />}
      <div class="flush tablewrap"><table>
        <thead><tr><th>Project</th><th class="number">Quota</th><th class="number">GPUs held</th><th class="number">Waiting</th><th>Members</th><th>Interactive</th><th>Takes jobs</th><th /></tr></thead>
        <tbody>{projects.data.projects.map((project) => (
          <tr key={project.name}>
            <td>{project.name}</td><td class="number">{project.quota ?? "none"}</td><td class="number">{amount(project.gpusHeld)}</td><td class="number">{project.jobsWaiting}</td>
            <td>{project.members?.length ? project.members.join(", ") : "everyone"}</td><td>{project.interactiveMax ?? "as the quota allows"}, {project.interactiveLimit}</td>
            <td>{project.stopped ? <State word="stopped" /> : "yes"}</td>
            <td class="number">{isAdmin && <Button onClick={() => setEdited(project)}>Change</Button>} {isAdmin && project.name !== "default" && <Button kind="danger" onClick={() => void action.run(async () => { await call("DELETE", at`/v1/projects/${project.name}`); projects.reload(); })}>Delete</Button>}</td>
          </tr>
        ))}</tbody>
      </table></div>
      <p class="hint">A quota is guaranteed, and lent while it is idle. Where no project has one, the cluster is everybody's.</p>
    </Panel>
  );
}

function ProjectForm({ of, busy, close, put }: { of: Project | "new"; busy: boolean; close: () => void; put: (name: string, body: object, create?: boolean) => void }) {
  const old = of === "new" ? undefined : of;
  return (
    <form class="bar-line" onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      const text = (name: string) => String(form.get(name) ?? "").trim();
      const members = text("members").split(/[\s,]+/).filter(Boolean);
      const before = old?.members ?? [];
      const quota = text("quota");
      put(old?.name ?? text("name"), {
        ...(quota ? { quota: Number(quota) } : old?.quota !== undefined && old.quota !== null ? { unset: ["quota"] } : {}),
        add: members.filter((name) => !before.includes(name)), remove: before.filter((name) => !members.includes(name)), stopped: form.get("stopped") === "on",
      }, !old);
    }}>
      {!old && <Field label="Name"><input name="name" required autofocus /></Field>}
      <Field label="Quota in GPUs"><input name="quota" type="number" min="0" defaultValue={old?.quota === undefined || old.quota === null ? "" : String(old.quota)} placeholder="none" /></Field>
      <Field label="Members"><input name="members" defaultValue={old?.members?.join(", ") ?? ""} placeholder="everyone" /></Field>
      <label><input type="checkbox" name="stopped" defaultChecked={Boolean(old?.stopped)} /> takes no new jobs</label>
      <Button kind="primary" type="submit" disabled={busy}>{old ? `Change ${old.name}` : "Make it"}</Button>
      <Button onClick={close}>Cancel</Button>
    </form>
  );
}

function People() {
  const people = useLoaded((signal) => get<{ people: Person[] }>("/v1/people", signal), []);
  const action = useAction();
  const [secret, setSecret] = useState<{ name: string; token: string }>();
  const [ask, setAsk] = useState("");
  const isAdmin = session.value?.admin;
  const act = (work: () => Promise<unknown>) => void action.run(async () => { await work(); people.reload(); });
  if (!people.data) return people.error ? <Trouble text={people.error} /> : <Loading />;
  return (
    <Panel title="People">
      <Trouble text={action.error} />
      {secret && <div class="notice" role="status"><p>The token of {secret.name}. It is shown only now:</p><p class="secret">{secret.token}</p></div>}
      {isAdmin && (
        <form class="bar-line" onSubmit={(event) => {
          event.preventDefault();
          const element = event.currentTarget;
          const form = new FormData(element);
          act(async () => { setSecret(await call<{ name: string; token: string }>("PUT", at`/v1/people/${String(form.get("name"))}`, { admin: form.get("admin") === "on" })); element.reset(); });
        }}>
          <Field label="New person"><input name="name" required pattern="[A-Za-z0-9._\-]{1,32}" /></Field>
          <label><input type="checkbox" name="admin" /> admin</label>
          <Button kind="primary" type="submit" disabled={action.busy}>Make known</Button>
        </form>
      )}
      <div class="flush tablewrap"><table>
        <thead><tr><th>Name</th><th>Role</th><th>Project</th><th /></tr></thead>
        <tbody>{people.data.people.map((person) => (
          <tr key={person.name}>
            <td>{person.name}{person.name === session.value?.name && <span class="hint"> you</span>}</td><td>{person.admin ? "admin" : "member"}</td><td>{person.project}</td>
            <td class="number">
              {(isAdmin || person.name === session.value?.name) && <Button onClick={() => setAsk(ask === person.name ? "" : person.name)}>Password</Button>}{" "}
              {isAdmin && <Button onClick={() => act(() => call("PATCH", at`/v1/people/${person.name}`, { admin: !person.admin }))}>{person.admin ? "Make a member" : "Make an admin"}</Button>}{" "}
              {isAdmin && person.name !== session.value?.name && <Button kind="danger" onClick={() => act(() => call("DELETE", at`/v1/people/${person.name}`))}>Delete</Button>}
              {ask === person.name && (
                <form class="bar-line" onSubmit={(event) => { event.preventDefault(); const form = new FormData(event.currentTarget); act(async () => { await call("PUT", at`/v1/people/${person.name}/password`, { password: String(form.get("password")) }); setAsk(""); }); }}>
                  <input name="password" type="password" minLength={6} required aria-label={`New password of ${person.name}`} autocomplete="new-password" style={{ width: "180px" }} autofocus />
                  <Button type="submit" kind="primary">Set it</Button>
                </form>
              )}
            </td>
          </tr>
        ))}</tbody>
      </table></div>
    </Panel>
  );
}

function ReportView({ query }: { query: URLSearchParams }) {
  const days = Number(query.get("days") ?? 7) || 7;
  const report = useLoaded((signal) => get<Report>("/v1/report" + ask({ from: new Date(Date.now() - days * 86400_000).toISOString() }), signal), [days]);
  const stats = useLoaded((signal) => get<Stats>("/v1/stats", signal), []);
  const it = report.data;
  const predicted = stats.data ? stats.data.predictedWell + stats.data.predictedBadly : 0;
  return (
    <>
      <div class="head-line">
        <div class="choice" role="group" aria-label="Span">{[1, 7, 30].map((each) => <button type="button" key={each} aria-pressed={each === days} onClick={() => go("admin/report" + ask({ days: each }), { replace: true })}>{each === 1 ? "1 day" : `${each} days`}</button>)}</div>
        {it && <Button onClick={() => save(`report-${it.from.slice(0, 10)}-${it.to.slice(0, 10)}.csv`, reportCsv(it), "text/csv")}>CSV</Button>}
      </div>
      <Trouble text={report.error} />
      <Notes of={it?.notes} />
      {!it ? (report.error ? null : <Loading />) : it.people.length === 0 ? <Empty title="Nobody has used a GPU in this time." /> : (
        <>
          <Panel title="In all"><Facts of={[["GPU-hours used", amount(Math.round(it.gpuHours * 100) / 100)], ["GPUs", it.gpus], ["Share of what there was", it.gpus ? `${Math.round((100 * it.gpuHours) / (it.gpus * days * 24))} %` : "–"], ["Predicted starts that came true", predicted ? `${Math.round((100 * (stats.data?.predictedWell ?? 0)) / predicted)} % of ${predicted}` : "none yet"]]} /></Panel>
          <div class="grid"><UseTable title="By person" uses={it.people} /><UseTable title="By project" uses={it.projects} isProjects /></div>
        </>
      )}
    </>
  );
}

function UseTable({ title, uses, isProjects = false }: { title: string; uses: Use[]; isProjects?: boolean }) {
  const most = uses.reduce((max, use) => Math.max(max, use.gpuHours), 0) || 1;
  const sorted = [...uses].sort((a, b) => b.gpuHours - a.gpuHours);
  return (
    <Panel title={title}>
      <div class="bars" role="img" aria-label={`GPU-hours ${title}: ${sorted.map((use) => `${use.name} ${amount(use.gpuHours)}`).join(", ")}`}>
        {sorted.slice(0, 12).map((use) => <div key={use.name}><span>{use.name}</span><span class="track"><i style={{ width: `${(100 * use.gpuHours) / most}%` }} /></span><span class="number">{amount(Math.round(use.gpuHours * 100) / 100)} h</span></div>)}
      </div>
      <div class="flush tablewrap"><table>
        <thead><tr><th>{isProjects ? "Project" : "Person"}</th><th class="number">Jobs</th><th class="number">Failed</th><th class="number">GPU-hours</th><th class="number">Median wait</th>{isProjects && <><th class="number">Quota</th><th class="number">Borrowed</th><th class="number">Lent</th></>}</tr></thead>
        <tbody>{sorted.map((use) => (
          <tr key={use.name}><td>{use.name}</td><td class="number">{use.jobs}</td><td class="number">{use.failed}</td><td class="number">{amount(use.gpuHours)}</td><td class="number">{use.waitSeconds === undefined || use.waitSeconds === null ? "" : span(use.waitSeconds)}</td>
            {isProjects && <><td class="number">{use.quota ?? ""}</td><td class="number">{use.borrowedHours ?? ""}</td><td class="number">{use.lentHours ?? ""}</td></>}</tr>
        ))}</tbody>
      </table></div>
    </Panel>
  );
}

function reportCsv(report: Report): string {
  const row = (kind: string) => (use: Use) => [kind, use.name, use.jobs, use.failed, use.gpuHours, use.waitSeconds, use.quota, use.borrowedHours, use.lentHours];
  return csv([["kind", "name", "jobs", "failed", "gpu_hours", "median_wait_seconds", "quota", "borrowed_hours", "lent_hours"], ...report.people.map(row("person")), ...report.projects.map(row("project"))]);
}

function ServerView() {
  const server = useLoaded((signal) => get<Server>("/v1/server", signal), [], { seconds: 10 });
  const stats = useLoaded((signal) => get<Stats>("/v1/stats", signal), [], { seconds: 10 });
  const it = server.data;
  if (!it) return server.error ? <Trouble text={server.error} /> : <Loading />;
  return (
    <>
      <Panel title="Server">
        <Facts of={[["Version", it.version], ["Policy", it.policy], ["Runs since", <Age at={it.started} />], ["Journal", bytes(it.journalBytes)], ["Journal's check", it.journalCheck], ["Newest copy", it.journalCopy], ["Address", it.url],
          ...Object.entries(stats.data?.jobs ?? {}).map(([state, number]): [string, string] => [`Jobs ${state}`, number.toLocaleString()])]} />
      </Panel>
      <Panel title="Clusters"><div class="flush tablewrap"><table>
        <thead><tr><th>Cluster</th><th>Engine</th><th>Health</th><th>Images</th></tr></thead>
        <tbody>{it.clusters.map((cluster) => <tr key={cluster.name}><td><a href={`/portal/cluster/${encodeURIComponent(cluster.name)}`}>{cluster.name}</a></td><td>{cluster.engine}</td><td>{cluster.reachable ? <State word="reachable" /> : <><State word="failed" /> {cluster.trouble}</>}</td><td>{cluster.images ? "yes" : "no"}</td></tr>)}</tbody>
      </table></div></Panel>
    </>
  );
}
