import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { dateTime } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { clubId } from "../../club/View.ts"
import { words } from "./words.ts"

/** The key of the student's sessions, for `changed`. */
export const sessionsKey = `${clubId}/sessions`

/** Where the student is signed in, and ways to end that. */
export const Sessions = () => {
  const isAsking = useSignal(false)
  const sessions = useRead(sessionsKey, (signal) => turma.sessions.list({}, { signal }))
  const end = async (id: string) => {
    await turma.sessions.endOne({ id })
    changed(sessionsKey)
  }
  return (
    <section class="card stack" aria-labelledby="sessions">
      <h2 id="sessions">{said(words).sessions}</h2>
      <p class="soft">{said(words).sessionsText}</p>
      <Shown read={sessions}>
        {({ data }) => (
          <>
            <ul class="plain-list sessions">
              {data.map(({ created_at, current, id, last_seen_at }) => (
                <li key={id}>
                  <span class="grow">
                    <span>{said(words).since(dateTime(created_at))}</span>
                    <span class="soft small">
                      {said(words).lastSeen} <Moment at={last_seen_at} />
                    </span>
                  </span>
                  {current ? <Badge tone="good">{said(words).current}</Badge> : (
                    <ActionButton
                      isQuiet
                      label={said(words).endOf(dateTime(created_at))}
                      done={said(words).ended}
                      work={() => end(id)}
                    >
                      {said(words).end}
                    </ActionButton>
                  )}
                </li>
              ))}
            </ul>
            {data.length > 1 && (
              <div class="actions">
                <button type="button" class="quiet" onClick={() => (isAsking.value = true)}>
                  {said(words).endOthers}
                </button>
              </div>
            )}
          </>
        )}
      </Shown>
      {isAsking.value && (
        <Confirm
          title={said(words).endOthers}
          action={said(words).endOthers}
          done={said(words).endedOthers}
          work={async () => {
            await turma.sessions.endOthers()
            changed(sessionsKey)
          }}
          onClose={() => (isAsking.value = false)}
        >
          <p>{said(words).endOthersText}</p>
        </Confirm>
      )}
    </section>
  )
}
