import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { said, spoken } from "../../client/Language.ts"
import { Markdown } from "../Markdown.tsx"
import type { BlockOf } from "./lessonBlock.ts"

const words = spoken(
  {
    assignment: "Assignment",
    field: "Your work",
    hint: "Your text stays here until you send it."
  },
  {
    assignment: "Tarefa",
    field: "Sua resposta",
    hint: "O que você escrever fica guardado até o envio."
  }
)

/** An assignment: its text, and below it the student's work. */
export const AssignmentCard = ({ block, children }: {
  readonly block: Pick<BlockOf<"assignment">, "body" | "images" | "title">
  readonly children: ComponentChildren
}) => {
  const id = useId()
  return (
    <section class="card stack assignment" aria-labelledby={id}>
      <header class="block-head">
        <h2 id={id} dir="auto">{block.title ?? said(words).assignment}</h2>
      </header>
      <Markdown text={block.body} images={block.images} />
      {children}
    </section>
  )
}

/** The field for the words of the student's work. Without `change` it is a preview, and takes nothing. */
export const WorkField = ({ change, text }: {
  readonly text: string
  readonly change: ((text: string) => void) | undefined
}) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{said(words).field}</label>
      <textarea
        id={id}
        rows={6}
        required
        disabled={change === undefined}
        maxLength={20_000}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={({ currentTarget }) => change?.(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>{said(words).hint}</p>
    </div>
  )
}
