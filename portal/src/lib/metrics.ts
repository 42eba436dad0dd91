import { at, get } from "./api";

export interface Series { name: string; steps: number[]; epochs: (number | null)[]; times: number[]; values: number[] }
export interface Metrics { series: Series[] }
export interface Speed { nodes: number; gpus: number; shared: boolean; epochSeconds: number; stepSeconds?: number; epochs: number; speedUp: number; own: boolean }
export interface GpuUse { node: string; gpu: number; times: number[]; percent: (number | null)[]; memoryBytes: (number | null)[] }

export const metricsOf = (job: string, signal?: AbortSignal) => get<Metrics>(at`/v1/jobs/${job}/metrics`, signal);

/** Over epochs where a script says them, else over steps. */
export function axis(series: Series): { x: number[]; word: "epoch" | "step" } {
  const hasEpochs = series.epochs.length > 0 && series.epochs.every((epoch) => epoch !== null && epoch !== undefined) && new Set(series.epochs).size === series.epochs.length;
  return hasEpochs ? { x: series.epochs as number[], word: "epoch" } : { x: series.steps, word: "step" };
}
