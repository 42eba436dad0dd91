// How the portal stands a long queue and a long log, in a real browser: what a first visit loads, when the first screen of
// a queue of 10,000 jobs is there, how soon the page shows an event, and how soon a log of 1 GB is open at its end.
//
//   cd portal/tests && npm ci && cd ../.. && node bench/portal.mjs [--jobs 10000] [--log-mb 1024] [--rounds 5]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(join(root, "portal/tests/"))("playwright-core");
const option = (name, otherwise) => Number(process.argv[process.argv.indexOf(name) + 1] || otherwise) || otherwise;
const [JOBS, LOG_MB, ROUNDS] = [option("--jobs", 10_000), option("--log-mb", 1024), option("--rounds", 5)];
const home = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
const fairlead = (...words) => execFileSync(process.env.FAIRLEAD_LAUNCHER ?? join(root, "fairlead"), words, { env: { ...process.env, FAIRLEAD_HOME: home }, stdio: "ignore" });
fairlead("server", "start", "--gpus", "4");
const server = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
const api = async (method, path, body) => (await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${server.token}` }, body: body && JSON.stringify(body) })).json();
const until = async (isSo) => {
  for (let i = 0; i < 6000 && !(await isSo()); i++) await new Promise((done) => setTimeout(done, 100));
};
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const say = (what, value, unit = "ms") => console.log(`${what.padEnd(58)} ${String(Math.round(value)).padStart(7)} ${unit}`);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
let bytes = 0;
const tools = await page.context().newCDPSession(page);
await tools.send("Network.enable");
tools.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
try {
  await page.goto(server.url + "/portal/");
  await page.getByRole("button", { name: "Token" }).click();
  await page.fill("input[name=token]", server.token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("Nothing runs").waitFor();
  say("first load, compressed, login and queue", bytes / 1024, "KiB");

  await api("POST", "/v1/jobs", { jobs: [{ name: "many", command: "sleep 3000", gpus: 1, time: "1h" }], array: { from: 0, to: JOBS - 1 } });
  await until(async () => (await api("GET", "/v1/jobs?state=running&limit=10")).jobs.length === 4);
  const screens = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begun = Date.now();
    await page.goto(server.url + "/portal/queue");
    await page.locator(".work .row[data-job]").nth(15).waitFor();
    screens.push(Date.now() - begun);
  }
  say(`first screen of a queue of ${JOBS} jobs, median of ${ROUNDS}`, median(screens));

  const follows = [];
  for (let i = 0; i < ROUNDS; i++) {
    await page.waitForTimeout(1500);
    const id = await page.locator(".work .row[data-job]").first().getAttribute("data-job");
    // The page itself tells when the row has changed, by its own clock.
    const seen = page.evaluate((job) => new Promise((done) => {
      const look = new MutationObserver(() => { if (!document.querySelector(`[data-job="${job}"] .state.running`)) { look.disconnect(); done(Date.now()); } });
      look.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    }), id);
    const told = page.evaluate((job) => new Promise((done) => {
      const stream = new EventSource("/v1/events");
      stream.addEventListener("state", (event) => { if (JSON.parse(event.data).job === job) { stream.close(); done(Date.now()); } });
      stream.onopen = () => fetch(`/v1/jobs/${job}/abort`, { method: "POST", headers: { "X-Fairlead-Portal": "1" } });
    }), id);
    follows.push((await seen) - (await told));
  }
  say(`from an event in the browser to its row, median of ${ROUNDS}`, median(follows));
  await api("POST", "/v1/abort", { jobs: [(await api("GET", "/v1/jobs?limit=1")).jobs[0].array] });

  await until(async () => (await api("GET", "/v1/jobs?state=active&limit=1")).jobs.length === 0);
  const [log] = (await api("POST", "/v1/jobs", { jobs: [{ name: "long", gpus: 0, command: `python3 -c '
line = "epoch %08d loss 0.123456 accuracy 0.987654 and some more words to fill it\\n"
size = ${LOG_MB} << 20; done = n = 0
import sys
while done < size:
    block = "".join(line % i for i in range(n, n + 10000)); n += 10000; done += len(block); sys.stdout.write(block)
print("the very end", flush=True)'; sleep 3000` }] })).ids;
  await until(async () => /the very end/.test(await (await fetch(`${server.url}/v1/jobs/${log}/logs?tail=1`, { headers: { Authorization: `Bearer ${server.token}` } })).text()));
  const opens = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begun = Date.now();
    await page.goto(`${server.url}/portal/jobs/${log}/log`);
    await page.getByText("the very end").waitFor();
    opens.push(Date.now() - begun);
  }
  const size = await page.locator(".logtools .push .hint").innerText();
  say(`a log of ${size} open at its end, median of ${ROUNDS}`, median(opens));
  const frames = await page.evaluate(() => new Promise((done) => {
    const box = document.querySelector(".loglines");
    const begun = performance.now();
    let count = 0;
    const step = () => { box.scrollTop -= 40; count++; performance.now() - begun < 3000 ? requestAnimationFrame(step) : done(count / 3); };
    requestAnimationFrame(step);
  }));
  say("frames while it scrolls", frames, "per second");
  const begun = Date.now();
  await page.getByLabel("Search the log").fill("epoch 00000042 ");
  await page.keyboard.press("Enter");
  await page.locator(".line.hit").waitFor({ timeout: 120_000 });
  say("a line at its beginning found from its end", Date.now() - begun);
} finally {
  await browser.close();
  await api("POST", "/v1/abort", { jobs: (await api("GET", "/v1/jobs?state=active&limit=1000")).jobs.map((job) => job.id) }).catch(() => undefined);
  fairlead("server", "stop");
  rmSync(home, { recursive: true, force: true });
}
