import { turma } from "../../../../browser/client/Api.ts"
import { sleep } from "../../../../browser/client/Sleep.ts"
import { isWithdrawn } from "../../../../browser/client/Withdrawn.ts"
import { ofClub } from "../../../club/View.ts"
import { type Message, type Messages, placeIn, withCitation, withFailure, withMessage, withWords } from "./talk.ts"

interface Followed {
  readonly id: string
  /** The answer as the page shows it. Undefined once it is shown no longer. */
  readonly known: () => Message | undefined
  readonly change: (next: (messages: Messages) => Messages) => void
  readonly signal: AbortSignal
}

/** In milliseconds: the pause before an answer is read without its stream. */
const pause = 2000

const hear = async ({ change, id, known, signal }: Followed) => {
  const now = known()
  const lastEventId = now === undefined ? undefined : placeIn(now)
  const stream = turma.ask.stream(
    { ...ofClub, messageId: id },
    { signal, ...(lastEventId === undefined ? {} : { lastEventId }) }
  )
  for await (const event of stream) {
    if (signal.aborted) return
    switch (event.event) {
      case "message.delta": {
        const { text } = event.data
        change((messages) => withWords(messages, id, text))
        break
      }
      case "message.citation": {
        const { citation } = event.data
        change((messages) => withCitation(messages, id, citation))
        break
      }
      case "message.failed": {
        const { error_code } = event.data
        change((messages) => withFailure(messages, id, error_code))
        break
      }
      case "message.completed":
      case "message.canceled": {
        const { message } = event.data
        change((messages) => withMessage(messages, message))
      }
    }
  }
}

/** Shows the words of an answer as they come. Without the stream it reads the answer now and then. */
export const follow = async (followed: Followed): Promise<void> => {
  const { change, id, known, signal } = followed
  let failure: unknown
  try {
    await hear(followed)
  } catch (thrown) {
    failure = thrown
  }
  const isOver = () => signal.aborted || known()?.status !== "generating"
  if (isOver() || isWithdrawn(failure)) return
  await sleep(pause, signal)
  if (isOver()) return
  try {
    const { data } = await turma.ask.message({ ...ofClub, messageId: id }, { signal })
    if (!isOver()) change((messages) => withMessage(messages, data))
  } catch {
    // The next try may succeed.
  }
  if (!isOver()) await follow(followed)
}
