import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "preact/hooks";
import { COLOURS } from "../lib/colours";
import { figure } from "../lib/words";

export interface Curve { name: string; x: number[]; y: (number | null)[]; colour?: string; dash?: boolean }



/** Several curves over one axis; each may have points of its own. Its legend is a list of the page's own, so that names stay texts. */
export function Plot({ curves, title, x = "step", isTime = false, height = 220, unit, bare = false }: { curves: Curve[]; title: string; x?: string; isTime?: boolean; height?: number; unit?: (value: number) => string; bare?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const xs = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
    const at = new Map(xs.map((value, i) => [value, i]));
    const data = [xs, ...curves.map((curve) => {
      const y: (number | null | undefined)[] = new Array(xs.length).fill(undefined);
      curve.x.forEach((value, i) => (y[at.get(value)!] = curve.y[i]));
      return y;
    })] as uPlot.AlignedData;
    const css = getComputedStyle(document.documentElement);
    const quiet = css.getPropertyValue("--quiet");
    const style = getComputedStyle(element);
    const axis = { stroke: style.color || quiet, grid: { stroke: "rgba(128,128,128,.18)", width: 1 }, ticks: { stroke: "rgba(128,128,128,.3)", width: 1 }, font: "11px system-ui, sans-serif" };
    const format = unit ?? figure;
    const plot = new uPlot({
      width: element.clientWidth || 600, height, legend: { show: false }, cursor: { y: false, points: { size: 6 } },
      scales: { x: { time: isTime } },
      axes: [axis, { ...axis, size: 62, values: (_plot, ticks) => ticks.map((tick) => format(tick)) }],
      series: [{}, ...curves.map((curve, i) => ({
        stroke: curve.colour ?? COLOURS[i % COLOURS.length], width: 1.6, spanGaps: true, dash: curve.dash ? [4, 3] : undefined,
        points: { show: curve.x.length < 40, size: 5 },
      }))],
    }, data, element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => { resized.disconnect(); plot.destroy(); };
  }, [curves, height, isTime]);
  return (
    <figure class="figure">
      <figcaption>{!bare && <strong>{title} </strong>}<span class="quiet">over {x}</span></figcaption>
      <div class="plot quiet" ref={box} role="img" aria-label={`${title}: ${curves.map((curve) => `${curve.name} now ${curve.y.length ? format(curve.y.at(-1), unit) : "nothing"}`).join(", ")}`} />
      {curves.length > 1 && <p class="legend">{curves.map((curve, i) => <span key={curve.name}><i style={{ background: curve.colour ?? COLOURS[i % COLOURS.length] }} />{curve.name}</span>)}</p>}
    </figure>
  );
}

const format = (value: number | null | undefined, unit?: (value: number) => string) => (value === null || value === undefined ? "nothing" : (unit ?? figure)(value));
