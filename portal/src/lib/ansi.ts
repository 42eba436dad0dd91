// Lines of a log with the colours that programs write for terminals. What comes out are texts and classes, never markup.

export interface Piece { text: string; class: string }

interface Style { bold: boolean; dim: boolean; italic: boolean; underline: boolean; inverse: boolean; colour: number }

const PLAIN: Style = { bold: false, dim: false, italic: false, underline: false, inverse: false, colour: -1 };

// Colours and weights; then all other sequences, which say nothing in a log.
const SEQUENCE = /\x1b\[([0-9;]*)m|\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g;
const INVISIBLE = /[\x00-\x08\x0b-\x1f\x7f]/g;

const classes = (style: Style) =>
  [style.bold && "a1", style.dim && "a2", style.italic && "a3", style.underline && "a4", style.inverse && "a7", style.colour >= 0 && `f${style.colour}`]
    .filter(Boolean).join(" ");

function applied(codes: string, style: Style): Style {
  const next = { ...style };
  const numbers = codes === "" ? [0] : codes.split(";").map(Number);
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i];
    if (code === 0) Object.assign(next, PLAIN);
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code >= 90 && code <= 97) next.colour = code - 90;
    else if (code === 39) next.colour = -1;
    else if (code === 38 || code === 48) {
      // 256 colours and true colour: the first sixteen are ours, the others stay plain.
      if (numbers[i + 1] === 5 && code === 38 && numbers[i + 2] < 16) next.colour = numbers[i + 2] % 8;
      i += numbers[i + 1] === 5 ? 2 : numbers[i + 1] === 2 ? 4 : 0;
    }
  }
  return next;
}

/** Of a line that was written over with carriage returns, as progress bars are, what was seen last. */
function lastWritten(line: string): string {
  const end = line.endsWith("\r") ? line.slice(0, -1) : line;
  return end.slice(end.lastIndexOf("\r") + 1);
}

export function pieces(line: string): Piece[] {
  const text = lastWritten(line);
  const out: Piece[] = [];
  let style = PLAIN;
  let from = 0;
  const add = (part: string) => {
    const clean = part.replace(INVISIBLE, "");
    if (clean) out.push({ text: clean, class: classes(style) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(text.slice(from, match.index));
    if (match[1] !== undefined) style = applied(match[1], style);
    from = match.index + match[0].length;
  }
  add(text.slice(from));
  return out;
}
