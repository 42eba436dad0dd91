import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import { session, words, type Session } from "./api";
import { follow } from "./live";

export function useSession(): Session | null | undefined {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => session.listen(() => redraw(undefined)), []);
  return session.value;
}

const clocks = new Set<(now: number) => void>();
setInterval(() => {
  if (!document.hidden) clocks.forEach((tell) => tell(Date.now()));
}, 1000);

/** The time, once a second: all who show it change together. */
export function useNow(): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    clocks.add(set);
    return () => void clocks.delete(set);
  }, []);
  return now;
}

export interface Loaded<T> { data?: T; error?: string; reload: () => void }

/**
 * Asks the server, and again after some seconds and at events that matter. One question at a time: what
 * comes while one is under way is asked after it. What was shown last stays while a new answer is awaited.
 */
export function useLoaded<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  what: unknown[],
  again: { seconds?: number; events?: (job: string | undefined) => boolean } = {},
): Loaded<T> {
  const [state, set] = useState<{ data?: T; error?: string }>({});
  const reload = useRef<() => void>(() => undefined);
  useEffect(() => {
    const stop = new AbortController();
    let isAsking = false;
    let isStale = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      clearTimeout(timer);
      if (isAsking) return void (isStale = true);
      isAsking = true;
      isStale = false;
      try {
        const data = await ask(stop.signal);
        if (!stop.signal.aborted) set({ data });
      } catch (failure) {
        if (!stop.signal.aborted) set((last) => ({ data: last.data, error: words(failure) }));
      }
      isAsking = false;
      if (stop.signal.aborted) return;
      if (isStale) void load();
      else if (again.seconds) timer = setTimeout(load, again.seconds * 1000);
    };
    reload.current = () => void load();
    set({});
    void load();
    const unfollow = again.events && follow((event) => again.events!(event?.job) && void load());
    return () => {
      stop.abort();
      clearTimeout(timer);
      unfollow?.();
    };
  }, what);
  return { ...state, reload: useCallback(() => reload.current(), []) };
}

/** Runs what a button does: while it runs the button is off, and what went wrong is shown. */
export function useAction(): { busy: boolean; error: string; run: (work: () => Promise<unknown>) => Promise<boolean>; clear: () => void } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError("");
    try {
      await work();
      return true;
    } catch (failure) {
      setError(words(failure));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, error, run, clear: useCallback(() => setError(""), []) };
}
