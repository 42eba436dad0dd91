// Drives the portal with a real browser against a real server: ./check runs it, or  node portal/tests/run.mjs
//
//   --report FILE     also write the results as JUnit does
//   --screenshots     renew docs/images
//
// One server and one browser serve all tests, so each leaves behind what the next ones may meet.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";

const { chromium } = createRequire(import.meta.url)("playwright-core");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shots = process.argv.includes("--screenshots");
const PATIENCE = 15_000;

const home = mkdtempSync(join(tmpdir(), "fairlead-portal-"));
const env = { ...process.env, FAIRLEAD_HOME: home };
const fairlead = (...words) => execFileSync(process.env.FAIRLEAD_LAUNCHER ?? join(root, "fairlead"), words, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
fairlead("server", "start", "--gpus", "4");
const server = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
const api = async (method, path, body, token = server.token) => {
  const answer = await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${token}` }, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
};
const submit = async (spec, token) => (await api("POST", "/v1/jobs", { jobs: [spec] }, token)).ids[0];
const stopAll = async () => {
  const { jobs } = await api("GET", "/v1/jobs?state=active&limit=1000");
  if (jobs.length > 0) await api("POST", "/v1/abort", { jobs: jobs.map((job) => job.id) });
  await until(async () => (await api("GET", "/v1/jobs?state=active")).jobs.length === 0);
};
async function until(isSo, patience = PATIENCE) {
  for (const end = Date.now() + patience; ; ) {
    if (await isSo()) return;
    if (Date.now() > end) throw new Error("it did not come true: " + isSo);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const alarms = [];
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.on("pageerror", (error) => alarms.push(error.message));
  page.on("dialog", (dialog) => { alarms.push("a dialog: " + dialog.message()); void dialog.dismiss(); });
  page.on("console", (line) => { if (/Content Security Policy/.test(line.text()) && !line.text().includes("sandbox")) alarms.push(line.text()); });
  return page;
}
async function logIn(page, { token, name, password }) {
  await page.goto(server.url + "/portal/");
  if (token) {
    await page.getByRole("button", { name: "Token" }).click();
    await page.fill("input[name=token]", token);
  } else {
    await page.fill("input[name=name]", name);
    await page.fill("input[name=password]", password);
  }
  await page.getByRole("button", { name: "Log in" }).click();
}
const path = (page, where) => page.goto(`${server.url}/portal/${where}`);
const shot = async (page, name) => {
  if (!shots) return;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await page.screenshot({ path: join(root, "docs/images", name + ".png") });
};

const tests = [];
const test = (name, body) => tests.push({ name, body });
let admin, token_dora, page;

test("a stranger sees the login and nothing else; a wrong password and a wrong token are refused", async () => {
  admin = await open();
  await admin.goto(server.url + "/");
  await admin.waitForURL("**/portal/");
  await logIn(admin, { name: "root", password: "not this one" });
  await admin.getByText("the name or the password is wrong").waitFor();
  await admin.getByRole("button", { name: "Token" }).click();
  await admin.fill("input[name=token]", "0".repeat(64));
  await admin.getByRole("button", { name: "Log in" }).click();
  await admin.getByText("the token is wrong").waitFor();
  assert.equal(await admin.getByRole("navigation").count(), 0);
  for (const where of ["/v1/queue", "/v1/jobs", "/v1/people", "/metrics"]) assert.equal((await fetch(server.url + where)).status, 401, where);
});

test("with the token one is in; the cookie cannot be read, and a call without the portal's header changes nothing", async () => {
  await logIn(admin, { token: server.token });
  await admin.getByRole("heading", { name: "Queue" }).waitFor();
  await admin.getByText("Nothing runs and nobody waits.").waitFor();
  assert.equal(await admin.evaluate(() => document.cookie), "");
  const [cookie] = await admin.context().cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
  const forged = await admin.evaluate(async () => (await fetch("/v1/jobs", { method: "POST", body: '{"jobs":[{"command":"true"}]}' })).status);
  assert.equal(forged, 403);
});

test("a job is submitted by the form, after the page has said when it would start (O82, O84, O85)", async () => {
  await path(admin, "submit");
  await admin.getByLabel("Command").fill("for i in 1 2 3 4 5 6; do echo \"step $i of the run\"; sleep 0.2; done; sleep 300");
  await admin.getByLabel("Name", { exact: true }).fill("first");
  await admin.getByText("It would start at once.").waitFor();
  await admin.getByRole("button", { name: "Submit" }).click();
  await admin.waitForURL("**/portal/jobs/first_*");
  await admin.locator(".state.running").first().waitFor();
});

test("its log is read live, searched and downloaded, and a terminal opens beside it (O85, O87)", async () => {
  await admin.getByRole("link", { name: "Log", exact: true }).click();
  await admin.getByText("step 6 of the run").waitFor();
  await admin.getByLabel("Search the log").fill("STEP 3");
  await admin.keyboard.press("Enter");
  await admin.locator(".line.hit").getByText("step 3").waitFor();
  const [download] = await Promise.all([admin.waitForEvent("download"), admin.getByRole("link", { name: "Download" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /step 1 of the run\nstep 2/);
  await admin.getByRole("link", { name: "Terminal" }).click();
  await admin.locator(".xterm-helper-textarea").waitFor({ state: "attached" });
  await until(async () => /[$#]/.test(await screenText()));
  await admin.keyboard.type("echo $((6*7))th $FAIRLEAD_ROLE\n");
  await until(async () => /42th/.test(await screenText()));
});
const screenText = () => admin.locator(".xterm-rows").innerText();

test("it is stopped, and cloned into the form with all that it had (O84, O86)", async () => {
  await admin.getByRole("button", { name: "Stop" }).click();
  await admin.locator(".state.cancelled").first().waitFor();
  await admin.getByRole("link", { name: "Clone" }).click();
  await admin.getByRole("heading", { name: /Clone of first/ }).waitFor();
  assert.match(await admin.getByLabel("Command").inputValue(), /step \$i of the run/);
  assert.equal(await admin.getByLabel("Name", { exact: true }).inputValue(), "first");
});

test("a clone keeps what the form has no field for", async () => {
  const id = await submit({ name: "whole-spec", command: "true", gpus: 0, cpus: 1, memory: "100M", priority: -2, retries: 1 });
  await path(admin, `submit?clone=${id}`);
  await admin.getByRole("heading", { name: /Clone of whole-spec/ }).waitFor();
  await admin.getByRole("button", { name: "Submit", exact: true }).click();
  await until(async () => /jobs\/whole-spec/.test(admin.url()) && !admin.url().includes(id));
  const spec = await api("GET", `/v1/jobs/${decodeURIComponent(admin.url().split("/jobs/")[1].split(/[/?]/)[0])}/spec`);
  assert.deepEqual([spec.cpus, spec.memory, spec.priority, spec.retries], [1, "100M", -2, 1]);
});

test("a job of OpenPAI is submitted from its file, with mistakes at their lines as one types (O82)", async () => {
  await path(admin, "submit");
  await admin.getByRole("button", { name: "A job file" }).click();
  await admin.getByLabel("Job file", { exact: true }).fill("name: x\ncommand: true\ngpuss: 2\n");
  await admin.getByRole("button", { name: "line 3" }).waitFor();
  await admin.locator(".problems").getByText("gpuss").waitFor();
  assert.ok(await admin.getByRole("button", { name: "Submit", exact: true }).isDisabled());
  const pai = { jobName: "fromPai", image: "none", taskRoles: [{ name: "main", taskNumber: 1, cpuNumber: 1, memoryMB: 100, gpuNumber: 1, command: "echo hello of pai" }] };
  await admin.locator("input[type=file]").setInputFiles({ name: "job.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(pai, null, 2)) });
  await admin.getByText("OpenPAI", { exact: true }).waitFor();
  await until(async () => !(await admin.getByRole("button", { name: "Submit", exact: true }).isDisabled()) || (await admin.locator(".problems li").count()) > 0);
  assert.deepEqual(await admin.locator(".problems li").allInnerTexts(), []);
});

test("the queue shows ranks, totals and obstacles, moves without a reload, and one's own priorities change by keys (R42 to R46, R49, R50)", async () => {
  await stopAll();
  await api("PUT", "/v1/people/dora", {});
  token_dora = (await api("POST", "/v1/people/dora/token", {})).token;
  await api("PUT", "/v1/people/dora/password", { password: "correct horse" });
  await submit({ name: "whole", command: "sleep 300", gpus: 4, time: "10m" });
  const low = await submit({ name: "early", command: "sleep 300", gpus: 1 });
  const high = await submit({ name: "late", command: "sleep 300", gpus: 1 });
  await path(admin, "queue");
  await admin.getByText("4 of 4 GPUs in use").waitFor();
  await admin.getByText("5th GPU").waitFor();
  const order = async () => (await admin.locator(".work .row[data-job]").evaluateAll((rows) => rows.map((row) => row.dataset.job)));
  await until(async () => (await order()).length === 3);
  assert.deepEqual((await order()).slice(1), [low, high]);
  await admin.locator(`[data-job="${high}"]`).click({ position: { x: 700, y: 10 } });
  await admin.locator(".work .scroll").focus();
  await admin.keyboard.press("+");
  await until(async () => (await order())[1] === high);
  await admin.locator(`[data-job="${low}"]`).dragTo(admin.locator(`[data-job="${high}"]`));
  await until(async () => (await order())[1] === low);
  await admin.locator(".obstacle").first().waitFor();
  await admin.getByText(/^in \d+ min/).first().waitFor();
  await path(admin, "wall");
  await admin.getByText("4 of 4 GPUs in use").waitFor();
  assert.equal(await admin.getByText("Sign out").count(), 0);
});

test("before submitting, the page says whom a job would delay", async () => {
  await path(admin, "submit");
  await admin.getByLabel("Command").fill("sleep 100");
  await admin.getByLabel("GPUs", { exact: true }).fill("4");
  await admin.getByText("It would wait for").waitFor();
});

test("the list of jobs has its columns and is filtered by state and words (O83)", async () => {
  await path(admin, "jobs");
  await admin.locator("th", { hasText: "Priority" }).waitFor();
  await admin.getByRole("link", { name: /^whole/ }).first().waitFor();
  await admin.getByLabel("Name or command").fill("no such word");
  await admin.getByText("No job is like that.").waitFor();
});

test("the cluster's page shows who holds each GPU, and the GPUs over time", async () => {
  await path(admin, "cluster");
  await admin.locator(".gpu a").first().waitFor();
  assert.equal(await admin.locator(".gpu").count(), 4);
  await admin.locator(".gantt rect.run").first().waitFor();
});

test("what a job's name, command, log and metrics say is never markup", async () => {
  await stopAll();
  const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const script = `printf '%s\\n' "$EVIL" "$(printf '\\033[31m')$EVIL"; python3 -c '
import sys; sys.path.insert(0, "${join(root, "python")}")
from fairlead import Training
t = Training()
for i in range(30): t.log(step=i, **{"loss": 1.0 / (i + 1), sys.argv[1]: i})
t.end()' "$EVIL"; sleep 300`;
  const id = await submit({ name: "evil", command: script, gpus: 1, env: { EVIL: evil } });
  await path(admin, `jobs/${id}/log`);
  await admin.getByText(evil).first().waitFor();
  await path(admin, `jobs/${id}/metrics`);
  await admin.getByRole("heading", { name: "loss" }).waitFor();
  await admin.getByRole("heading", { name: evil }).waitFor();
  await path(admin, `jobs/${id}/spec`);
  await admin.getByText("onerror").first().waitFor();
  await path(admin, "jobs");
  await admin.getByRole("link", { name: /evil/ }).first().waitFor();
  assert.equal(await admin.locator("img[src=x]").count(), 0);
  assert.deepEqual(alarms, []);
});

test("jobs are compared by their metrics and parameters, sorted by any", async () => {
  const ids = [];
  for (const lr of ["0.1", "0.01", "0.001"]) {
    ids.push(await submit({ name: "tune", command: `python3 -c '
import sys; sys.path.insert(0, "${join(root, "python")}")
from fairlead import Training
t = Training()
lr = float(sys.argv[2])
for i in range(40): t.log(step=i, loss=lr * 5 + 2 / (i + 2), accuracy=1 - 1 / (i + 2) - lr)
t.end()' --lr ${lr}; sleep 300`, gpus: 1 }));
  }
  await until(async () => (await Promise.all(ids.map((id) => api("GET", `/v1/jobs/${id}/metrics`)))).every((it) => it.series.some((series) => series.name === "loss" && series.values.length === 40)));
  await path(admin, "compare?name=tune");
  await admin.getByRole("heading", { name: "accuracy" }).waitFor();
  await admin.getByRole("button", { name: /^loss/ }).click();
  await until(async () => /0\.001/.test(await admin.locator("tbody tr").first().innerText()));
  await admin.getByRole("button", { name: /^loss/ }).click();
  await until(async () => /0\.1\b/.test(await admin.locator("tbody tr").first().innerText()));
  assert.match(await (await fetch(server.url + "/metrics", { headers: { Authorization: `Bearer ${server.token}` } })).text(), /fairlead_job_metric\{job="tune_/);
});

test("a page that a task serves is reached through the server, and is of no site", async () => {
  const port = 20000 + Math.floor(Math.random() * 20000);
  const id = await submit({ name: "page", command: `mkdir -p w && cd w && echo '<h1 id=t>of the task</h1><script>fetch("/v1/me").then(r => r.json()).then(j => t.textContent = "leaked " + j.name, () => t.textContent = "kept apart")</script>' > index.html && exec python3 -m http.server ${port}`, gpus: 0 });
  await until(async () => (await api("GET", `/v1/jobs/${id}`)).job.state === "running");
  await path(admin, `jobs/${id}`);
  await admin.getByLabel("Port of a page").fill(String(port));
  const [popup] = await Promise.all([admin.waitForEvent("popup"), admin.getByRole("button", { name: "Open port" }).click()]);
  for (let tries = 0; tries < 20 && !(await popup.getByText("kept apart").count()); tries++) {
    await popup.waitForTimeout(250);
    if (!(await popup.locator("h1").count())) await popup.reload().catch(() => undefined);
  }
  assert.equal(await popup.locator("h1").innerText(), "kept apart");
  await popup.close();
});

test("the report of an admin has hours and waits by person and project, also as CSV", async () => {
  await path(admin, "admin/report?days=1");
  await admin.getByRole("heading", { name: "By project" }).waitFor();
  const [download] = await Promise.all([admin.waitForEvent("download"), admin.getByRole("button", { name: "CSV" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /^kind,name,jobs,failed,gpu_hours/);
  await path(admin, "admin/projects");
  await admin.getByRole("button", { name: "New project" }).click();
  await admin.getByLabel("Name").fill("vision");
  await admin.getByLabel("Quota in GPUs").fill("2");
  await admin.getByRole("button", { name: "Make it" }).click();
  await admin.getByRole("cell", { name: "vision" }).waitFor();
  await path(admin, "admin/people");
  await admin.getByLabel("New person").fill("eve");
  await admin.getByRole("button", { name: "Make known" }).click();
  await admin.getByText("The token of eve").waitFor();
});

test("two people do not see each other's secrets, and each changes only what is theirs", async () => {
  const dora = await open();
  await logIn(dora, { name: "dora", password: "correct horse" });
  await dora.getByRole("heading", { name: "Queue" }).waitFor();
  const { jobs } = await api("GET", "/v1/jobs?state=active");
  const theirs = jobs.find((job) => job.id.startsWith("evil")).id;
  await path(dora, `jobs/${theirs}`);
  await dora.getByText("Owner", { exact: true }).waitFor();
  assert.equal(await dora.getByText(/EVIL/).count(), 0);
  for (const name of ["Stop", "Clone"]) assert.equal(await dora.getByRole("button", { name }).count(), 0, name);
  assert.equal(await dora.getByRole("link", { name: "Log", exact: true }).count(), 0);
  const seen = await dora.evaluate(async (id) => Promise.all(["logs", "spec", "metrics"].map(async (part) => (await fetch(`/v1/jobs/${id}/${part}`)).status)), theirs);
  assert.deepEqual(seen, [403, 403, 403]);
  await path(dora, "admin/projects");
  await dora.getByRole("cell", { name: "vision" }).waitFor();
  assert.equal(await dora.getByRole("button", { name: "New project" }).count(), 0);
  await dora.getByRole("button", { name: "Sign out" }).click();
  await dora.getByText("You are signed out.").waitFor();
  await dora.context().close();
});

test("a session that has ended asks for the login again, where one was", async () => {
  const dora = await open();
  await logIn(dora, { token: token_dora });
  await dora.getByRole("heading", { name: "Queue" }).waitFor();
  await path(dora, "jobs");
  await dora.getByRole("heading", { name: "Jobs" }).waitFor();
  await api("POST", "/v1/people/dora/token", {});
  await dora.getByLabel("State").selectOption("queued");
  await dora.getByText("Your session has ended.").waitFor();
  await logIn(dora, { name: "dora", password: "correct horse" });
  await dora.getByRole("heading", { name: "Queue" }).waitFor();
  await dora.context().close();
});

test("no page has a serious fault of access, in light and in dark, wide and on a phone", async () => {
  const { jobs } = await api("GET", "/v1/jobs?state=active");
  const id = jobs.find((job) => job.id.startsWith("tune")).id;
  const pages = ["queue", "jobs", `jobs/${id}`, `jobs/${id}/log`, `jobs/${id}/metrics`, `jobs/${id}/terminal`, `jobs/${id}/spec`, "submit", "cluster", "compare?name=tune", "admin/projects", "admin/people", "admin/report", "admin/server", "wall"];
  const faults = [];
  for (const where of pages) {
    await path(admin, where);
    await admin.locator("h1").first().waitFor();
    await admin.waitForLoadState("networkidle", { timeout: 1000 }).catch(() => undefined);
    await admin.evaluate(axe);
    for (const colorScheme of ["light", "dark"]) {
      await admin.emulateMedia({ colorScheme });
      const found = await admin.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      for (const each of found.violations) if (["serious", "critical"].includes(each.impact)) faults.push(`${colorScheme} ${where}: ${each.id}: ${each.nodes[0].html.slice(0, 160)}`);
    }
    await admin.emulateMedia({ colorScheme: "light" });
    await admin.setViewportSize({ width: 390, height: 780 });
    const wide = await admin.evaluate(() => document.documentElement.scrollWidth);
    if (wide > 392) faults.push(`phone ${where}: ${wide} pixels wide`);
    await admin.setViewportSize({ width: 1360, height: 820 });
  }
  assert.deepEqual(faults, []);
});

test("nothing in all of this ran a stranger's script, nor one that the policy forbids", () => assert.deepEqual(alarms, []));

async function pictures() {
  await stopAll();
  await api("PUT", "/v1/people/ann", {}).catch(() => undefined);
  const as = async (owner, spec) => (await api("POST", "/v1/jobs", { as: owner, jobs: [{ time: "2h", ...spec }] })).ids[0];
  const folder = join(home, "resnet");
  mkdirSync(folder);
  writeFileSync(join(folder, "train.py"), `import math
from fairlead import Training
training = Training()
for epoch in training.epochs_left():
    if epoch == 29:
        import time; time.sleep(600)
    for i in range(epoch * 10, epoch * 10 + 10):
        loss = 2.3 * math.exp(-i / 90) + 0.25 + 0.05 * math.sin(i * 1.7)
        training.log(step=i * 10, loss=loss, accuracy=1 - loss / 2.6)
        print("\\033[36mepoch %3d\\033[0m  loss \\033[33m%.4f\\033[0m  accuracy %.4f" % (epoch, loss, 1 - loss / 2.6), flush=True)
`);
  const train = await as("root", { name: "resnet50", command: "python3 train.py --lr 0.1", gpus: 1, workdir: folder, training: { epochs: 30, gpusMax: 1 }, env: { PYTHONPATH: join(root, "python") } });
  await as("ann", { name: "bert-base", command: "sleep 900", gpus: 2, user: "nobody" });
  await as("carol", { name: "segment", command: "sleep 900", gpus: 1, user: "nobody" });
  for (const [who, name, gpus] of [["dora", "diffusion", 1], ["ann", "bert-large", 2], ["carol", "detect", 1], ["root", "resnet101", 1], ["dora", "ablation-a", 1], ["dora", "ablation-b", 1], ["ann", "bert-eval", 1], ["carol", "track", 2], ["root", "resnet152", 2]])
    await as(who, { name, command: "sleep 900", gpus, ...(who === "root" ? {} : { user: "nobody" }) });
  await admin.setViewportSize({ width: 1360, height: 700 });
  await path(admin, "queue");
  await admin.waitForTimeout(7000);
  await shot(admin, "queue");
  await path(admin, `jobs/${train}/metrics`);
  await admin.waitForTimeout(2500);
  await shot(admin, "metrics");
  await path(admin, `jobs/${train}/log`);
  await admin.waitForTimeout(1500);
  await shot(admin, "log");
  await path(admin, `jobs/${train}`);
  await admin.waitForTimeout(1500);
  await shot(admin, "job");
  await path(admin, "cluster");
  await admin.getByRole("button", { name: "1 h" }).click();
  await admin.waitForTimeout(1500);
  await shot(admin, "cluster");
  await path(admin, "submit");
  await admin.getByLabel("Command").fill("python3 train.py --lr 0.1");
  await admin.getByLabel("GPUs", { exact: true }).fill("2");
  await admin.waitForTimeout(2500);
  await shot(admin, "submit");
  await admin.emulateMedia({ colorScheme: "dark" });
  await path(admin, "wall");
  await admin.waitForTimeout(1500);
  await shot(admin, "wall");
  await admin.emulateMedia({ colorScheme: "light" });
  await admin.setViewportSize({ width: 390, height: 780 });
  await path(admin, "queue");
  await admin.waitForTimeout(1500);
  await shot(admin, "phone");
}

const results = [];
try {
  for (const { name, body } of tests) {
    const begun = Date.now();
    try {
      await body();
      results.push({ name, seconds: (Date.now() - begun) / 1000 });
      console.log(`passed  ${name} (${Date.now() - begun} ms)`);
    } catch (failure) {
      results.push({ name, seconds: (Date.now() - begun) / 1000, failure: failure.stack });
      console.log(`FAILED  ${name}: ${failure.message}`);
      await admin?.screenshot({ path: join(root, ".build", `portal-failure-${results.length}.png`) }).catch(() => undefined);
    }
  }
  if (shots) await pictures();
} finally {
  await browser.close();
  await stopAll().catch(() => undefined);
  fairlead("server", "stop");
  rmSync(home, { recursive: true, force: true });
}
const escape = (text) => text.replace(/[<>&"\x00-\x08\x0b-\x1f]/g, (letter) => (letter < " " ? "" : `&#${letter.charCodeAt(0)};`));
const failed = results.filter((each) => each.failure).length;
const report = option("--report");
if (report) {
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, `<testsuite name="portal" tests="${results.length}" failures="${failed}" errors="0" skipped="0">\n${results.map((each) => `<testcase classname="portal" name="${escape(each.name)}" time="${each.seconds}">${each.failure ? `<failure>${escape(each.failure)}</failure>` : ""}</testcase>`).join("\n")}\n</testsuite>\n`);
}
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
