import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { at, get, post, query, session, type Queue, type Server, type Totals, type Work } from "../lib/api";
import { useAction, useLoaded } from "../lib/hooks";
import { follow } from "../lib/live";
import { go } from "../lib/router";
import { amount, count, ordinal, priority, rank, short, shortened } from "../lib/words";
import { Age, Empty, jobPath, Loading, Notes, Start, State, Trouble } from "../ui/parts";
import { Rows } from "../ui/virtual";

const ROW = 34, ROW_WALL = 44, ROW_PHONE = 56, WINDOW = 100;

/** On a phone a row has two lines. */
const phone = matchMedia("(max-width: 760px)");

function useRowHeight(wall: boolean): number {
  const [isPhone, set] = useState(phone.matches);
  useEffect(() => {
    const change = () => set(phone.matches);
    phone.addEventListener("change", change);
    return () => phone.removeEventListener("change", change);
  }, []);
  return isPhone ? ROW_PHONE : wall ? ROW_WALL : ROW;
}

/** The rows of the queue that are in sight and some around them; the rest is not asked for. */
function useQueue(cluster: string) {
  const [range, setRange] = useState({ from: 0, to: WINDOW });
  const loaded = useLoaded(
    async (signal) => {
      const answer = await get<Queue>("/v1/queue" + query({ cluster, offset: range.from, limit: range.to - range.from }), signal);
      return { answer, from: range.from };
    },
    [cluster, range.from, range.to],
    { seconds: 5, events: () => true },
  );
  // The first answer does not wait for a forecast; a moment later there is one.
  const isUnforeseen = loaded.data?.answer.queue.some((work) => work.status === "queued" && !work.job?.predictedStart) ?? false;
  useEffect(() => {
    if (!isUnforeseen) return;
    const timer = setTimeout(loaded.reload, 1000);
    return () => clearTimeout(timer);
  }, [isUnforeseen]);
  const last = useRef(loaded.data);
  if (loaded.data) last.current = loaded.data;
  const see = useCallback((from: number, to: number) => {
    setRange((old) => {
      if (from >= old.from && to <= old.to) return old;
      const begin = Math.max(0, Math.floor((from - WINDOW / 2) / 50) * 50);
      return { from: begin, to: Math.min(begin + 1000, Math.max(begin + WINDOW, Math.ceil((to + WINDOW / 2) / 50) * 50)) };
    });
  }, []);
  return { ...loaded, shown: last.current, see };
}

export function TotalsLine({ of }: { of: Totals }) {
  const used = of.gpus > 0 ? Math.min(100, (of.gpusInUse / of.gpus) * 100) : 0;
  const lent = of.gpus > 0 ? Math.min(used, (of.gpusLent / of.gpus) * 100) : 0;
  return (
    <div class="totals">
      <p>
        <strong>{amount(of.gpusInUse)} of {count(of.gpus, "GPU")} in use</strong>
        {of.gpusLent > 0 && <>, {amount(of.gpusLent)} lent</>}
        <span class="quiet"> · {of.running} running · {of.waiting.toLocaleString()} waiting</span>
      </p>
      <div class="bar" aria-hidden="true"><i class="used" style={{ width: `${used - lent}%` }} /><i class="lent" style={{ width: `${lent}%` }} /></div>
    </div>
  );
}

export function Rule() {
  return (
    <ol class="rule">
      <li>One's first GPU goes before anyone's second, the second before anyone's third.</li>
      <li>Inside one person's jobs priority decides, then age; only you order your own.</li>
      <li>A project's quota is guaranteed, and lent while it is idle.</li>
    </ol>
  );
}

export function QueuePage({ wall = false, cluster = "" }: { wall?: boolean; cluster?: string }) {
  const queue = useQueue(cluster);
  const server = useLoaded((signal) => get<Server>("/v1/server", signal), []);
  const action = useAction();
  const [focus, setFocus] = useState(0);
  const [dragged, setDragged] = useState<Work>();
  const [over, setOver] = useState<string>();
  const moved = useMoved(queue.shown?.answer.queue);
  const list = useRef<HTMLDivElement>(null);
  const height = useRowHeight(wall);
  const shown = queue.shown;
  if (!shown) return queue.error ? <Trouble text={queue.error} /> : <Loading />;
  const { answer, from } = shown;
  const all = answer.totals.running + answer.totals.waiting;
  const row = (i: number): Work | undefined => answer.queue[i - from];
  const may = (work?: Work) => work?.job && (session.value?.admin || work.owner === session.value?.name) && !wall;
  const prioritise = (work: Work, body: { priority?: number; change?: number }) =>
    void action.run(async () => {
      await post(at`/v1/jobs/${work.name}/priority`, body);
      queue.reload();
    });
  // Dropped on another job of one's own, a job goes just before it.
  const drop = (target: Work) => {
    if (dragged && dragged.owner === target.owner && dragged.name !== target.name) {
      const isEarlier = Date.parse(dragged.created) < Date.parse(target.created);
      prioritise(dragged, { priority: target.priority + (isEarlier ? 0 : 1) });
    }
    setDragged(undefined);
    setOver(undefined);
  };
  const keys = (event: KeyboardEvent) => {
    const work = row(focus);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step) {
      const next = Math.max(0, Math.min(all - 1, focus + step));
      setFocus(next);
      const box = list.current?.querySelector(".scroll");
      if (box && all * height < 8_000_000) {
        if (next * height < box.scrollTop) box.scrollTop = next * height;
        if ((next + 1) * height > box.scrollTop + box.clientHeight) box.scrollTop = (next + 1) * height - box.clientHeight;
      }
    } else if ((event.key === "+" || event.key === "=") && may(work)) prioritise(work!, { change: 1 });
    else if (event.key === "-" && may(work)) prioritise(work!, { change: -1 });
    else if (event.key === "Enter" && work?.job && event.target === event.currentTarget) go(jobPath(work.name).slice("/portal/".length));
    else return;
    event.preventDefault();
  };
  return (
    <div class={wall ? "queue wall" : "queue"}>
      <div class="top">
        <div>
          <h1>{wall ? `Queue of ${answer.cluster}` : "Queue"}</h1>
          <TotalsLine of={answer.totals} />
        </div>
        <Rule />
        {!wall && (
          <div class="tools">
            {server.data && server.data.clusters.length > 1 && (
              <select aria-label="Cluster" value={answer.cluster} onChange={(event) => go("queue" + query({ cluster: event.currentTarget.value }))}>
                {server.data.clusters.map((each) => <option key={each.name}>{each.name}</option>)}
              </select>
            )}
            <a class="button" href={"/portal/wall" + query({ cluster })}>Wall</a>
          </div>
        )}
      </div>
      <Trouble text={action.error || queue.error} />
      <Notes of={answer.notes} />
      {all === 0 ? (
        <Empty title="Nothing runs and nobody waits.">
          {!wall && <p>Every GPU is yours: <a href="/portal/submit">submit a job</a>, or type <code>fairlead submit python3 train.py</code>.</p>}
        </Empty>
      ) : (
        <div ref={list} onKeyDown={keys} class="fill">
          <Rows
            count={all} height={height} label="The queue" onRange={queue.see} class="work"
            header={
              <div class="row head" role="row">
                <span role="columnheader">Rank</span><span role="columnheader">Job</span><span role="columnheader">Who</span>
                <span role="columnheader" class="number">GPUs</span><span role="columnheader" class="number">Priority</span>
                <span role="columnheader">State</span><span role="columnheader" class="number">Age</span>
                <span role="columnheader">Where, or when and why not yet</span>
              </div>
            }
            render={(i) => {
              const work = row(i);
              if (!work) return <div class="row" key={`at${i}`} role="row"><span role="cell" class="quiet">…</span></div>;
              const isFirst = row(i - 1)?.ordinal !== work.ordinal || Boolean(row(i - 1)?.borrows) !== Boolean(work.borrows);
              const isMine = work.owner === session.value?.name && !wall;
              return (
                <div
                  key={work.name} role="row" aria-rowindex={i + 2} data-job={work.name}
                  class={["row", isFirst ? "first" : "", isMine ? "mine" : "", i === focus && !wall ? "focus" : "", over === work.name ? "over" : "", moved.has(work.name) ? "moved" : ""].join(" ")}
                  draggable={Boolean(may(work)) && work.status === "queued"}
                  onClick={() => setFocus(i)}
                  onDragStart={(event) => { event.dataTransfer?.setData("text/plain", work.name); setDragged(work); }}
                  onDragOver={(event) => { if (dragged && dragged.owner === work.owner) { event.preventDefault(); setOver(work.name); } }}
                  onDrop={(event) => { event.preventDefault(); drop(work); }}
                  onDragEnd={() => { setDragged(undefined); setOver(undefined); }}
                >
                  <span role="cell" class="rank" title={work.borrows ? "waits for what other projects leave idle" : undefined}>
                    {isFirst ? rank(work.ordinal) : <span class="same" title={rank(work.ordinal)}>{work.ordinal ? ordinal(work.ordinal) : "–"}</span>}
                    {work.borrows && <em> borrows</em>}
                  </span>
                  <span role="cell" class="job">
                    {work.guest ? <span class="mono" title="started without Fairlead">{work.name}</span> : <a href={jobPath(work.name)} title={work.name} class="mono" draggable={false}>{short(work.name)}</a>}
                  </span>
                  <span role="cell">{work.owner}</span>
                  <span role="cell" class="number">{amount(work.gpus)}</span>
                  <span role="cell" class="number prio">
                    {may(work) && <button type="button" aria-label={`lower the priority of ${short(work.name)}`} tabIndex={-1} onClick={() => prioritise(work, { change: -1 })}>−</button>}
                    <b>{priority(work.priority)}</b>
                    {may(work) && <button type="button" aria-label={`raise the priority of ${short(work.name)}`} tabIndex={-1} onClick={() => prioritise(work, { change: 1 })}>+</button>}
                  </span>
                  <span role="cell"><State word={work.status} /></span>
                  <span role="cell" class="number"><Age at={work.started ?? work.created} /></span>
                  <span role="cell" class="why">
                    {work.nodes.length > 0 ? work.nodes.join(", ") : <><Start of={work.job ?? {}} />{work.job?.obstacle && <span class="obstacle" title={work.job.obstacle}>{work.job.predictedStart ? " · " : ""}{shortened(work.job.obstacle)}</span>}</>}
                  </span>
                </div>
              );
            }}
          />
        </div>
      )}
      {!wall && all > 0 && <p class="hint keys">Your jobs: <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>+</kbd> <kbd>−</kbd> for priority, <kbd>Enter</kbd> to open; or drag one before another.</p>}
    </div>
  );
}

/** The names of rows that stand elsewhere than before, for a moment. */
function useMoved(rows?: Work[]): Set<string> {
  const before = useRef(new Map<string, string>());
  const [moved, setMoved] = useState(new Set<string>());
  useEffect(() => {
    if (!rows) return;
    const now = new Map(rows.map((work, i) => [work.name, `${i > 0 ? rows[i - 1].name : ""}|${work.status}`]));
    const changed = [...now].filter(([name, place]) => before.current.size > 0 && before.current.get(name) !== place).map(([name]) => name);
    before.current = now;
    if (changed.length === 0 || changed.length > 20) return;
    setMoved(new Set(changed));
    const timer = setTimeout(() => setMoved(new Set()), 1200);
    return () => clearTimeout(timer);
  }, [rows]);
  return moved;
}

/** For the lab's screen: no names of who is logged in, no links away, all of it larger. */
export function Wall({ cluster }: { cluster: string }) {
  useEffect(() => {
    // A screen that nobody touches also shows a new version of the page after the server's restart.
    const unfollow = follow(() => undefined);
    return unfollow;
  }, []);
  return <main class="wallpage"><QueuePage wall cluster={cluster} /><a class="leave" href="/portal/queue">leave wall mode</a></main>;
}
