import { useSignal } from "@preact/signals"
import type { TargetedKeyboardEvent } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { FieldConflict } from "./ConflictNotice.tsx"
import type { Form } from "./Form.ts"
import { Markdown, type TextImage } from "./Markdown.tsx"
import { RefusalText } from "./RefusalText.tsx"
import { inserted, linked, type Mark, marked, type Written } from "./writing.ts"

const words = spoken(
  {
    bold: "Bold",
    code: "Code",
    heading: "Heading",
    image: "Image",
    italic: "Italic",
    link: "Link",
    list: "List",
    nothing: "There is nothing to show yet",
    numbers: "Numbered list",
    preview: "Preview",
    quote: "Quote",
    tools: "Format",
    write: "Write"
  },
  {
    bold: "Negrito",
    code: "Código",
    heading: "Subtítulo",
    image: "Imagem",
    italic: "Itálico",
    link: "Link",
    list: "Lista",
    nothing: "Ainda não há nada para mostrar",
    numbers: "Lista numerada",
    preview: "Prévia",
    quote: "Citação",
    tools: "Formatação",
    write: "Escrever"
  }
)

/** The sheet gives each its face. */
const tools: ReadonlyArray<{ readonly mark: Mark; readonly key?: string }> = [
  { mark: "bold", key: "b" },
  { mark: "italic", key: "i" },
  { mark: "heading" },
  { mark: "list" },
  { mark: "numbers" },
  { mark: "quote" },
  { mark: "code" }
]

interface MarkdownFieldProps {
  readonly form: Form
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly rows?: number
  readonly maxLength: number
  readonly required?: boolean
  /** The images that the text names, for the preview. */
  readonly images?: ReadonlyArray<TextImage>
  /** Asks for an image, and answers it in Markdown. Without it the field has no button for one. */
  readonly pickImage?: (insert: (image: string) => void) => void
  /** Takes pasted and dropped images. */
  readonly takeFiles?: (files: ReadonlyArray<File>, insert: (image: string) => void) => void
}

const imagesOf = (data: DataTransfer | null) => [...data?.files ?? []].filter(({ type }) => type.startsWith("image/"))

/** Several lines of Markdown, with buttons that write it, and a preview as readers get it. */
export const MarkdownField = (props: MarkdownFieldProps) => {
  const { form, hint, images = [], label, maxLength, name, pickImage, required = false, rows = 10, takeFiles } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const selected = useRef<Written | undefined>(undefined)
  const isPreview = useSignal(false)
  const text = form.value(name)
  const wrong = form.wrong(name)
  // A browser puts the cursor behind a new value. The edit says what is selected.
  useLayoutEffect(() => {
    const [shown, at] = [area.current, selected.current]
    if (shown === null || at === undefined || at.text !== text) return
    selected.current = undefined
    shown.focus()
    shown.setSelectionRange(at.start, at.end)
  }, [text])
  const edit = (change: (written: Written) => Written) => {
    const shown = area.current
    if (shown === null) return
    const next = change({ text: shown.value, start: shown.selectionStart, end: shown.selectionEnd })
    selected.current = next
    form.set(name, next.text)
  }
  const insert = (piece: string) => edit((written) => inserted(written, piece))
  const link = () => edit((written) => linked(written, "https://"))
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const tool = tools.find(({ key }) => key === event.key.toLowerCase())
    if (tool !== undefined) {
      event.preventDefault()
      edit((written) => marked(written, tool.mark))
    } else if (event.key.toLowerCase() === "k") {
      event.preventDefault()
      link()
    }
  }
  const take = (event: Event, data: DataTransfer | null) => {
    const found = imagesOf(data)
    if (takeFiles === undefined || found.length === 0) return
    event.preventDefault()
    takeFiles(found, insert)
  }
  return (
    <div class="field markdown-field">
      <div class="row">
        <label for={id}>{label}</label>
        <button
          type="button"
          class="link small"
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.peek())}
        >
          {isPreview.value ? said(words).write : said(words).preview}
        </button>
      </div>
      {!isPreview.value && (
        <div class="markdown-tools" role="group" aria-label={said(words).tools}>
          {tools.map(({ mark }) => (
            <button
              key={mark}
              type="button"
              class={`quiet small ${mark}`}
              aria-label={said(words)[mark]}
              title={said(words)[mark]}
              onClick={() => edit((written) => marked(written, mark))}
            />
          ))}
          <button type="button" class="quiet small" onClick={link}>{said(words).link}</button>
          {pickImage !== undefined && (
            <button type="button" class="quiet small" onClick={() => pickImage(insert)}>{said(words).image}</button>
          )}
        </div>
      )}
      <textarea
        ref={area}
        id={id}
        name={name}
        rows={rows}
        hidden={isPreview.value}
        maxLength={maxLength}
        required={required && !isPreview.value}
        value={text}
        aria-invalid={wrong !== undefined}
        aria-describedby={[hint === undefined ? "" : `${id}-hint`, wrong === undefined ? "" : `${id}-wrong`].join(" ")
          .trim() || undefined}
        onInput={(event) => form.set(name, event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
      {isPreview.value && (
        <div class="markdown-preview">
          {text.trim() === "" ? <p class="soft">{said(words).nothing}</p> : <Markdown text={text} images={images} />}
        </div>
      )}
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {wrong !== undefined && (
        <p class="wrong" id={`${id}-wrong`}>
          <RefusalText of={wrong} />
        </p>
      )}
      <FieldConflict form={form} name={name} label={label} />
    </div>
  )
}
