import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { failureOf } from "../client/Reads.ts"
import { ownCode, type Refusal } from "../client/Refusals.ts"
import { me } from "../client/Session.ts"
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

/** In milliseconds. What went wrong stays until it is closed. */
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

// What was said to one is not for the next.
me.subscribe((now) => {
  if (now?.id !== person) toasts.value = []
  person = now?.id
})

/** Says that something was done. */
export const tellDone = (text: string): void => show("good", { code: ownCode, message: text })

/** Says what went wrong, with the id to name when asking for help. */
export const tellFailure = (thrown: unknown): void => {
  const { code, message, requestId } = failureOf(thrown)
  show("bad", { code, message }, requestId === undefined ? undefined : said(words).request(requestId))
}

/** Does something, and says so when it is done or when it failed. Answers whether it was done. */
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

/** Where messages can be said: on the page, and in each dialog that is open over it. The last one says them. */
const places = signal<ReadonlyArray<symbol>>([])

/**
 * Where all of that is said: once on the page, and once in each dialog, since what is outside of a dialog neither shows nor
 * speaks while it is open.
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
