import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { at, query, words } from "../lib/api";
import { pieces } from "../lib/ansi";
import { LogWindow } from "../lib/logwindow";
import { bytes } from "../lib/words";
import { Button, Empty } from "./parts";

const LINE = 18, SPARE = 12, FOLLOW_MS = 400;

/** A task's log. Of a long one only a window is loaded; the bar at its side stands for all of it. */
export function LogView({ job, tasks, attempts, isOver }: { job: string; tasks: string[]; attempts: number; isOver: boolean }) {
  const [task, setTask] = useState(tasks[0] ?? "");
  const [attempt, setAttempt] = useState(0);
  const [follow, setFollow] = useState(true);
  const [text, setText] = useState("");
  const [hit, setHit] = useState<number>();
  const [said, setSaid] = useState("");
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, tall: 400 });
  const anchor = useRef<{ offset: number; pixels: number }>();
  const log = useMemo(() => new LogWindow(job, task, attempt, () => redraw(undefined)), [job, task, attempt]);
  const fail = useCallback((failure: unknown) => setSaid(words(failure)), []);

  useEffect(() => {
    setSaid("");
    setHit(undefined);
    log.jump().catch(fail);
  }, [log]);
  useEffect(() => {
    if (!follow) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      (log.atEnd ? log.more() : log.jump()).catch(fail);
    }, isOver ? 5000 : FOLLOW_MS);
    return () => clearInterval(timer);
  }, [log, follow, isOver]);

  const look = () => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, tall: element.clientHeight });
  };
  // Who follows stays at the end; who reads keeps the line in sight, whatever is added before it.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (follow) element.scrollTop = element.scrollHeight;
    else if (anchor.current) {
      const index = log.lines.findIndex((line) => line.offset >= anchor.current!.offset);
      if (index >= 0) element.scrollTop = index * LINE - anchor.current.pixels;
    }
    look();
  }, [log.lines, log.lines.length, log.to, follow]);
  useEffect(() => {
    const resized = new ResizeObserver(look);
    if (box.current) resized.observe(box.current);
    return () => resized.disconnect();
  }, []);

  const scrolled = () => {
    const element = box.current!;
    look();
    const first = log.lines[Math.floor(element.scrollTop / LINE)];
    anchor.current = first && { offset: first.offset, pixels: (Math.floor(element.scrollTop / LINE) * LINE) - element.scrollTop };
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - LINE;
    if (follow && !isAtEnd && log.lines.length * LINE > element.clientHeight) setFollow(false);
    if (isAtEnd && !log.atEnd) log.more().catch(fail);
    else if (isAtEnd && log.atEnd && !follow && log.lines.length > 0) setFollow(true);
    if (element.scrollTop < 20 * LINE && log.from > log.start) log.earlier().catch(fail);
  };

  const show = async (offset: number) => {
    setFollow(false);
    setHit(offset);
    const isHeld = offset >= log.from && offset < log.to;
    anchor.current = { offset, pixels: LINE * 6 };
    if (isHeld) redraw(undefined);
    else await log.jump(Math.max(0, offset - 64 * 1024));
    const element = box.current;
    const index = log.lines.findIndex((line) => line.offset >= offset);
    if (element && index >= 0) element.scrollTop = Math.max(0, index * LINE - LINE * 6);
  };

  const search = async (backwards: boolean) => {
    if (!text) return;
    setSaid("Searching…");
    let from: number | undefined = hit === undefined ? (backwards ? undefined : log.start) : backwards ? hit : hit + 1;
    try {
      for (;;) {
        const found = await log.search(text, from, backwards, 2);
        const next = found.lines.find((line) => line !== hit);
        if (next !== undefined) {
          setSaid("");
          return await show(next);
        }
        if (found.next === undefined || found.next === null) {
          setSaid(hit === undefined ? `“${text}” is not in this log.` : `No more before the ${backwards ? "beginning" : "end"}.`);
          return;
        }
        from = found.next;
        setSaid(`Searching… ${bytes(Math.abs((backwards ? log.end : log.start) - from))}`);
      }
    } catch (failure) {
      fail(failure);
    }
  };

  const first = Math.max(0, Math.floor(view.top / LINE) - SPARE);
  const last = Math.min(log.lines.length, Math.ceil((view.top + view.tall) / LINE) + SPARE);
  const whole = Math.max(1, log.end - log.start);
  const seen = log.lines[Math.min(log.lines.length - 1, Math.floor(view.top / LINE))]?.offset ?? log.from;
  const place = follow ? 100 : Math.min(100, (100 * (seen - log.start)) / whole);
  const download = at`/v1/jobs/${job}/logs` + query({ task, attempt: attempt || undefined });
  return (
    <div class="logview">
      <div class="logtools">
        {tasks.length > 1 && <select aria-label="Task" value={task} onChange={(event) => setTask(event.currentTarget.value)}>{tasks.map((each) => <option key={each}>{each}</option>)}</select>}
        {attempts > 1 && (
          <select aria-label="Attempt" value={attempt} onChange={(event) => setAttempt(Number(event.currentTarget.value))}>
            <option value={0}>latest attempt</option>
            {Array.from({ length: attempts }, (_, i) => attempts - i).map((each) => <option key={each} value={each}>attempt {each}</option>)}
          </select>
        )}
        <form class="head-line" onSubmit={(event) => { event.preventDefault(); void search(true); }}>
          <input type="search" aria-label="Search the log" placeholder="Search, newest first" value={text} maxLength={200} onInput={(event) => { setText(event.currentTarget.value); setHit(undefined); setSaid(""); }} />
          <Button type="submit" disabled={!text} title="the one before (Enter)">↑</Button>
          <Button disabled={!text} title="the next one" onClick={() => void search(false)}>↓</Button>
        </form>
        <span class="hint" role="status">{said}</span>
        <span class="push head-line">
          <span class="hint">{bytes(log.end)}</span>
          <label><input type="checkbox" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} /> follow</label>
          <a class="button" href={download} download={`${job}.log`}>Download</a>
        </span>
      </div>
      {log.end === 0 && !said ? <Empty title="Nothing has been written yet." /> : (
        <div class="logbody">
          <div class="loglines" ref={box} onScroll={scrolled} tabIndex={0} role="log" aria-label="Log" aria-live="off">
            <div style={{ height: `${log.lines.length * LINE}px` }}>
              {log.lines.slice(first, last).map((line, i) => (
                <div key={line.offset} class={line.offset === hit ? "line hit" : "line"} style={{ top: `${(first + i) * LINE}px` }}>
                  {pieces(line.text).map((piece, n) => <span key={n} class={piece.class}>{marked(piece.text, text)}</span>)}
                </div>
              ))}
            </div>
          </div>
          <div class="logbar" title="Click to go to that part of the log" onClick={(event) => {
            const area = event.currentTarget.getBoundingClientRect();
            const part = (event.clientY - area.top) / area.height;
            setFollow(part > 0.98);
            anchor.current = undefined;
            log.jump(part > 0.98 ? undefined : Math.floor(log.start + part * whole)).then(() => { if (part <= 0.98 && box.current) box.current.scrollTop = LINE * 30; }, fail);
          }}>
            <i style={{ top: `calc(${place}% * .96)`, height: `${Math.max(4, (100 * (view.tall / LINE) * 80) / whole)}%` }} />
          </div>
        </div>
      )}
    </div>
  );
}

function marked(text: string, wanted: string) {
  if (!wanted) return text;
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 ? text : <>{text.slice(0, at)}<mark>{text.slice(at, at + wanted.length)}</mark>{text.slice(at + wanted.length)}</>;
}
