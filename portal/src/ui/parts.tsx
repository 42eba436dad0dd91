import type { ComponentChildren, JSX } from "preact";
import { useNow } from "../lib/hooks";
import { countdown, exactTime, short, since, span, time } from "../lib/words";

/** A job's state as a coloured word; the colour says nothing that the word does not. */
export function State({ word }: { word: string }) {
  return <span class={`state ${word.toLowerCase()}`}>{word.toLowerCase()}</span>;
}

export const jobPath = (id: string) => `/portal/jobs/${encodeURIComponent(id)}`;

export function JobLink({ id }: { id: string }) {
  return <a href={jobPath(id)} title={id} class="mono">{short(id)}</a>;
}

/** How long ago, going on; the exact time on pointing at it. */
export function Age({ at }: { at: string }) {
  const now = useNow();
  return <time dateTime={at} title={exactTime(at)}>{span(since(at, now))}</time>;
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at} title={exactTime(at)}>{time(at)}</time>;
}

interface Foreseen { predictedStart?: string; predictedEarliest?: string; predictedLatest?: string }

/** in 12 min 05 s (5 to 40 min), counting down. */
export function Start({ of }: { of: Foreseen }) {
  const now = useNow();
  if (!of.predictedStart) return null;
  const left = -since(of.predictedStart, now);
  const early = of.predictedEarliest ? Math.max(0, -since(of.predictedEarliest, now)) : 0;
  const late = of.predictedLatest ? -since(of.predictedLatest, now) : 0;
  return (
    <time dateTime={of.predictedStart} title={`expected ${exactTime(of.predictedStart)}; the span holds for 4 of 5 starts`}>
      {left > 0 ? `in ${countdown(left)}` : "any moment"}
      {late > 0 && <span class="quiet"> ({span(early)} – {span(late)})</span>}
    </time>
  );
}

export function Notes({ of }: { of?: string[] }) {
  return of && of.length > 0 ? <ul class="notes">{of.map((note) => <li key={note}>{note}</li>)}</ul> : null;
}

/** What went wrong, where it is read out. */
export function Trouble({ text }: { text?: string }) {
  return <div role="alert">{text && <p class="trouble">{text}</p>}</div>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading() {
  return <p class="loading" role="status">Loading…</p>;
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {hint && <span class="hint">{hint}</span>}
    </label>
  );
}

export function Button(props: JSX.ButtonHTMLAttributes<HTMLButtonElement> & { kind?: "primary" | "danger" | "plain" }) {
  const { kind = "plain", type = "button", class: more, ...rest } = props;
  return <button type={type} class={`button ${kind} ${more ?? ""}`} {...rest} />;
}

export function Panel({ title, aside, children, class: more }: { title: string; aside?: ComponentChildren; children: ComponentChildren; class?: string }) {
  return (
    <section class={`panel ${more ?? ""}`}>
      <header><h2>{title}</h2>{aside}</header>
      {children}
    </section>
  );
}

export function Facts({ of }: { of: [string, ComponentChildren][] }) {
  return <dl class="facts">{of.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Saves a text that the page has, as a file. */
export function save(name: string, text: string, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** As spreadsheets read it; a cell that begins like a formula is made a text. */
export function csv(rows: (string | number | undefined | null)[][]): string {
  const cell = (value: string | number | undefined | null) => {
    const text = value === undefined || value === null ? "" : String(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
