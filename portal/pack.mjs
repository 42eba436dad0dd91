// Compresses every file that Vite has made, and writes down their names: the server serves these and no others.
import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => statSync(join(folder, name)).isFile());
for (const name of files) {
  writeFileSync(join(folder, name + ".gz"), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
  rmSync(join(folder, name));
}
writeFileSync(join(folder, "files.txt"), files.sort().join("\n") + "\n");
