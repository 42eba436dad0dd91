import { useState } from "preact/hooks";
import { post, session, type Session } from "../lib/api";
import { useAction } from "../lib/hooks";
import { Button, Field, Trouble } from "../ui/parts";

/** All ways to log in end in POST /v1/session, which answers with the session and its cookie. */
export function Login() {
  const [byToken, setByToken] = useState(false);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "");
    void action.run(async () => {
      const body = byToken ? { token: text("token") } : { name: text("name"), password: text("password") };
      session.set(await post<Session>("/v1/session", body));
    });
  };
  return (
    <main class="login">
      <form onSubmit={submit}>
        <h1><img src={new URL("../icon.svg", import.meta.url).href} alt="" width="32" height="32" /> Fairlead</h1>
        {session.notice && <p class="notice" role="status">{session.notice}</p>}
        <div class="choice" role="group" aria-label="Log in with">
          <button type="button" aria-pressed={!byToken} onClick={() => setByToken(false)}>Password</button>
          <button type="button" aria-pressed={byToken} onClick={() => setByToken(true)}>Token</button>
        </div>
        {byToken ? (
          <Field label="Token" hint="From server.json in the home of a personal server, or from your admin.">
            <input name="token" type="password" autocomplete="off" required key="token" autofocus />
          </Field>
        ) : (
          <>
            <Field label="Name"><input name="name" autocomplete="username" required key="name" autofocus /></Field>
            <Field label="Password"><input name="password" type="password" autocomplete="current-password" required key="password" /></Field>
          </>
        )}
        <Trouble text={action.error} />
        <Button kind="primary" type="submit" disabled={action.busy}>Log in</Button>
      </form>
    </main>
  );
}
