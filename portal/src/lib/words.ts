// Numbers and times as people read them. Times are in the reader's zone.

const MINUTE = 60, HOUR = 3600, DAY = 86400;

/** 42 s, 12 min, 3 h 20 min, 4 d 2 h */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  const [large, small, high, low] = whole < 2 * DAY ? [HOUR, MINUTE, "h", "min"] as const : [DAY, HOUR, "d", "h"] as const;
  const rest = Math.floor((whole % large) / small);
  return `${Math.floor(whole / large)} ${high}${rest ? ` ${rest} ${low}` : ""}`;
}

/** The same with seconds up to an hour, for what counts down. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE || whole >= HOUR) return span(whole);
  return `${Math.floor(whole / MINUTE)} min ${String(whole % MINUTE).padStart(2, "0")} s`;
}

export const since = (time: string, now: number) => (now - Date.parse(time)) / 1000;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** 14:05 today, and with its day on others. */
export function time(text: string, now = Date.now()): string {
  const then = new Date(text);
  return (then.toDateString() === new Date(now).toDateString() ? clock : dayAndClock).format(then);
}

export const exactTime = (text: string) => exact.format(new Date(text));

export function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return number + (isTeen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" } as Record<number, string>)[number % 10] ?? "th");
}

export const rank = (number: number) => (number === 0 ? "no GPU" : `${ordinal(number)} GPU`);

export const count = (number: number, word: string) => `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;

/** 2, 1.5, 0.25: as many digits as it has, three at most. */
export const amount = (number: number) => String(Math.round(number * 1000) / 1000);

export const priority = (number: number) => (number === 0 ? "0" : number > 0 ? `+${number}` : `−${-number}`);

export function bytes(number: number): string {
  if (number < 1024) return `${number} B`;
  const power = Math.min(4, Math.floor(Math.log2(number) / 10));
  const value = number / 1024 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${["", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

/** A metric: four digits that say something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : String(Number(value.toPrecision(4)));
}

/** A text in which whole ids stand as short ones. */
export const shortened = (text: string) => text.replace(/[A-Za-z0-9][A-Za-z0-9._-]*_\d{6,}_[0-9a-f]{8}/g, short);

/** Of train_1794834158_1def1bf9 the name and its last four letters: enough to tell jobs apart on a page. */
export function short(id: string): string {
  const match = /^(.*)_\d+_[0-9a-f]{4}([0-9a-f]{4})$/.exec(id);
  return match ? `${match[1]}·${match[2]}` : id;
}
