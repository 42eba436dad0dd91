import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { at, call, get, post, query, Refusal, session, words, type Server, type Spec } from "../lib/api";
import { useAction, useLoaded } from "../lib/hooks";
import { go } from "../lib/router";
import { count, short, span } from "../lib/words";
import { yaml } from "../lib/yaml";
import { Button, Field, JobLink, jobPath, Panel, Start, Trouble } from "../ui/parts";

interface FileAnswer { kind?: string; jobs: Spec[]; problems: { line?: number; message: string }[]; remarks: string[] }
interface Forecast {
  predictedStart?: string; predictedEarliest?: string; predictedLatest?: string; obstacles: string[]; moreDelays: number; warnings: string[];
  delays: { id: string; owner: string; seconds: number }[]; holders: { id: string; owner: string; gpus: number; gives: string }[];
}
interface Projects { projects: { name: string; quota?: number; members?: string[]; stopped?: boolean }[] }

const EXAMPLE = `name: train
command: python3 train.py --lr 0.1
gpus: 1
time: 2h
`;

const TYPING_MS = 350;

/** A value that is asked about a little after the last key. */
function useSettled<T>(value: T): T {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}

export function SubmitPage({ clone }: { clone: string }) {
  const [kind, setKind] = useState<"form" | "file">("form");
  const [cloned, setCloned] = useState<Spec>();
  const [error, setError] = useState("");
  useEffect(() => {
    if (!clone) return;
    get<Spec>(at`/v1/jobs/${clone}/spec`).then((spec) => {
      setCloned(spec);
      if (!isSimple(spec)) setKind("file");
    }, (failure) => setError(words(failure)));
  }, [clone]);
  if (clone && !cloned && !error) return <p class="loading">Loading…</p>;
  return (
    <>
      <div class="head-line">
        <h1>{cloned ? `Clone of ${short(clone)}` : "Submit"}</h1>
        <div class="choice" role="group" aria-label="How">
          <button type="button" aria-pressed={kind === "form"} onClick={() => setKind("form")} disabled={cloned && !isSimple(cloned)} title={cloned && !isSimple(cloned) ? "this job has more than the form can say" : undefined}>A command</button>
          <button type="button" aria-pressed={kind === "file"} onClick={() => setKind("file")}>A job file</button>
        </div>
      </div>
      <Trouble text={error} />
      {kind === "form" ? <Form spec={cloned} /> : <File text={cloned ? yaml(fresh(cloned)) : ""} />}
    </>
  );
}

/** The file of another system that the job was made from, and the name of its pod, belong to the old job alone. */
function fresh(spec: Spec): Spec {
  const { origin: _origin, ...rest } = spec;
  const { podName: _pod, ...container } = (spec.container ?? {}) as Spec;
  return { ...rest, ...(spec.container ? { container } : {}) };
}

const FORM_FIELDS = ["name", "command", "gpus", "gpu", "gpuMemory", "time", "project", "cluster", "image", "env", "workdir"];

/** What a clone has and the form does not show goes along as it is. */
function kept(spec: Spec): Spec {
  return Object.fromEntries(Object.entries(fresh(spec)).filter(([key]) => !FORM_FIELDS.includes(key))) as Spec;
}

/** The form has one command; a job of several roles is a file. */
function isSimple(spec: Spec): boolean {
  return !(spec.roles as Spec[] | undefined)?.length;
}

function Form({ spec }: { spec?: Spec }) {
  const had = (spec ?? {}) as Record<string, unknown>;
  const text = (key: string, otherwise = "") => (had[key] === undefined || had[key] === null ? otherwise : Array.isArray(had[key]) ? shellWords(had[key] as string[]) : String(had[key]));
  const [values, setValues] = useState<Record<string, string>>({
    name: text("name"), command: text("command"), gpus: text("gpus", "1"), gpu: text("gpu") || text("gpuMemory"), time: text("time"), project: text("project"), cluster: text("cluster"), image: text("image"),
    env: Object.entries((had.env as Record<string, string>) ?? {}).map(([key, value]) => `${key}=${value}`).join("\n"), array: "", workdir: text("workdir"),
  });
  const server = useLoaded((signal) => get<Server>("/v1/server", signal), []);
  const projects = useLoaded((signal) => get<Projects>("/v1/projects", signal), []);
  const action = useAction();
  const set = (name: string) => (event: Event) => setValues({ ...values, [name]: (event.currentTarget as HTMLInputElement).value });
  const request = useMemo(() => body(values, spec ? kept(spec) : {}), [values, spec]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const made = await post<{ ids: string[]; array?: string }>("/v1/jobs?ifItFits=true", request);
      go(made.array ? "jobs?array=" + encodeURIComponent(made.array) : jobPath(made.ids[0]).slice("/portal/".length));
    });
  };
  const me = session.value?.name ?? "";
  return (
    <form class="two" onSubmit={submit}>
      <Panel title="The job">
        <div class="form">
          <div class="wide"><Field label="Command" hint="As in a shell. With an array, {i} becomes each number."><textarea rows={3} required value={values.command} onInput={set("command")} placeholder="python3 train.py --lr 0.1" spellcheck={false} /></Field></div>
          <Field label="Name"><input value={values.name} onInput={set("name")} placeholder="of the command" maxLength={60} /></Field>
          <Field label="GPUs"><input type="number" min="0" max="10000" value={values.gpus} onInput={set("gpus")} /></Field>
          <Field label="Part of a GPU" hint="0.5 or 8G; empty: whole ones"><input value={values.gpu} onInput={set("gpu")} /></Field>
          <Field label="Time limit" hint="2h30m; a good guess lets it start sooner"><input value={values.time} onInput={set("time")} /></Field>
          <Field label="Project">
            <select value={values.project} onChange={set("project")} style={{ width: "100%" }}>
              <option value="">yours ({session.value?.project})</option>
              {projects.data?.projects.filter((each) => !each.stopped && (!each.members?.length || each.members.includes(me) || session.value?.admin)).map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}
            </select>
          </Field>
          <Field label="Cluster">
            <select value={values.cluster} onChange={set("cluster")} style={{ width: "100%" }}>
              <option value="">the first</option>
              {server.data?.clusters.map((each) => <option key={each.name} value={each.name}>{each.name}{each.reachable ? "" : " (out of reach)"}</option>)}
            </select>
          </Field>
          <Field label="Image" hint="where the cluster runs images"><input value={values.image} onInput={set("image")} /></Field>
          <Field label="Array" hint="0-99 for a hundred jobs"><input value={values.array} onInput={set("array")} pattern="\d+-\d+" placeholder="none" /></Field>
          <div class="wide"><Field label="Folder" hint="where it begins; empty: one of its own"><input value={values.workdir} onInput={set("workdir")} placeholder="/home/me/project" /></Field></div>
          <div class="wide"><Field label="Environment" hint="one NAME=value in a line"><textarea rows={2} value={values.env} onInput={set("env")} spellcheck={false} /></Field></div>
        </div>
        <Trouble text={action.error} />
        <p><Button kind="primary" type="submit" disabled={action.busy || !values.command.trim()}>Submit</Button></p>
      </Panel>
      <Preview request={values.command.trim() ? request : undefined} />
    </form>
  );
}

function shellWords(command: string[]): string {
  if (command.length === 3 && command[0] === "/bin/sh" && command[1] === "-c") return command[2];
  if (command.length === 3 && /sh$/.test(command[0]) && command[1] === "-c") return command[2];
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`)).join(" ");
}

function body(values: Record<string, string>, rest: Spec) {
  const env = Object.fromEntries(values.env.split("\n").filter((line) => line.includes("=")).map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1)]));
  const given = (name: string) => (values[name].trim() ? { [name]: values[name].trim() } : {});
  const array = /^(\d+)-(\d+)$/.exec(values.array.trim());
  const gpu = values.gpu.trim();
  const part = !gpu ? {} : /^\d*\.?\d+$/.test(gpu) ? { gpu: Number(gpu) } : { gpuMemory: gpu };
  const spec = {
    ...rest,
    command: values.command, ...given("name"), ...(gpu ? part : { gpus: Number(values.gpus) || 0 }), ...given("time"), ...given("project"), ...given("cluster"), ...given("image"), ...given("workdir"),
    ...(Object.keys(env).length ? { env } : {}),
  };
  return { jobs: [spec], ...(array ? { array: { from: Number(array[1]), to: Number(array[2]) } } : {}) };
}

function File({ text: first }: { text: string }) {
  const [text, setText] = useState(first || EXAMPLE);
  const settled = useSettled(text);
  const [answer, setAnswer] = useState<FileAnswer>();
  const [failure, setFailure] = useState("");
  const action = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let isOld = false;
    call<FileAnswer>("POST", "/v1/jobfile", settled || " ").then((said) => { if (!isOld) { setAnswer(said); setFailure(""); } }, (reason) => { if (!isOld) setFailure(words(reason)); });
    return () => void (isOld = true);
  }, [settled]);
  const lines = text.split("\n").length;
  const bad = new Map(answer?.problems.filter((each) => each.line).map((each) => [each.line!, each.message]));
  const toLine = (line: number) => {
    const from = text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(from, from + (text.split("\n")[line - 1]?.length ?? 0));
  };
  const request = answer && answer.problems.length === 0 && settled === text ? { jobs: answer.jobs } : undefined;
  const submit = () => void action.run(async () => {
    const made = await post<{ ids: string[] }>("/v1/jobs?ifItFits=true", request);
    go(made.ids.length === 1 ? jobPath(made.ids[0]).slice("/portal/".length) : "jobs?owner=" + encodeURIComponent(session.value?.name ?? ""));
  });
  return (
    <div class="two">
      <Panel title="The job file" aside={<span class="head-line">
        <span class="hint">{answer?.kind === "openpai" ? "OpenPAI" : answer?.kind === "pod" ? "a pod" : answer?.kind === "ours" ? "ours" : ""}</span>
        <Button onClick={() => picker.current?.click()}>Upload</Button>
        <input ref={picker} type="file" accept=".yaml,.yml,.json" hidden aria-label="Upload a job file" onChange={async (event) => { const input = event.currentTarget; const file = input.files?.[0]; if (file) setText(await file.text()); input.value = ""; }} />
      </span>}>
        <div class="editor" onDragOver={(event) => event.preventDefault()} onDrop={async (event) => { event.preventDefault(); const file = event.dataTransfer?.files[0]; if (file) setText(await file.text()); }}>
          <pre class="gutter" ref={gutter} aria-hidden="true">{Array.from({ length: lines }, (_, i) => (bad.has(i + 1) ? <b key={i} title={bad.get(i + 1)}>{i + 1}{"\n"}</b> : <span key={i}>{i + 1}{"\n"}</span>))}</pre>
          <textarea ref={area} aria-label="Job file" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} onScroll={(event) => { if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop; }}
            aria-describedby="problems" aria-invalid={Boolean(answer?.problems.length)} rows={Math.min(32, Math.max(16, lines + 1))} />
        </div>
        <ul class="problems" id="problems" role="status">
          {failure && <li>{failure}</li>}
          {answer?.problems.map((each, i) => <li key={i}>{each.line ? <button type="button" onClick={() => toLine(each.line!)}>line {each.line}</button> : "the file"}: {each.message}</li>)}
        </ul>
        {answer && answer.remarks.length > 0 && <ul class="notes">{answer.remarks.map((each) => <li key={each}>{each}</li>)}</ul>}
        <p class="hint">YAML or JSON of ours (docs/spec.md), a JSON job of OpenPAI, or a pod of Kubernetes; paste, drop or upload it.</p>
        <Trouble text={action.error} />
        <p><Button kind="primary" disabled={!request || action.busy} onClick={submit}>Submit{request && request.jobs.length > 1 ? ` ${count(request.jobs.length, "job")}` : ""}</Button></p>
      </Panel>
      <Preview request={request} />
    </div>
  );
}

/** Before anything is submitted: when it would start, and whom it would delay. */
function Preview({ request }: { request?: object }) {
  const settled = useSettled(request);
  const [state, set] = useState<{ forecast?: Forecast; problem?: string }>({});
  const key = JSON.stringify(settled ?? null);
  useEffect(() => {
    if (!settled) return set({});
    let isOld = false;
    post<Forecast>("/v1/jobs" + query({ forecast: true }), settled).then(
      (forecast) => { if (!isOld) set({ forecast }); },
      (failure) => { if (!isOld) set({ problem: failure instanceof Refusal ? failure.message : words(failure) }); },
    );
    return () => void (isOld = true);
  }, [key]);
  const it = state.forecast;
  return (
    <Panel title="If you submit it now">
      <div class="forecast" role="status">
        {!request ? <p class="quiet">Say what to run, and this says when it would start.</p>
          : state.problem ? <p class="trouble">{state.problem}</p>
          : !it ? <p class="quiet">Working it out…</p> : (
            <>
              <p class="big">{it.obstacles.length === 0 ? "It would start at once." : it.predictedStart ? <>It would start <Start of={it} />.</> : "Nobody can say when it would start."}</p>
              {it.obstacles.length > 0 && <ul>{it.obstacles.map((each) => <li key={each}>{each}</li>)}</ul>}
              {it.holders.length > 0 && <div><h3>It would wait for</h3><ul>{it.holders.slice(0, 6).map((each) => <li key={each.id}>{each.owner}'s <JobLink id={each.id} />, {count(each.gpus, "GPU")}: {each.gives}</li>)}</ul></div>}
              {it.delays.length > 0 ? (
                <div><h3>It would delay</h3><ul>{it.delays.map((each) => <li key={each.id}>{each.owner}'s <JobLink id={each.id} /> by {span(each.seconds)}</li>)}{it.moreDelays > 0 && <li>and {it.moreDelays} more</li>}</ul></div>
              ) : <p class="quiet">Nobody who waits would start later because of it.</p>}
              {it.warnings.length > 0 && <ul class="notes">{it.warnings.map((each) => <li key={each}>{each}</li>)}</ul>}
            </>
          )}
      </div>
    </Panel>
  );
}
