// A part of a task's log as lines: it grows at either end, forgets the other one, and never holds the whole.
import { at, get, query, raw } from "./api";

const CHUNK = 256 * 1024;
/** This much is held at most: some ten thousand lines. */
const HELD_MAX = 2 * 1024 * 1024;
/** A line that is longer is shown in several. */
const LINE_MAX = 8 * 1024;

export interface Line { offset: number; text: string }

export class LogWindow {
  lines: Line[] = [];
  /** The first byte that is kept of the log, what is held of it, and its end. */
  start = 0;
  from = 0;
  to = 0;
  end = 0;
  attempt = 0;
  private isBusy = false;

  constructor(private readonly job: string, readonly task: string, private readonly wanted: number, private readonly changed: () => void) {}

  get atEnd() {
    return this.to >= this.end;
  }

  private async read(offset: number, length: number): Promise<{ bytes: Uint8Array; begin: number }> {
    const answer = await raw(at`/v1/jobs/${this.job}/logs` + query({ task: this.task, attempt: this.wanted || undefined, offset, length }));
    const number = (name: string) => Number(answer.headers.get(name) ?? 0);
    this.start = number("X-Log-Start");
    this.end = number("X-Log-End");
    this.attempt = number("X-Log-Attempt");
    return { bytes: new Uint8Array(await answer.arrayBuffer()), begin: number("X-Log-Begin") };
  }

  /** One read at a time; what comes meanwhile is asked for again by whoever still wants it. */
  private async alone(work: () => Promise<void>) {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await work();
    } finally {
      this.isBusy = false;
    }
    this.changed();
  }

  /** Shows what is around this offset; without one the end. */
  jump(offset?: number) {
    return this.alone(async () => {
      if (offset === undefined) {
        if (this.end === 0) await this.read(0, 1);
        offset = Math.max(this.start, this.end - CHUNK);
      }
      const { bytes, begin } = await this.read(Math.max(0, offset), CHUNK);
      this.from = begin;
      this.to = begin + bytes.length;
      this.lines = split(bytes, begin);
      // The first line has lost its beginning, unless the log begins with it.
      if (begin > this.start && this.lines.length > 1) this.from = this.lines.length > 0 ? (this.lines.shift(), this.lines[0].offset) : begin;
    });
  }

  more() {
    return this.alone(async () => {
      const last = this.lines.at(-1);
      // The last line may go on.
      const from = last ? last.offset : this.to;
      const { bytes, begin } = await this.read(from, CHUNK + (this.to - from));
      if (bytes.length === 0) return;
      if (begin > from) this.lines = [];
      else this.lines.pop();
      this.lines = this.lines.concat(split(bytes, begin));
      this.to = begin + bytes.length;
      while (this.to - this.from > HELD_MAX && this.lines.length > 2) this.from = this.drop(Math.ceil(this.lines.length / 4));
    });
  }

  private drop(count: number): number {
    this.lines.splice(0, count);
    return this.lines[0].offset;
  }

  earlier() {
    return this.alone(async () => {
      const begin = Math.max(this.start, this.from - CHUNK);
      if (begin >= this.from) return;
      const read = await this.read(begin, this.from - begin);
      const before = split(read.bytes.subarray(0, this.from - read.begin), read.begin);
      if (read.begin > this.start && before.length > 1) before.shift();
      this.lines = before.concat(this.lines);
      this.from = this.lines[0]?.offset ?? this.from;
      while (this.to - this.from > HELD_MAX && this.lines.length > 2) {
        this.lines.splice(Math.floor((this.lines.length * 3) / 4));
        const last = this.lines.pop()!;
        this.to = last.offset;
      }
    });
  }

  /** The lines that have a text, from an offset on in a direction; and where to go on. */
  search(text: string, offset: number | undefined, backwards: boolean, limit = 200) {
    return get<{ lines: number[]; next?: number }>(
      at`/v1/jobs/${this.job}/logs/search` + query({ text, task: this.task, attempt: this.wanted || undefined, offset, backwards, limit }),
    );
  }
}

const decoder = new TextDecoder();

function split(bytes: Uint8Array, begin: number): Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from < bytes.length) {
    const stop = bytes.indexOf(10, from);
    let to = stop < 0 ? bytes.length : stop;
    let next = stop < 0 ? bytes.length : stop + 1;
    if (to - from > LINE_MAX) next = to = from + LINE_MAX;
    lines.push({ offset: begin + from, text: decoder.decode(bytes.subarray(from, to)) });
    from = next;
  }
  return lines;
}
