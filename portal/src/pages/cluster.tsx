import { useMemo, useState } from "preact/hooks";
import { get, query, type Server } from "../lib/api";
import { useLoaded, useNow } from "../lib/hooks";
import type { GpuUse } from "../lib/metrics";
import { go } from "../lib/router";
import { bytes, exactTime, short, span } from "../lib/words";
import { Empty, jobPath, Loading, Notes, Panel, Trouble } from "../ui/parts";
import { COLOURS } from "../lib/colours";

interface Gpu { index: number; type: string; memoryBytes?: number; freeThousandths: number; holds?: { job: string; owner: string; task: string; thousandths: number }[] }
interface Node { cluster: string; name: string; ready: boolean; gpus: number; gpusFree: number; cpus: number; cpusFree: number; memoryBytes: number; memoryFreeBytes: number; devices: Gpu[] }
interface Run { job: string; owner: string; state: string; node: string; gpus: number[]; start: string; end?: string; planned: boolean; expectedEnd?: string }
interface Timeline { cluster: string; from: string; now: string; runs: Run[]; notes: string[] }

/** The same colour for the same person, on every page. */
function colour(owner: string): string {
  let hash = 0;
  for (const letter of owner) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return COLOURS[hash % COLOURS.length];
}

export function ClusterPage({ name }: { name: string }) {
  const server = useLoaded((signal) => get<Server>("/v1/server", signal), [], { seconds: 15 });
  const cluster = name || server.data?.clusters[0]?.name || "";
  const nodes = useLoaded(async (signal) => (cluster ? get<{ nodes: Node[]; notes: string[] }>("/v1/nodes" + query({ cluster }), signal) : undefined), [cluster], { seconds: 10, events: () => true });
  const use = useLoaded(async (signal) => (cluster ? get<{ gpus: GpuUse[] }>("/v1/gpus" + query({ cluster }), signal) : undefined), [cluster], { seconds: 10 });
  const now = server.data?.clusters.find((each) => each.name === cluster);
  const used = new Map(use.data?.gpus.map((gpu) => [`${gpu.node}/${gpu.gpu}`, gpu]));
  return (
    <>
      <div class="head-line">
        <h1>Cluster {cluster}</h1>
        {now && <span class="quiet">{now.engine}</span>}
        {server.data && server.data.clusters.length > 1 && (
          <div class="choice" role="group" aria-label="Cluster">
            {server.data.clusters.map((each) => <button type="button" key={each.name} aria-pressed={each.name === cluster} onClick={() => go("cluster/" + encodeURIComponent(each.name))}>{each.name}{each.reachable ? "" : " ⚠"}</button>)}
          </div>
        )}
      </div>
      <Trouble text={nodes.error ?? server.error ?? (now && !now.reachable ? `The cluster cannot be reached: ${now.trouble}` : undefined)} />
      <Notes of={nodes.data?.notes} />
      {!nodes.data ? <Loading /> : nodes.data.nodes.length === 0 ? <Empty title="The cluster has no nodes."><p>Where it is out of reach, nobody knows them yet.</p></Empty> : (
        <div class="nodes">{nodes.data.nodes.map((node) => <NodeView key={node.name} node={node} used={used} />)}</div>
      )}
      {cluster && <Gantt cluster={cluster} nodes={nodes.data?.nodes ?? []} />}
    </>
  );
}

function NodeView({ node, used }: { node: Node; used: Map<string, GpuUse> }) {
  return (
    <section class={node.ready ? "node" : "node off"} aria-label={`node ${node.name}`}>
      <h3><span class="mono">{node.name}</span><span class="quiet">{node.gpus - node.gpusFree} of {node.gpus} GPUs in use</span></h3>
      <p class="hint">{node.ready ? "" : "not ready · "}{node.cpus - node.cpusFree} of {node.cpus} CPUs · {bytes(node.memoryBytes - node.memoryFreeBytes)} of {bytes(node.memoryBytes)} promised</p>
      <ul class="gpus">{node.devices.map((gpu) => <Cell key={gpu.index} gpu={gpu} use={used.get(`${node.name}/${gpu.index}`)} />)}</ul>
    </section>
  );
}

function Cell({ gpu, use }: { gpu: Gpu; use?: GpuUse }) {
  const holds = gpu.holds ?? [];
  const percent = use?.percent.at(-1);
  const memory = use?.memoryBytes.at(-1);
  return (
    <li class={holds.length === 0 ? "gpu free" : "gpu"} style={holds.length > 0 ? { borderLeft: `4px solid ${colour(holds[0].owner)}` } : undefined} title={gpu.type}>
      <span class="share"><b>GPU {gpu.index}</b><span class="quiet">{percent !== undefined && percent !== null ? `${percent} %` : ""}</span></span>
      {holds.length === 0 ? <span>free</span> : holds.map((hold) => (
        <span class="share" key={hold.job + hold.task}><a href={jobPath(hold.job)} title={`${hold.job} ${hold.task}`}>{hold.owner} · {short(hold.job)}</a>{hold.thousandths < 1000 && <span class="quiet">{hold.thousandths / 10} %</span>}</span>
      ))}
      {memory !== undefined && memory !== null && <span class="hint">{bytes(memory)}{gpu.memoryBytes ? ` of ${bytes(gpu.memoryBytes)}` : ""}</span>}
      {use && use.percent.length > 1 && <Spark values={use.percent.map((value) => value ?? 0)} />}
    </li>
  );
}

/** The last hour of one GPU, from 0 to 100 %. */
function Spark({ values }: { values: number[] }) {
  const points = values.map((value, i) => `${(100 * i) / (values.length - 1)},${18 - (value / 100) * 17}`).join(" ");
  return <svg viewBox="0 0 100 18" preserveAspectRatio="none" aria-hidden="true"><polyline points={points} fill="none" stroke="currentColor" stroke-width="1" vector-effect="non-scaling-stroke" /></svg>;
}

const SPANS: [string, number, number][] = [["1 h", 1, 0.5], ["6 h", 6, 2], ["1 day", 24, 8], ["7 days", 168, 48]];
const ROW = 20, LEFT = 130, WIDE = 1200, TOP = 22, ROWS_MAX = 256;

/** GPUs over time, past and planned. */
function Gantt({ cluster, nodes }: { cluster: string; nodes: Node[] }) {
  const [choice, setChoice] = useState(1);
  const [, back, ahead] = SPANS[choice];
  const tick = useNow();
  const now = Math.floor(tick / 5000) * 5000;
  const timeline = useLoaded((signal) => get<Timeline>("/v1/timeline" + query({ cluster, from: new Date(Date.now() - back * 3600_000).toISOString() }), signal), [cluster, back], { seconds: 15, events: () => true });
  const rows = useMemo(() => nodes.flatMap((node) => node.devices.map((gpu) => ({ node: node.name, gpu: gpu.index }))).slice(0, ROWS_MAX), [nodes]);
  const at = new Map(rows.map((row, i) => [`${row.node}/${row.gpu}`, i]));
  const from = now - back * 3600_000, to = now + ahead * 3600_000;
  const x = (time: number) => LEFT + ((Math.max(from, Math.min(to, time)) - from) / (to - from)) * (WIDE - LEFT);
  const height = TOP + rows.length * ROW + 4;
  const step = niceStep((back + ahead) * 3600_000);
  const ticks: number[] = [];
  for (let time = Math.ceil(from / step) * step; time < to; time += step) ticks.push(time);
  const runs = timeline.data?.runs ?? [];
  const owners = [...new Set(runs.map((run) => run.owner))].sort();
  return (
    <Panel title="GPUs over time" aside={<div class="choice" role="group" aria-label="Span">{SPANS.map(([word], i) => <button type="button" key={word} aria-pressed={i === choice} onClick={() => setChoice(i)}>{word}</button>)}</div>}>
      <Trouble text={timeline.error} />
      <Notes of={timeline.data?.notes} />
      {rows.length === 0 ? <p class="quiet">There are no GPUs to show.</p> : (
        <div class="gantt" tabIndex={0} role="group" aria-label="GPUs over time, scrolls sideways">
          <svg viewBox={`0 0 ${WIDE} ${height}`} role="group" aria-label={`${runs.length} spells of work on ${rows.length} GPUs; the table of jobs has the same`}>
            {ticks.map((time) => <g key={time}><line x1={x(time)} x2={x(time)} y1={TOP - 4} y2={height} class="rule-line" /><text x={x(time) + 3} y={12} class="quiet">{new Date(time).toLocaleTimeString([], back > 24 ? { weekday: "short", hour: "2-digit" } : { hour: "2-digit", minute: "2-digit" })}</text></g>)}
            {rows.map((row, i) => <g key={`${row.node}/${row.gpu}`}><line x1={LEFT} x2={WIDE} y1={TOP + (i + 1) * ROW} y2={TOP + (i + 1) * ROW} class="rule-line" /><text x={0} y={TOP + i * ROW + 14}>{row.node.slice(0, 14)} <tspan class="quiet">{row.gpu}</tspan></text></g>)}
            {runs.flatMap((run) => run.gpus.map((gpu) => {
              const row = at.get(`${run.node}/${gpu}`);
              if (row === undefined) return null;
              const begin = Date.parse(run.start);
              const end = run.end ? Date.parse(run.end) : run.planned ? nextStart(runs, run, gpu) ?? to : now;
              if (end < from || begin > to) return null;
              const left = x(begin), wide = Math.max(1.5, x(end) - left);
              const label = `${run.owner} · ${short(run.job)}`;
              return (
                <a key={`${run.job}${run.start}${gpu}${run.planned}`} href={jobPath(run.job)} aria-label={label}>
                  <rect x={left} y={TOP + row * ROW + 2} width={wide} height={ROW - 4} rx={3} fill={colour(run.owner)} class={run.planned ? "plan" : "run"} stroke={colour(run.owner)}>
                    <title>{`${run.job} (${run.owner}) ${run.planned ? "expected from" : "from"} ${exactTime(run.start)}${run.end ? `, ${span((Date.parse(run.end) - begin) / 1000)}` : ""}`}</title>
                  </rect>
                  {!run.planned && !run.end && run.expectedEnd && Date.parse(run.expectedEnd) > now && <rect x={x(now)} y={TOP + row * ROW + 2} width={Math.max(0, x(Date.parse(run.expectedEnd)) - x(now))} height={ROW - 4} rx={3} fill={colour(run.owner)} class="plan" stroke={colour(run.owner)} />}
                </a>
              );
            }))}
            <line x1={x(now)} x2={x(now)} y1={TOP - 6} y2={height} class="now" />
          </svg>
        </div>
      )}
      <p class="legend">{owners.map((owner) => <span key={owner}><i style={{ background: colour(owner) }} />{owner}</span>)}<span>pale: expected</span></p>
    </Panel>
  );
}

function nextStart(runs: Run[], run: Run, gpu: number): number | undefined {
  const begin = Date.parse(run.start);
  const later = runs.filter((other) => other.planned && other.node === run.node && other.gpus.includes(gpu)).map((other) => Date.parse(other.start)).filter((time) => time > begin);
  return later.length > 0 ? Math.min(...later) : undefined;
}

function niceStep(span: number): number {
  const steps = [5, 10, 15, 30, 60, 120, 240, 480, 1440].map((minutes) => minutes * 60_000);
  return steps.find((step) => span / step <= 12) ?? 1440 * 60_000;
}
