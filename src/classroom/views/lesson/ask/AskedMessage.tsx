import { said } from "../../../../browser/client/Language.ts"
import { Markdown } from "../../../../browser/parts/Markdown.tsx"
import type { OpenSource } from "../../../club/Source.ts"
import { Sources } from "./Sources.tsx"
import type { Message } from "./talk.ts"
import { failures, words } from "./words.ts"

interface AskedMessageProps {
  readonly message: Message
  /** The public id of the lesson that is talked about. */
  readonly lesson: string
  readonly openSource: OpenSource
  /** Asks the question of this answer again. Undefined if that is not possible now. */
  readonly again: (() => void) | undefined
}

const Question = ({ message: { content, images } }: Pick<AskedMessageProps, "message">) => (
  <li class="asked">
    <span class="visually-hidden">{said(words).you}</span>
    <p dir="auto">{content}</p>
    {images.length > 0 && (
      <ul class="pictures">
        {images.map(({ download_url, id, title }) => (
          <li key={id}>
            <img src={download_url} alt={title} loading="lazy" />
          </li>
        ))}
      </ul>
    )}
  </li>
)

const endingOf = ({ error_code, status }: Message) => {
  if (status === "canceled") return said(words).canceled
  return status === "failed" && error_code !== null ? said(failures)[error_code] : undefined
}

/** A question, or the answer to one as far as it is. */
export const AskedMessage = ({ again, lesson, message, openSource }: AskedMessageProps) => {
  const { citations, content, role, status } = message
  if (role === "user") return <Question message={message} />
  const ending = endingOf(message)
  return (
    <li class="asked-answer" aria-busy={status === "generating"}>
      {content !== "" && <Markdown text={content} small />}
      {content === "" && status === "generating" && <p class="soft thinking">{said(words).thinking}</p>}
      {ending !== undefined && (
        <p class="asked-end">
          <span class="soft">{ending}</span>
          {again !== undefined && (
            <button type="button" class="quiet small" onClick={again}>{said(words).again}</button>
          )}
        </p>
      )}
      <Sources citations={citations} lesson={lesson} openSource={openSource} />
    </li>
  )
}
