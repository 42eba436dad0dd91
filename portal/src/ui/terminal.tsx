import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { at, post, words } from "../lib/api";
import { Button, Trouble } from "./parts";

// The kinds of frames, as docs/http.md has them.
const INPUT = 0, OUTPUT = 1, ERRORS = 2, RESIZE = 3, EXIT = 4, FAILURE = 5, BEAT = 6;
const BEAT_MS = 10_000, HEAD = 5;

function frame(kind: number, payload: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD + payload.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, payload.length);
  bytes.set(payload, HEAD);
  return bytes;
}

/** A shell beside a running task. */
export function TerminalView({ job, tasks }: { job: string; tasks: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [task, setTask] = useState(tasks[0] ?? "");
  const [round, setRound] = useState(0);
  const [said, setSaid] = useState("");
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const terminal = new Terminal({ cursorBlink: true, fontSize: 13, fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", theme: { background: "#0c1014" }, scrollback: 5000, screenReaderMode: false });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(box.current!);
    fit.fit();
    terminal.focus();
    let socket: WebSocket | undefined;
    let beats: ReturnType<typeof setInterval> | undefined;
    let isGone = false;
    const send = (kind: number, payload: Uint8Array<ArrayBuffer>) => socket?.readyState === WebSocket.OPEN && socket.send(frame(kind, payload));
    const resize = () => {
      const size = new Uint8Array(8);
      new DataView(size.buffer).setUint32(0, terminal.rows);
      new DataView(size.buffer).setUint32(4, terminal.cols);
      send(RESIZE, size);
    };
    const end = (text: string) => { setSaid(text); setOver(true); };
    setSaid("Connecting…");
    setOver(false);
    const begin = async () => {
      const command = ["/bin/sh", "-c", "exec $(command -v bash || command -v sh)"];
      const made = await post<{ session: string }>(at`/v1/jobs/${job}/exec`, { command, task, terminal: "xterm-256color", rows: terminal.rows, columns: terminal.cols });
      if (isGone) return;
      socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/exec/${made.session}`);
      socket.binaryType = "arraybuffer";
      let rest = new Uint8Array();
      socket.onopen = () => { setSaid(""); resize(); beats = setInterval(() => send(BEAT, new Uint8Array()), BEAT_MS); };
      socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
        const more = new Uint8Array(event.data);
        const all = new Uint8Array(rest.length + more.length);
        all.set(rest);
        all.set(more, rest.length);
        let from = 0;
        while (all.length - from >= HEAD) {
          const length = new DataView(all.buffer).getUint32(from + 1);
          if (all.length - from < HEAD + length) break;
          const payload = all.slice(from + HEAD, from + HEAD + length);
          const kind = all[from];
          if (kind === OUTPUT || kind === ERRORS) terminal.write(payload);
          else if (kind === FAILURE) end(new TextDecoder().decode(payload));
          else if (kind === EXIT) end(`The shell has ended with ${new DataView(payload.buffer).getInt32(0)}.`);
          from += HEAD + length;
        }
        rest = all.slice(from);
      };
      socket.onclose = () => { clearInterval(beats); setOver(true); setSaid((last) => last || "The connection has ended."); };
    };
    begin().catch((failure) => end(words(failure)));
    const encoder = new TextEncoder();
    const typed = terminal.onData((text) => send(INPUT, encoder.encode(text)));
    const resized = new ResizeObserver(() => { fit.fit(); resize(); });
    resized.observe(box.current!);
    return () => {
      isGone = true;
      typed.dispose();
      resized.disconnect();
      clearInterval(beats);
      socket?.close();
      terminal.dispose();
    };
  }, [job, task, round]);
  return (
    <>
      <div class="head-line">
        {tasks.length > 1 && <select aria-label="Task" value={task} onChange={(event) => setTask(event.currentTarget.value)}>{tasks.map((each) => <option key={each}>{each}</option>)}</select>}
        <span class="hint" role="status">{isOver ? "" : said}</span>
        {isOver && <><Trouble text={said} /><Button onClick={() => setRound(round + 1)}>Open another</Button></>}
      </div>
      <div class="terminal" ref={box} />
    </>
  );
}
