import { useState } from "preact/hooks";
import { at, get, post, query as ask, session, type Job, type JobPage } from "../lib/api";
import { useAction, useLoaded } from "../lib/hooks";
import { go } from "../lib/router";
import { count, priority, span } from "../lib/words";
import { Age, Button, Empty, JobLink, Loading, Moment, Notes, Start, State, Trouble } from "../ui/parts";

const STATES = ["", "active", "finished", "queued", "running", "succeeded", "failed", "cancelled"];
const PAGE = 100;

/** All jobs, newest first, with what they can be picked by. */
export function JobsPage({ query }: { query: URLSearchParams }) {
  const [picked, setPicked] = useState<string[]>([]);
  const action = useAction();
  const state = query.get("state") ?? "";
  const owner = query.get("owner") ?? "";
  const array = query.get("array") ?? "";
  const before = query.get("before") ?? "";
  const name = query.get("name") ?? "";
  const page = useLoaded(
    (signal) => get<JobPage>("/v1/jobs" + ask({ state, owner, array, before, limit: name ? 1000 : PAGE, arrays: array || before || name ? undefined : "once" }), signal),
    [state, owner, array, before, name],
    { seconds: 10, events: () => true },
  );
  const change = (values: Record<string, string>) => {
    const next = new URLSearchParams(query);
    next.delete("before");
    Object.entries(values).forEach(([key, value]) => (value ? next.set(key, value) : next.delete(key)));
    const text = next.toString();
    go("jobs" + (text ? "?" + text : ""), { replace: true });
  };
  const arrays = new Map(page.data?.arrays?.map((each) => [each.id, each]));
  const jobs = (page.data?.jobs ?? []).filter((job) => !name || `${job.id} ${job.command ?? ""}`.toLowerCase().includes(name.toLowerCase()));
  const stop = () => void action.run(async () => {
    await post("/v1/abort", { jobs: picked });
    setPicked([]);
    page.reload();
  });
  const mine = session.value?.name ?? "";
  return (
    <>
      <div class="head-line">
        <h1>Jobs</h1>
        <select aria-label="State" value={state} onChange={(event) => change({ state: event.currentTarget.value })}>
          {STATES.map((each) => <option key={each} value={each}>{each || "every state"}</option>)}
        </select>
        <select aria-label="Whose" value={owner} onChange={(event) => change({ owner: event.currentTarget.value })}>
          <option value="">everyone's</option>
          <option value={mine}>mine</option>
          {owner && owner !== mine && <option>{owner}</option>}
        </select>
        <input type="search" aria-label="Name or command" placeholder="name or command" value={name} style={{ width: "200px" }} onInput={(event) => change({ name: event.currentTarget.value })} />
        {array && <span class="hint">of one array <button type="button" class="link" onClick={() => change({ array: "" })}>all</button></span>}
        <span class="push">
          <Button disabled={picked.length < 1} onClick={() => go("compare" + ask({ jobs: picked.join(",") }))}>Compare</Button>
          <Button kind="danger" disabled={picked.length < 1 || action.busy} onClick={stop}>Stop {picked.length > 0 ? count(picked.length, "job") : ""}</Button>
          <a class="button primary" href="/portal/submit">Submit</a>
        </span>
      </div>
      <Trouble text={action.error || page.error} />
      <Notes of={page.data?.notes} />
      {!page.data ? (page.error ? null : <Loading />) : jobs.length === 0 ? (
        <Empty title={state || owner || name ? "No job is like that." : "There are no jobs yet."}>
          <p>{state || owner || name ? <button type="button" class="link" onClick={() => go("jobs")}>Show all jobs</button> : <a href="/portal/submit">Submit the first one</a>}</p>
        </Empty>
      ) : (
        <div class="panel"><div class="flush tablewrap">
          <table class="pick">
            <thead><tr><th><span class="skip">Pick</span></th><th>Job</th><th>State</th><th>Who</th><th>Project</th><th>Cluster</th><th class="number">GPUs</th><th class="number">Tries</th><th class="number">Priority</th><th>Submitted</th><th>Ran, or starts</th><th>Command</th></tr></thead>
            <tbody>{jobs.map((job) => <Row key={job.id} job={job} array={job.array ? arrays.get(job.array) : undefined} isPicked={picked.includes(job.id)}
              pick={(on) => setPicked(on ? [...picked, job.id] : picked.filter((id) => id !== job.id))} />)}</tbody>
          </table>
        </div></div>
      )}
      {page.data && (before || page.data.next) && (
        <div class="head-line">
          {before && <Button onClick={() => history.back()}>Newer</Button>}
          {page.data.next && <Button onClick={() => { const next = new URLSearchParams(query); next.set("before", page.data!.next!); go("jobs?" + next.toString()); }}>Older</Button>}
        </div>
      )}
    </>
  );
}

function Row({ job, array, isPicked, pick }: { job: Job; array?: NonNullable<JobPage["arrays"]>[number]; isPicked: boolean; pick: (on: boolean) => void }) {
  const states = array && Object.entries(array.states).filter(([, number]) => number > 0);
  return (
    <tr>
      <td><input type="checkbox" aria-label={`pick ${job.id}`} checked={isPicked} onChange={(event) => pick(event.currentTarget.checked)} /></td>
      <td><JobLink id={job.id} />{array && <> <a class="hint" href={at`/portal/jobs` + ask({ array: array.id })}>array of {states!.reduce((sum, [, number]) => sum + number, 0)}</a></>}</td>
      <td>{array && states!.length > 1 ? <span class="hint">{states!.map(([word, number]) => `${number} ${word}`).join(", ")}</span> : <State word={job.state} />}{job.state === "failed" && job.exitCode !== undefined && job.exitCode !== null && <span class="hint"> exit {job.exitCode}</span>}</td>
      <td>{job.owner}</td><td>{job.project}</td><td>{job.cluster}</td>
      <td class="number">{job.gpus}{job.gpuPart ? ` × ${job.gpuPart}` : ""}</td>
      <td class="number">{job.attempts}</td>
      <td class="number">{priority(job.priority)}</td>
      <td><Moment at={job.submitted} /></td>
      <td>{job.finished && job.started ? span((Date.parse(job.finished) - Date.parse(job.started)) / 1000) : job.started && job.state !== "queued" ? <Age at={job.started} /> : <Start of={job} />}</td>
      <td class="wide mono" title={array?.command ?? job.command}>{array?.command ?? job.command}</td>
    </tr>
  );
}
