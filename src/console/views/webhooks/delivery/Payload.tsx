import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { bytes } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Code, CopyButton } from "../../../../browser/parts/Code.tsx"
import { windowOf } from "../../../../browser/parts/Window.ts"
import { linesOf } from "../model/Lines.ts"

const words = spoken(
  { payload: "Payload", size: (size: string) => `Payload, ${size}` },
  { payload: "Conteúdo", size: (size: string) => `Conteúdo, ${size}` }
)

/** In characters: up to here, all of it is on the page. */
const shownWhole = 20_000

/** Of a line, in pixels: as the sheet has it. */
const lineHeight = 20

const encoder = new TextEncoder()

/** A long text: the lines that are looked at, and room for the others. */
const Lines = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const lines = useMemo(() => linesOf(text), [text])
  const shown = useSignal({ from: 0, to: 60 })
  const look = ({ clientHeight, scrollTop }: HTMLElement) => {
    const placeOf = (row: number) => row * lineHeight
    const next = windowOf({ rows: lines.length, placeOf, top: -scrollTop, visible: clientHeight })
    if (next.from !== shown.peek().from || next.to !== shown.peek().to) shown.value = next
  }
  const { from, to } = shown.value
  return (
    <div
      class="long-text"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => look(event.currentTarget)}
    >
      <div class="room" style={{ height: `${lines.length * lineHeight}px` }}>
        <pre style={{ top: `${from * lineHeight}px` }}>{lines.slice(from, to).join("\n")}</pre>
      </div>
    </div>
  )
}

/** The body that is sent, laid out to read; copied as it is sent. */
export const Payload = ({ body, payload }: { readonly body: string; readonly payload: unknown }) => {
  const text = useMemo(() => JSON.stringify(payload, null, 2), [payload])
  const label = said(words).size(bytes(encoder.encode(body).length))
  if (text.length <= shownWhole) return <Code copied={body} label={label} text={text} />
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={body} what={said(words).payload} />
      </figcaption>
      <Lines label={label} text={text} />
    </figure>
  )
}
