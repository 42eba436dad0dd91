import { useMemo } from "preact/hooks";
import { at, get, query, type Detail } from "../lib/api";
import { useLoaded } from "../lib/hooks";
import { axis, metricsOf, type GpuUse, type Speed } from "../lib/metrics";
import { bytes, figure, span } from "../lib/words";
import { Empty, Loading, Panel, Trouble } from "./parts";
import { Plot } from "./plot";

/** What a job's script has reported, how fast it is on how many GPUs, and what its GPUs do. */
export function JobMetrics({ job, isTraining }: { job: string; isTraining: boolean }) {
  const metrics = useLoaded((signal) => metricsOf(job, signal), [job], { seconds: 3 });
  const profile = useLoaded(async (signal) => (isTraining ? get<{ rows: Speed[] }>(at`/v1/jobs/${job}/profile`, signal) : { rows: [] }), [job, isTraining], { seconds: 15 });
  const use = useLoaded((signal) => usedBy(job, signal), [job], { seconds: 10 });
  const series = metrics.data?.series ?? [];
  if (!metrics.data) return metrics.error ? <Trouble text={metrics.error} /> : <Loading />;
  return (
    <>
      <Trouble text={metrics.error} />
      {series.length === 0 && (use.data?.length ?? 0) === 0 && (profile.data?.rows.length ?? 0) === 0 && (
        <Empty title="Nothing has been reported yet.">
          <p>A script reports with the training library: <code>training.log(loss=loss, accuracy=accuracy)</code></p>
        </Empty>
      )}
      <div class="grid">
        {series.map((each) => {
          const { x, word } = axis(each);
          return (
            <Panel key={each.name} title={each.name} aside={<span class="quiet">last {figure(each.values.at(-1)!)} · least {figure(least(each.values))} · most {figure(most(each.values))}</span>}>
              <One name={each.name} x={x} y={each.values} word={word} />
            </Panel>
          );
        })}
        {use.data?.map((gpu) => (
          <Panel key={`${gpu.node}/${gpu.gpu}`} title={`GPU ${gpu.gpu} of ${gpu.node}`}><Used gpu={gpu} /></Panel>
        ))}
      </div>
      {profile.data && profile.data.rows.length > 0 && (
        <Panel title="Speed by number of GPUs">
          <div class="flush tablewrap"><table>
            <thead><tr><th class="number">GPUs</th><th class="number">Nodes</th><th class="number">An epoch takes</th><th class="number">A step</th><th class="number">Speed-up</th><th class="number">Epochs measured</th><th>Measured by</th></tr></thead>
            <tbody>{profile.data.rows.map((row, i) => (
              <tr key={i}><td class="number">{row.gpus}{row.shared ? " shared" : ""}</td><td class="number">{row.nodes}</td><td class="number">{row.epochSeconds < 60 ? `${figure(row.epochSeconds)} s` : span(row.epochSeconds)}</td><td class="number">{row.stepSeconds ? `${figure(row.stepSeconds * 1000)} ms` : ""}</td><td class="number">{figure(row.speedUp)} ×</td><td class="number">{row.epochs}</td><td>{row.own ? "this job" : "earlier jobs with this script"}</td></tr>
            ))}</tbody>
          </table></div>
        </Panel>
      )}
    </>
  );
}

const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);

function One({ name, x, y, word }: { name: string; x: number[]; y: number[]; word: string }) {
  const curves = useMemo(() => [{ name, x, y }], [name, x, y]);
  return <Plot title={name} curves={curves} x={word} height={180} bare />;
}

function Used({ gpu }: { gpu: GpuUse }) {
  const seconds = gpu.times.map((time) => time / 1000);
  const percent = useMemo(() => [{ name: "use", x: seconds, y: gpu.percent }], [gpu]);
  const memory = useMemo(() => [{ name: "memory", x: seconds, y: gpu.memoryBytes, colour: "#d9822b" }], [gpu]);
  return <div><Plot title="Use" curves={percent} x="the last hour" isTime height={120} unit={(value) => `${Math.round(value)} %`} /><Plot title="Memory" curves={memory} x="the last hour" isTime height={120} unit={bytes} /></div>;
}

/** The GPUs that a running job holds now. */
async function usedBy(job: string, signal: AbortSignal): Promise<GpuUse[]> {
  const detail = await get<Detail>(at`/v1/jobs/${job}`, signal);
  const held = new Set(detail.tasks.flatMap((task) => task.gpus.map((gpu) => `${task.node}/${gpu}`)));
  if (held.size === 0 || detail.job.state !== "running") return [];
  const use = await get<{ gpus: GpuUse[] }>("/v1/gpus" + query({ cluster: detail.job.cluster }), signal);
  return use.gpus.filter((gpu) => held.has(`${gpu.node}/${gpu.gpu}`));
}
