import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session } from "../client/Api.ts"
import { said, spoken } from "../client/Language.ts"
import { personId } from "../client/Person.ts"
import { failureOf } from "../client/Reads.ts"
import { endedCode, ownCode, type Refusal } from "../client/Refusals.ts"
import { Icon } from "./Icon.tsx"
import { RefusalText } from "./RefusalText.tsx"

const words = spoken(
  { close: "Close", region: "Messages", request: (id: string) => `Request ${id}` },
  { close: "Fechar", region: "Mensagens", request: (id: string) => `Requisição ${id}` }
)

interface Toast {
  readonly id: number
  readonly tone: "good" | "bad"
  readonly text: Refusal
  readonly note: string | undefined
}

const toasts = signal<ReadonlyArray<Toast>>([])
let last = 0

/** In milliseconds. A failure stays until the reader closes it. */
const stay = 5000

const close = (id: number) => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

const show = (tone: Toast["tone"], text: Refusal, note?: string) => {
  const id = ++last
  toasts.value = [...toasts.peek().slice(-3), { id, tone, text, note }]
  if (tone === "good") setTimeout(() => close(id), stay)
}

let person: string | undefined

// A message to one person is not for the next.
personId.subscribe((now) => {
  if (now !== person) toasts.value = []
  person = now
})

/** Shows that an action succeeded. */
export const tellDone = (text: string): void => show("good", { code: ownCode, message: text })

/** Says what went wrong, with the id to name when asking for help. A dialog says that the session has ended. */
export const tellFailure = (thrown: unknown): void => {
  const { code, message, requestId } = failureOf(thrown)
  if (code === endedCode && session.peek() === "closed") return
  show("bad", { code, message }, requestId === undefined ? undefined : said(words).request(requestId))
}

/** Runs an action and shows its success or failure. Answers whether it succeeded. */
export const attempt = async (work: () => Promise<unknown>, done?: string): Promise<boolean> => {
  try {
    await work()
    if (done !== undefined) tellDone(done)
    return true
  } catch (thrown) {
    tellFailure(thrown)
    return false
  }
}

/** The places for messages: the page, and each open dialog. Messages appear in the last one. */
const places = signal<ReadonlyArray<symbol>>([])

/**
 * A place for messages, once on the page and once in each dialog. An open dialog hides and silences everything outside.
 */
export const Toasts = () => {
  const own = useRef(Symbol("toasts")).current
  useEffect(() => {
    places.value = [...places.peek(), own]
    return () => {
      places.value = places.peek().filter((place) => place !== own)
    }
  }, [])
  const saidHere = places.value.at(-1) === own ? toasts.value : []
  return (
    <div class="toasts" role="region" aria-label={said(words).region} aria-live="polite">
      {saidHere.map(({ id, note, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <p>
            <RefusalText of={text} />
            {note !== undefined && <small>{note}</small>}
          </p>
          <button type="button" class="quiet square" aria-label={said(words).close} onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
