import { useMemo, useState } from "preact/hooks";
import { at, get, query as ask, session, type Job, type JobPage, type Spec } from "../lib/api";
import { useLoaded } from "../lib/hooks";
import { axis, metricsOf, type Metrics } from "../lib/metrics";
import { go } from "../lib/router";
import { figure, short } from "../lib/words";
import { COLOURS } from "../lib/colours";
import { Button, csv, Empty, Field, JobLink, Loading, Panel, save, State, Trouble } from "../ui/parts";
import { Plot } from "../ui/plot";

const JOBS_MAX = 50;

interface Compared { job: Job; metrics: Metrics; parameters: Record<string, string> }

/** Jobs beside each other: by their ids, an array, or a name that they share. */
export function ComparePage({ query }: { query: URLSearchParams }) {
  const jobs = query.get("jobs") ?? "", array = query.get("array") ?? "", name = query.get("name") ?? "";
  const loaded = useLoaded((signal) => compared(jobs, array, name, signal), [jobs, array, name], { seconds: 5 });
  const [order, setOrder] = useState<{ column: string; down: boolean }>({ column: "", down: true });
  const all = loaded.data;
  const metrics = [...new Set(all?.flatMap((each) => each.metrics.series.map((series) => series.name)))];
  const differing = all ? parametersThatDiffer(all) : [];
  const last = (each: Compared, metric: string) => each.metrics.series.find((series) => series.name === metric)?.values.at(-1);
  const value = (each: Compared, column: string) => (metrics.includes(column) ? last(each, column) : each.parameters[column] ?? (column === "job" ? each.job.id : undefined));
  const sorted = all && [...all].sort((a, b) => compare(value(a, order.column), value(b, order.column)) * (order.down ? 1 : -1));
  const colours = new Map(all?.map((each, i) => [each.job.id, COLOURS[i % COLOURS.length]]));
  return (
    <>
      <div class="head-line"><h1>Compare</h1></div>
      <form class="bar-line" onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        go("compare" + ask({ name: String(form.get("name")).trim(), jobs: String(form.get("jobs")).trim().replace(/[\s,]+/g, ",") }));
      }} key={jobs + array + name}>
        <Field label="Jobs of a name"><input name="name" defaultValue={name} placeholder="sweep" /></Field>
        <Field label="or these"><input name="jobs" defaultValue={jobs} placeholder="ids, or their last letters" /></Field>
        <Button type="submit">Compare</Button>
        <span class="hint">or pick some on the page <a href="/portal/jobs">Jobs</a></span>
      </form>
      <Trouble text={loaded.error} />
      {!jobs && !array && !name ? <Empty title="Choose the jobs to compare."><p>All jobs of one name, an array, or any ids.</p></Empty>
        : !sorted ? (loaded.error ? null : <Loading />) : sorted.length === 0 ? <Empty title="No job is like that." /> : (
          <>
            <div class="grid">{metrics.map((metric) => <One key={metric} metric={metric} all={all!} colours={colours} />)}</div>
            {metrics.length === 0 && <Empty title="None of them has reported a metric."><p>A script reports with <code>training.log(loss=loss)</code>.</p></Empty>}
            <Panel title="Parameters and last values" aside={<Button onClick={() => save("compare.csv", csv([["job", "state", ...differing, ...metrics], ...sorted.map((each) => [each.job.id, each.job.state, ...differing.map((key) => each.parameters[key]), ...metrics.map((metric) => last(each, metric))])]), "text/csv")}>CSV</Button>}>
              <div class="flush tablewrap"><table>
                <thead><tr>{["job", "state", ...differing, ...metrics].map((column) => (
                  <th key={column} class={metrics.includes(column) ? "number" : ""} aria-sort={order.column === column ? (order.down ? "ascending" : "descending") : undefined}>
                    <button type="button" onClick={() => setOrder({ column, down: order.column === column ? !order.down : true })}>{column} {order.column === column ? (order.down ? "↑" : "↓") : ""}</button>
                  </th>
                ))}</tr></thead>
                <tbody>{sorted.map((each) => (
                  <tr key={each.job.id}>
                    <td><i class="swatch" style={{ background: colours.get(each.job.id) }} /> <JobLink id={each.job.id} /></td><td><State word={each.job.state} /></td>
                    {differing.map((key) => <td key={key} class="wide mono" title={each.parameters[key]}>{each.parameters[key]}</td>)}
                    {metrics.map((metric) => { const number = last(each, metric); return <td key={metric} class="number">{number === undefined ? "" : figure(number)}</td>; })}
                  </tr>
                ))}</tbody>
              </table></div>
            </Panel>
          </>
        )}
    </>
  );
}

function One({ metric, all, colours }: { metric: string; all: Compared[]; colours: Map<string, string> }) {
  const parts = all.flatMap((each) => each.metrics.series.filter((series) => series.name === metric).map((series) => ({ id: each.job.id, series, ...axis(series) })));
  const word = parts.every((part) => part.word === "epoch") ? "epoch" : "step";
  const curves = useMemo(() => parts.map((part) => ({ name: short(part.id), x: word === "epoch" ? part.x : part.series.steps, y: part.series.values, colour: colours.get(part.id) })), [JSON.stringify(parts.map((part) => [part.id, part.series.values.length, part.series.values.at(-1)]))]);
  return <Panel title={metric}><Plot title={metric} curves={curves} x={word} height={220} bare /></Panel>;
}

function compare(a: unknown, b: unknown): number {
  if (a === undefined) return b === undefined ? 0 : 1;
  if (b === undefined) return -1;
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? String(a).localeCompare(String(b)) : x - y;
}

async function compared(jobs: string, array: string, name: string, signal: AbortSignal): Promise<Compared[]> {
  let found: Job[];
  if (jobs) found = await Promise.all(jobs.split(",").filter(Boolean).slice(0, JOBS_MAX).map(async (id) => (await get<{ job: Job }>(at`/v1/jobs/${id}`, signal)).job));
  else if (array) found = (await get<JobPage>("/v1/jobs" + ask({ array, limit: JOBS_MAX }), signal)).jobs;
  else if (name) found = (await get<JobPage>("/v1/jobs" + ask({ owner: session.value?.admin ? undefined : session.value?.name, limit: 1000 }), signal)).jobs.filter((job) => job.name === name).slice(0, JOBS_MAX);
  else return [];
  return Promise.all(found.map(async (job) => ({
    job,
    metrics: await metricsOf(job.id, signal),
    parameters: parameters(job, await get<Spec>(at`/v1/jobs/${job.id}/spec`, signal)),
  })));
}

/** What a job was run with: its variables, and the options of its command. */
function parameters(job: Job, spec: Spec): Record<string, string> {
  const all: Record<string, string> = { gpus: String(job.gpus), ...((spec.env as Record<string, string>) ?? {}) };
  const tokens = commandText(spec).match(/"[^"]*"|'[^']*'|[^\s;&|]+/g) ?? [];
  tokens.forEach((token, i) => {
    const option = /^--?([A-Za-z][\w.-]*)(?:=(.*))?$/.exec(token);
    if (!option) return;
    const next = tokens[i + 1];
    all[option[1]] = option[2] ?? (next !== undefined && !/^--?[A-Za-z]/.test(next) ? next : "yes");
  });
  return all;
}

/** As it was written: what a shell runs is its last word. */
function commandText(spec: Spec): string {
  const command = spec.command ?? (spec.roles as Spec[] | undefined)?.[0]?.command ?? "";
  if (!Array.isArray(command)) return String(command);
  return command.length === 3 && command[1] === "-c" ? command[2] : command.join(" ");
}

function parametersThatDiffer(all: Compared[]): string[] {
  const keys = [...new Set(all.flatMap((each) => Object.keys(each.parameters)))];
  const differing = keys.filter((key) => all.length === 1 || new Set(all.map((each) => each.parameters[key])).size > 1);
  return differing.slice(0, 12);
}
