import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { at, call, get, post, session, type Detail, type JobEvent, type Spec, type Task, type Why } from "../lib/api";
import { useAction, useLoaded, useNow } from "../lib/hooks";
import { go } from "../lib/router";
import { bytes, count, exactTime, priority, short, span } from "../lib/words";
import { Age, Button, Empty, Facts, JobLink, jobPath, Loading, Moment, Notes, Panel, save, Start, State, Trouble } from "../ui/parts";
import { LogView } from "../ui/log";
import { yaml } from "../lib/yaml";

const isOver = (state: string) => ["succeeded", "failed", "cancelled"].includes(state);

export function JobPage({ id, tab }: { id: string; tab: string }) {
  const [whole, setWhole] = useState(id);
  const detail = useLoaded(
    async (signal) => {
      const found = await get<Detail>(at`/v1/jobs/${id}`, signal);
      setWhole(found.job.id);
      return found;
    },
    [id],
    { seconds: 15, events: (job) => job === undefined || job === whole || job.endsWith(id) },
  );
  const action = useAction();
  if (!detail.data) {
    return detail.error ? <Empty title="This job cannot be shown."><p>{detail.error}</p><p><a href="/portal/jobs">All jobs</a></p></Empty> : <Loading />;
  }
  const { job } = detail.data;
  const isMine = job.owner === session.value?.name || session.value?.admin;
  const over = isOver(job.state);
  const act = (work: () => Promise<unknown>) => void action.run(async () => { await work(); detail.reload(); });
  const base = jobPath(id);
  const tabs: [string, string, boolean][] = [
    ["", "Overview", true], ["log", "Log", Boolean(isMine)], ["metrics", "Metrics", true], ["terminal", "Terminal", Boolean(isMine) && job.state === "running"], ["spec", "Job file", Boolean(detail.data.spec)],
  ];
  return (
    <>
      <div class="head-line">
        <h1 class="mono" title={job.id}>{short(job.id)}</h1>
        <State word={job.state} />
        {job.reason && <span class="quiet">{job.reason}</span>}
        {isMine && (
          <span class="push">
            {!over && <Button kind="danger" disabled={action.busy} onClick={() => act(() => post(at`/v1/jobs/${job.id}/abort`))}>Stop</Button>}
            {!over && (
              <span class="choice" role="group" aria-label="Priority">
                <button type="button" aria-label="lower the priority" onClick={() => act(() => post(at`/v1/jobs/${job.id}/priority`, { change: -1 }))}>−</button>
                <button type="button" disabled>priority {priority(job.priority)}</button>
                <button type="button" aria-label="raise the priority" onClick={() => act(() => post(at`/v1/jobs/${job.id}/priority`, { change: 1 }))}>+</button>
              </span>
            )}
            {over && <Button disabled={action.busy} onClick={() => void action.run(async () => {
              const made = await post<{ ids: string[] }>(at`/v1/jobs/${job.id}/resubmit`);
              go(jobPath(made.ids[0]).slice("/portal/".length));
            })}>Resubmit</Button>}
            <a class="button" href={"/portal/submit?clone=" + encodeURIComponent(job.id)}>Clone</a>
            {over && <Button kind="danger" disabled={action.busy} onClick={() => void action.run(async () => { await call("DELETE", at`/v1/jobs/${job.id}`); go("jobs"); })}>Delete</Button>}
          </span>
        )}
      </div>
      <Trouble text={action.error || detail.error} />
      <nav class="tabs" aria-label="About this job">
        {tabs.filter(([, , isThere]) => isThere).map(([path, title]) => <a key={path} href={path ? `${base}/${path}` : base} aria-current={tab === path ? "page" : undefined}>{title}</a>)}
      </nav>
      {tab === "log" ? <LogView key={job.id} job={job.id} tasks={tasksOf(detail.data)} attempts={job.attempts} isOver={over} />
        : tab === "metrics" ? <Later load={metrics} job={job.id} isTraining={job.epochs !== undefined && job.epochs !== null} />
        : tab === "terminal" ? (job.state === "running" ? <Later load={terminal} job={job.id} tasks={detail.data.tasks.map((each) => each.task)} /> : <Empty title="The job does not run now."><p>A terminal opens beside a running task.</p></Empty>)
        : tab === "spec" && detail.data.spec ? <SpecView id={job.id} spec={detail.data.spec} />
        : <Overview detail={detail.data} isMine={Boolean(isMine)} />}
    </>
  );
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loaded = ComponentType<any>;
const metrics = () => import("../ui/metrics").then((it) => it.JobMetrics as Loaded);
const terminal = () => import("../ui/terminal").then((it) => it.TerminalView as Loaded);

/** Plots and the terminal bring libraries of their own, which other pages need not load. */
function Later({ load, ...rest }: { load: () => Promise<Loaded> } & Record<string, unknown>) {
  const [Part, set] = useState<Loaded>();
  useEffect(() => void load().then((part) => set(() => part)), [load]);
  return Part ? <Part {...rest} /> : <Loading />;
}

function tasksOf(detail: Detail): string[] {
  if (detail.tasks.length > 0) return detail.tasks.map((each) => each.task);
  const roles = (detail.spec?.roles ?? []) as { name?: string; count?: number }[];
  return roles.flatMap((role) => Array.from({ length: role.count ?? 1 }, (_, i) => `${role.name ?? "main"}/${i}`));
}

function Overview({ detail, isMine }: { detail: Detail; isMine: boolean }) {
  const { job, tasks, events } = detail;
  return (
    <>
      <Notes of={detail.notes} />
      <Panel title="Job">
        {job.command && <pre class="command">{job.command}</pre>}
        <Facts of={[
          ["Owner", job.owner], ["Project", job.project], ["Cluster", job.cluster],
          ["GPUs", `${job.gpus}${job.gpuPart ? ` × ${job.gpuPart}` : ""}`],
          ["Submitted", <Moment at={job.submitted} />],
          ["Started", job.started && <Moment at={job.started} />],
          ["Ended", job.finished && <Moment at={job.finished} />],
          ["Starts", job.predictedStart && job.state === "queued" && <Start of={job} />],
          ["Place in the queue", job.place], ["Nodes", job.nodes?.join(", ")],
          ["Attempts", job.attempts || undefined], ["Failures", job.failures || undefined],
          ["Exit code", job.exitCode ?? undefined],
          ["Epochs", job.epochs ? `${job.epochsDone ?? 0} of ${job.epochs}` : undefined],
          ["Most GPU memory", detail.progress?.gpuMemoryBytes ? bytes(detail.progress.gpuMemoryBytes) : undefined],
          ["Saved", detail.progress?.savedAt && <Moment at={detail.progress.savedAt} />],
          ["Array", job.array && <a href={"/portal/jobs?array=" + encodeURIComponent(job.array)}>all of them</a>],
          ["Config", job.config], ["Id", <span class="mono">{job.id}</span>],
        ]} />
      </Panel>
      {!isOver(job.state) && job.state !== "running" && <WhyPanel id={job.id} />}
      {tasks.length > 0 && <Tasks tasks={tasks} id={job.id} isRunning={job.state === "running" && isMine} />}
      <div class="grid">
        <History events={events} isEnded={isOver(job.state)} />
        {detail.setbacks && (
          <Panel title="Preemptions">
            <p>{detail.setbacks.lostSeconds > 0 ? <>{span(detail.setbacks.lostSeconds)} of work were lost; the fair order counts them as time waited.</> : "Nothing was lost."}</p>
            <ul class="timeline">{detail.setbacks.receipts.map((receipt) => (
              <li key={receipt.at}><Moment at={receipt.at} /><i class="dot stopping" /><span>for <JobLink id={receipt.beneficiary} />: {receipt.why}<span class="quiet"> · {receipt.lostSeconds > 0 ? `lost ${span(receipt.lostSeconds)}` : "lost nothing"}</span></span></li>
            ))}</ul>
          </Panel>
        )}
      </div>
    </>
  );
}

function WhyPanel({ id }: { id: string }) {
  const why = useLoaded((signal) => get<Why>(at`/v1/jobs/${id}/why`, signal), [id], { seconds: 5, events: () => true });
  if (!why.data) return <Trouble text={why.error} />;
  const it = why.data;
  return (
    <Panel title="Why it waits" aside={<Start of={it} />}>
      {it.needs && <p>It needs {it.needs}{it.place ? `, and is ${it.place === 1 ? "next" : `at place ${it.place}`} in the queue` : ""}.</p>}
      <ul>{it.obstacles?.map((words) => <li key={words}>{words}</li>)}</ul>
      {it.holders && it.holders.length > 0 && (
        <>
          <h3>In its place now</h3>
          <ul>{it.holders.map((holder) => (
            <li key={holder.id}>{holder.owner}'s <JobLink id={holder.id} /> holds {count(holder.gpus, "GPU")} since <Age at={holder.since} />: {holder.gives}{holder.at ? <> <Moment at={holder.at} /></> : ""}{holder.note ? `, ${holder.note}` : ""}</li>
          ))}{it.moreHolders ? <li>and {it.moreHolders} more</li> : null}</ul>
        </>
      )}
      {it.advice && <p>It would start now {it.advice}.</p>}
    </Panel>
  );
}

function Tasks({ tasks, id, isRunning }: { tasks: Task[]; id: string; isRunning: boolean }) {
  const [shown, setShown] = useState(50);
  const action = useAction();
  const open = (task: string, port: number) => void action.run(async () => {
    const page = window.open("about:blank");
    const link = await post<{ path: string }>(at`/v1/jobs/${id}/ports/${port}`, { task });
    if (page) page.location.href = link.path;
  });
  return (
    <Panel title={count(tasks.length, "task")} aside={isRunning && <PortForm tasks={tasks} open={open} />}>
      <Trouble text={action.error} />
      <div class="flush tablewrap">
        <table>
          <thead><tr><th>Task</th><th>State</th><th>Node</th><th>GPUs</th><th>Ports</th><th class="number">Exit code</th><th>Note</th></tr></thead>
          <tbody>{tasks.slice(0, shown).map((task) => (
            <tr key={task.task}>
              <td class="mono">{task.task}</td><td><State word={task.state} /></td><td>{task.node}</td>
              <td>{task.gpus.join(", ")}{task.gpuMemoryBytes ? ` (${bytes(task.gpuMemoryBytes)})` : task.gpuThousandths ? ` (${task.gpuThousandths / 10} %)` : ""}</td>
              <td>{Object.entries(task.ports ?? {}).map(([label, ports]) => (
                <span key={label}>{label} {ports.map((port) => isRunning ? <button type="button" class="link" key={port} onClick={() => open(task.task, port)}>{port} </button> : <span key={port}>{port} </span>)}</span>
              ))}</td>
              <td class="number">{task.exitCode ?? ""}</td><td>{task.note}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
      {tasks.length > shown && <Button onClick={() => setShown(shown + 500)}>Show {Math.min(500, tasks.length - shown)} more</Button>}
    </Panel>
  );
}

/** A page that a task serves, through the server: TensorBoard, a notebook, anything that speaks HTTP. */
function PortForm({ tasks, open }: { tasks: Task[]; open: (task: string, port: number) => void }) {
  return (
    <form class="head-line" onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      open(tasks[0].task, Number(form.get("port")));
    }}>
      <input name="port" type="number" min="1" max="65535" required placeholder="6006" aria-label="Port of a page that the task serves" style={{ width: "90px" }} />
      <Button type="submit">Open port</Button>
    </form>
  );
}

function History({ events, isEnded }: { events: JobEvent[]; isEnded: boolean }) {
  const now = useNow();
  const [all, setAll] = useState(false);
  const spells: { state: string; seconds: number }[] = [];
  events.forEach((event, i) => {
    if (isEnded && i === events.length - 1) return;
    const end = i + 1 < events.length ? Date.parse(events[i + 1].at) : now;
    const seconds = Math.max(0, (end - Date.parse(event.at)) / 1000);
    const last = spells.at(-1);
    if (last && last.state === event.state) last.seconds += seconds;
    else spells.push({ state: event.state, seconds });
  });
  const whole = spells.reduce((sum, spell) => sum + spell.seconds, 0) || 1;
  const sums = new Map<string, number>();
  spells.forEach((spell) => sums.set(spell.state, (sums.get(spell.state) ?? 0) + spell.seconds));
  const shown = all ? events : events.slice(-12);
  return (
    <Panel title="History">
      <div>
        <div class="life" role="img" aria-label={[...sums].map(([state, seconds]) => `${state} ${span(seconds)}`).join(", ")}>
          {spells.map((spell, i) => <i key={i} class={spell.state} style={{ width: `${(100 * spell.seconds) / whole}%` }} title={`${spell.state} ${span(spell.seconds)}`} />)}
        </div>
        <p class="legend">{[...sums].map(([state, seconds]) => <span key={state}>{state} {span(seconds)}</span>)}</p>
      </div>
      <ol class="timeline">
        {shown.map((event, i) => (
          <li key={i}><time dateTime={event.at} title={exactTime(event.at)}>{new Date(event.at).toLocaleTimeString()}</time><i class={`dot ${event.state}`} /><span>{event.event.replace(/-/g, " ")}{event.detail && <span class="quiet"> · {event.detail}</span>}</span></li>
        ))}
      </ol>
      {events.length > shown.length && <Button onClick={() => setAll(true)}>Show all {events.length}</Button>}
    </Panel>
  );
}

function SpecView({ id, spec }: { id: string; spec: Spec }) {
  const text = yaml(spec);
  return (
    <Panel title="Job file" aside={<Button onClick={() => save(`${short(id).replace("·", "-")}.yaml`, text, "application/yaml")}>Export</Button>}>
      <pre class="command">{text}</pre>
      <p class="hint">As <code>fairlead submit -f FILE</code> and the page Submit take it. Inside: <code>fairlead bash {id}</code></p>
    </Panel>
  );
}
