import { turma } from "../../../../browser/client/Api.ts"
import { said } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import { clubId, ofClub } from "../../../club/View.ts"
import type { Conversation } from "./useAsk.ts"
import { words } from "./words.ts"

/** So many of the last conversations are listed. */
const most = 30

/** The student's earlier conversations about the lesson. */
export const Earlier = ({ current, lesson, open }: {
  readonly lesson: string
  readonly current: Conversation | undefined
  readonly open: (conversation: Conversation) => void
}) => {
  const read = useRead(
    `${clubId}/lessons/${lesson}/ask/conversations`,
    async (signal) => (await turma.ask.conversations({ ...ofClub, publicId: lesson, limit: most }, { signal })).data
  )
  return (
    <Shown read={read}>
      {(all) =>
        all.length === 0 ? <p class="soft">{said(words).nothingEarlier}</p> : (
          <ul class="plain-list earlier">
            {all.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  class="quiet"
                  aria-current={one.id === current?.id ? "true" : undefined}
                  onClick={() => open(one)}
                >
                  <span dir="auto">{one.title}</span>
                  <span class="soft small">
                    <Moment at={one.last_message_at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
    </Shown>
  )
}
