// A spec as the YAML that job files are written in. Strings that YAML could take for something else are quoted.

const PLAIN = /^[A-Za-z_/.][A-Za-z0-9_ /.,=@%+~-]*$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|~|\.nan|\.inf|0x.*)$/i;

function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(" ") && !/ #|: /.test(value) ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "object" && Object.keys(value as object).length === 0);
}

function write(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => {
      if (typeof item !== "object" || item === null) return `${indent}- ${scalar(item)}\n`;
      const inner = write(item, indent + "  ");
      return `${indent}- ${inner.slice(indent.length + 2)}`;
    }).join("");
  }
  return Object.entries(value as object).filter(([, item]) => !isEmpty(item)).map(([key, item]) => {
    if (typeof item === "object") return `${indent}${scalar(key)}:\n${write(item, indent + "  ")}`;
    if (typeof item === "string" && item.includes("\n") && !/[^\x20-\x7e\n]/.test(item) && !/^\s/.test(item)) {
      return `${indent}${scalar(key)}: |${item.endsWith("\n") ? "" : "-"}\n${item.replace(/\n$/, "").split("\n").map((line) => `${indent}  ${line}\n`).join("")}`;
    }
    return `${indent}${scalar(key)}: ${scalar(item)}\n`;
  }).join("");
}

export const yaml = (spec: object) => write(spec, "");
