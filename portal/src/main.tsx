import "./style.css";
import { render, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, get, session, type Session } from "./lib/api";
import { useSession } from "./lib/hooks";
import { go, usePlace } from "./lib/router";
import { Login } from "./pages/login";
import { QueuePage, Wall } from "./pages/queue";
import { Empty, Loading } from "./ui/parts";

/** A page that is loaded when it is first shown. */
function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let page: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (!page) load().then((loaded) => { page = loaded; redraw(1); }, () => setFailed(true));
    }, []);
    if (failed) return <Empty title="This part of the portal could not be loaded."><p>The server may have a new version: <a href="" onClick={() => location.reload()}>load the page again</a>.</p></Empty>;
    if (!page) return <Loading />;
    const Page = page;
    return <Page {...props} />;
  };
}

const JobsPage = later(() => import("./pages/jobs").then((it) => it.JobsPage));
const JobPage = later(() => import("./pages/job").then((it) => it.JobPage));
const SubmitPage = later(() => import("./pages/submit").then((it) => it.SubmitPage));
const ClusterPage = later(() => import("./pages/cluster").then((it) => it.ClusterPage));
const ComparePage = later(() => import("./pages/compare").then((it) => it.ComparePage));
const AdminPage = later(() => import("./pages/admin").then((it) => it.AdminPage));

const PAGES: [string, string][] = [["queue", "Queue"], ["jobs", "Jobs"], ["submit", "Submit"], ["cluster", "Cluster"], ["compare", "Compare"], ["admin", "Team"]];

/** An open page renews its session; one that is closed lets it end. */
const RENEW_MS = 30 * 60_000;

function Shell({ person }: { person: Session }) {
  const { parts, query } = usePlace();
  const page = parts[0] ?? "queue";
  useEffect(() => {
    const title = PAGES.find(([path]) => path === page)?.[1];
    document.title = parts[1] ? `${parts[1]} · Fairlead` : title ? `${title} · Fairlead` : "Fairlead";
  }, [page, parts[1]]);
  useEffect(() => {
    const timer = setInterval(() => void call("PUT", "/v1/session").catch(() => undefined), RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  if (page === "wall") return <Wall cluster={query.get("cluster") ?? ""} />;
  const signOut = async () => {
    await call("DELETE", "/v1/session").catch(() => undefined);
    session.set(null, "You are signed out.");
    go("", { replace: true });
  };
  return (
    <>
      <a class="skip" href="#content">Skip to the content</a>
      <header class="bar-top">
        <a href="/portal/queue" class="brand"><img src={new URL("./icon.svg", import.meta.url).href} alt="" width="22" height="22" /> Fairlead</a>
        <nav aria-label="Pages">
          {PAGES.map(([path, title]) => <a key={path} href={`/portal/${path}`} aria-current={path === page ? "page" : undefined}>{title}</a>)}
        </nav>
        <div class="who"><span title={person.admin ? "an admin" : undefined}>{person.name}{person.admin && <em> admin</em>}</span><button type="button" class="link" onClick={signOut}>Sign out</button></div>
      </header>
      <main id="content" class={`page ${page}`} tabIndex={-1}>
        {page === "queue" ? <QueuePage key={query.get("cluster")} cluster={query.get("cluster") ?? ""} />
          : page === "jobs" && parts[1] ? <JobPage key={parts[1]} id={parts[1]} tab={parts[2] ?? ""} />
          : page === "jobs" ? <JobsPage query={query} />
          : page === "submit" ? <SubmitPage key={query.get("clone")} clone={query.get("clone") ?? ""} />
          : page === "cluster" ? <ClusterPage key={parts[1]} name={parts[1] ?? ""} />
          : page === "compare" ? <ComparePage query={query} />
          : page === "admin" ? <AdminPage part={parts[1] ?? "projects"} query={query} />
          : <Empty title="There is no such page."><p>Perhaps the <a href="/portal/queue">queue</a> is what you want.</p></Empty>}
      </main>
    </>
  );
}

function App() {
  const person = useSession();
  useEffect(() => {
    get<Session>("/v1/me").then((me) => session.set(me), () => session.set(null));
  }, []);
  if (person === undefined) return <Loading />;
  return person ? <Shell person={person} /> : <Login />;
}

render(<App />, document.getElementById("app")!);
