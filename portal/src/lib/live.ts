// One stream of all jobs' events for the whole page, open while somebody looks at it.
import { get, session, type JobEvent, type Session } from "./api";

type Told = (event?: JobEvent) => void;

const told = new Set<Told>();
let stream: EventSource | undefined;

function tell(event?: JobEvent) {
  told.forEach((each) => each(event));
}

function open() {
  if (stream || told.size === 0 || document.hidden || !session.value) return;
  stream = new EventSource("/v1/events");
  let isFirst = true;
  stream.onopen = () => {
    // Whatever happened before the stream was open, or between two of them, is not in it.
    if (!isFirst) tell();
    isFirst = false;
  };
  stream.addEventListener("state", (event) => tell(JSON.parse((event as MessageEvent<string>).data)));
  stream.onerror = () => {
    // A browser tries again by itself, but for refusals: then the session may be over.
    if (stream?.readyState !== EventSource.CLOSED) return;
    close();
    get<Session>("/v1/me").then(() => setTimeout(open, 2000), () => setTimeout(open, 5000));
  };
}

function close() {
  stream?.close();
  stream = undefined;
}

// A browser has six connections to a server for all its tabs, so those that nobody sees give theirs back.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  open();
  tell();
});
session.listen(() => (session.value ? open() : close()));

/** Calls this at every event of a job, and without one when some may have been missed. */
export function follow(each: Told): () => void {
  told.add(each);
  open();
  return () => {
    told.delete(each);
    if (told.size === 0) close();
  };
}
