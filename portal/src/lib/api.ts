// The public interface /v1, and the session in which it is called. What is in the records, docs/http.md says.

export interface Session { name: string; admin: boolean; project: string; ends?: string }
export interface Job {
  id: string; name: string; owner: string; project: string; cluster: string; state: string; reason?: string; exitCode?: number;
  priority: number; gpus: number; gpuPart?: string; interactive: boolean; tasks: number; attempts: number; failures: number;
  array?: string; arrayIndex?: number; command?: string; submitted: string; started?: string; finished?: string; place?: number;
  predictedStart?: string; predictedEarliest?: string; predictedLatest?: string; nodes?: string[]; epochsDone?: number; epochs?: number;
  config?: string;
}
export interface JobPage { jobs: Job[]; next?: string; notes?: string[]; arrays?: { id: string; command?: string; states: Record<string, number> }[] }
export interface Task {
  task: string; state: string; node: string; gpus: number[]; gpuMemoryBytes?: number; gpuThousandths?: number; exitCode?: number;
  note?: string; ports?: Record<string, number[]>;
}
export interface JobEvent { job: string; at: string; event: string; detail?: string; state: string }
export interface Detail {
  job: Job; spec?: Spec; tasks: Task[]; events: JobEvent[]; obstacles?: string[]; notes?: string[];
  progress?: { epochsDone: number; epochs: number; savedAt?: string; gpuMemoryBytes?: number };
  setbacks?: { lostSeconds: number; receipts: { at: string; beneficiary: string; why: string; lostSeconds: number }[] };
}
export type Spec = Record<string, unknown> & { name?: string };
export interface Why {
  id: string; state: string; place?: number; ahead?: { owner?: string; people: number; jobs: number; gpus: number }[]; needs?: string;
  obstacles?: string[]; moreHolders?: number; advice?: string; predictedStart?: string; predictedEarliest?: string; predictedLatest?: string;
  holders?: { id: string; owner: string; gpus: number; gpuPart?: string; since: string; gives: string; at?: string; note?: string }[];
}
export interface QueueJob {
  name: string; project: string; obstacle?: string; predictedStart?: string; predictedEarliest?: string; predictedLatest?: string;
}
export interface Work {
  name: string; guest: boolean; owner: string; status: string; created: string; started?: string; gpus: number; priority: number;
  ordinal: number; borrows?: boolean; globalOrdinal: number; nodes: string[]; job?: QueueJob;
}
export interface Totals { gpus: number; gpusInUse: number; gpusLent: number; running: number; waiting: number }
export interface Queue { cluster: string; queue: Work[]; more: number; notes: string[]; totals: Totals }
export interface Cluster { name: string; engine: string; reachable: boolean; trouble?: string; images?: boolean }
export interface Server {
  version: string; pid: number; url: string; home: string; started: string; policy: string; journalBytes: number; journalCheck?: string;
  journalCopy?: string; clusters: Cluster[];
}

/** What the server said instead of an answer. */
export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly field?: string) {
    super(message);
  }
}

type Listener = () => void;

/** Who is logged in: null for nobody, undefined while that is not known yet. */
class SessionStore {
  value: Session | null | undefined;
  /** Said on the login page. */
  notice = "";
  private readonly listeners = new Set<Listener>();

  set(value: Session | null, notice = "") {
    this.value = value;
    this.notice = notice;
    this.listeners.forEach((tell) => tell());
  }

  listen(tell: Listener) {
    this.listeners.add(tell);
    return () => void this.listeners.delete(tell);
  }
}

export const session = new SessionStore();

const PORTAL_HEADERS = { "X-Fairlead-Portal": "1" };

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const isText = typeof body === "string";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined || isText ? PORTAL_HEADERS : { ...PORTAL_HEADERS, "Content-Type": "application/json" },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
      cache: "no-store",
      signal,
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Refusal(0, "unreachable", "The server does not answer. It may be restarting; the page tries again by itself.");
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  if (response.status === 401 && session.value) session.set(null, "Your session has ended. Log in again to go on.");
  throw new Refusal(response.status, said.code ?? "unknown", said.message ?? `The server answered ${response.status}.`, said.field);
}

export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(method, path, body, signal);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body: unknown = {}) => call<T>("POST", path, body);

/** An answer that is no JSON, with its headers. */
export const raw = (path: string, signal?: AbortSignal) => send("GET", path, undefined, signal);

/** A path whose parts are escaped: at`/v1/jobs/${id}`. */
export function at(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((path, part, i) => path + encodeURIComponent(values[i - 1]) + part);
}

export function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? "?" + given.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`).join("&") : "";
}

export const words = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure));
