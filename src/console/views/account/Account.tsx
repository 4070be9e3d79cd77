import { turma } from "../../../browser/client/Api.ts"
import { dateTime } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { meKey } from "../../../browser/client/Person.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { PasswordFields } from "../../../browser/parts/PasswordFields.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { me } from "../../club/Session.ts"

const words = spoken(
  {
    change: "Change the password",
    changed: "The password is changed, and your other sessions have ended",
    current: "This one",
    end: "End",
    ended: "The session has ended",
    endOthers: "End all others",
    endedOthers: "All other sessions have ended",
    lastSeen: "Last used",
    name: "Name",
    profile: "Profile",
    save: "Save",
    saved: "Saved",
    sessions: "Sessions",
    sessionsText: "Where you are signed in. Ending a session takes effect at once.",
    since: (moment: string) => `Since ${moment}`,
    title: "Your account"
  },
  {
    change: "Mudar a senha",
    changed: "Senha alterada; suas outras sessões foram encerradas",
    current: "Esta",
    end: "Encerrar",
    ended: "A sessão foi encerrada",
    endOthers: "Encerrar todas as outras",
    endedOthers: "Todas as outras sessões foram encerradas",
    lastSeen: "Último uso",
    name: "Nome",
    profile: "Perfil",
    save: "Salvar",
    saved: "Salvo",
    sessions: "Sessões",
    sessionsText: "Onde sua conta está aberta. Encerrar uma sessão vale na hora.",
    since: (moment: string) => `Desde ${moment}`,
    title: "Sua conta"
  }
)

const sessionsKey = () => `people/${me.peek()?.id}/sessions`

const Profile = () => {
  const form = useForm({
    of: me.value,
    values: { name: me.value?.name ?? "" },
    send: async (value) => {
      await turma.account.updateMe({ body: form.changes({ name: value("name") }) })
      changed(meKey)
    },
    done: said(words).saved
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <h2>{said(words).profile}</h2>
      <p class="soft" dir="auto">{me.value?.email}</p>
      <TextField form={form} name="name" label={said(words).name} required maxLength={200} autocomplete="name" />
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
      </div>
    </form>
  )
}

const Password = () => {
  const form = useForm({
    values: { current_password: "", password: "" },
    send: async (value) => {
      await turma.passwords.changeAdminPassword({
        body: { current_password: value("current_password"), password: value("password") }
      })
      form.reset()
      changed(sessionsKey())
    },
    done: said(words).changed
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <h2>{said(words).change}</h2>
      <PasswordFields form={form} />
      <div class="actions">
        <button type="submit" aria-busy={form.isRunning}>{said(words).change}</button>
      </div>
    </form>
  )
}

const Sessions = () => {
  const sessions = useRead(sessionsKey(), (signal) => turma.sessions.list({}, { signal }))
  const end = (id: string) =>
    attempt(async () => {
      await turma.sessions.endOne({ id })
      changed(sessionsKey())
    }, said(words).ended)
  const endOthers = () =>
    attempt(async () => {
      await turma.sessions.endOthers()
      changed(sessionsKey())
    }, said(words).endedOthers)
  return (
    <section class="card stack" aria-labelledby="sessions">
      <div class="row">
        <h2 id="sessions">{said(words).sessions}</h2>
        <button type="button" class="quiet" onClick={() => void endOthers()}>{said(words).endOthers}</button>
      </div>
      <p class="soft">{said(words).sessionsText}</p>
      <Shown read={sessions}>
        {({ data }) => (
          <ul class="plain-list stack">
            {data.map(({ created_at, current, id, last_seen_at }) => (
              <li key={id} class="row">
                <span>{said(words).since(dateTime(created_at))}</span>
                <span class="soft">
                  {said(words).lastSeen} <Moment at={last_seen_at} />
                </span>
                {current
                  ? <Badge tone="good">{said(words).current}</Badge>
                  : <button type="button" class="quiet" onClick={() => void end(id)}>{said(words).end}</button>}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}

/** The person's account, and their sessions. */
export default function Account() {
  return (
    <>
      <PageHead title={said(words).title} />
      <Profile />
      <Password />
      <Sessions />
    </>
  )
}
