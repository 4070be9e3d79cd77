import { useSignal } from "@preact/signals"
import { said, spoken } from "../client/Language.ts"
import { Icon } from "./Icon.tsx"
import { attempt } from "./Toasts.tsx"

const words = spoken(
  {
    all: (kilobytes: string) => `Show all ${kilobytes} KB`,
    copied: "Copied",
    copy: (what: string) => `Copy ${what}`,
    refused: "The browser refused to copy: select the text and copy it yourself."
  },
  {
    all: (kilobytes: string) => `Mostrar todos os ${kilobytes} KB`,
    copied: "Copiado",
    copy: (what: string) => `Copiar ${what}`,
    refused: "O navegador não permitiu copiar: selecione o texto e copie manualmente."
  }
)

/** In characters. More of a text is shown when somebody wants it: a page of a million takes its time. */
const shownAtOnce = 50_000

/** Puts a text on the clipboard. `what` completes "Copy …". */
export const CopyButton = ({ label, text, what }: {
  readonly text: string
  readonly what: string
  /** The text of the button, if it is more than a picture. */
  readonly label?: string
}) => {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // The browser's own message is not a sentence for people.
      throw new Error(said(words).refused)
    }
  }
  return (
    <button
      type="button"
      class={label === undefined ? "quiet square" : "quiet"}
      aria-label={said(words).copy(what)}
      onClick={() => void attempt(copy, said(words).copied)}
    >
      <Icon name="copy" />
      {label}
    </button>
  )
}

/** A text as it is, to read and to copy. */
export const Code = ({ copied, label, text }: {
  readonly text: string
  readonly label: string
  /** The text to copy, if it differs from the one shown. */
  readonly copied?: string
}) => {
  const isWhole = useSignal(false)
  const isLong = text.length > shownAtOnce
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={copied ?? text} what={label} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        <code>{isLong && !isWhole.value ? text.slice(0, shownAtOnce) : text}</code>
      </pre>
      {isLong && !isWhole.value && (
        <button type="button" class="quiet" onClick={() => (isWhole.value = true)}>
          {said(words).all(String(Math.ceil(text.length / 1000)))}
        </button>
      )}
    </figure>
  )
}

/** A value as JSON, with two spaces for each level. */
export const Json = ({ label, value }: { readonly value: unknown; readonly label: string }) => (
  <Code label={label} text={JSON.stringify(value, null, 2) ?? ""} />
)

/** Headers by name. */
export const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => (
  <dl class="headers">
    {Object.entries(headers).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
