import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { More } from "../../../browser/parts/More.tsx"
import { Failure, Loading } from "../../../browser/parts/States.tsx"
import { clubId } from "../View.ts"
import { firstComments, keyOf, type Place } from "./calls.ts"
import { type Comment, pinnedFirst } from "./comments.ts"
import { Composer } from "./Composer.tsx"
import { Thread } from "./Thread.tsx"
import { useComments } from "./useComments.ts"
import { useSought } from "./useSought.ts"
import { words } from "./words.ts"
import { write } from "./write.ts"

/** The comments on a lesson or a post: the newest first, and pinned ones above them. */
export const Discussion = ({ place }: { readonly place: Place }) => {
  const id = useId()
  const isSent = useSignal(false)
  const key = keyOf(place)
  const list = useList<Comment>(`${clubId}/${key}`, firstComments(place))
  const read = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((one) => one !== undefined)
  const known = useComments(read, "first")
  const whole = useSought(list, known.shown)
  return (
    <section class="discussion" aria-labelledby={id}>
      <h2 id={id}>{said(words).comments}</h2>
      <Composer
        draft={key}
        label={said(words).field}
        placeholder={said(words).placeholder}
        action={said(words).action}
        send={async (sent) => {
          isSent.value = false
          await write(known, place, sent, null)
          isSent.value = true
        }}
      />
      <p class="visually-hidden" role="status">{isSent.value && said(words).sent}</p>
      {list.rows === 0 && list.isLoading && <Loading />}
      {known.shown.length > 0 && (
        <ul class="plain-list threads">
          {pinnedFirst(known.shown).map((comment) => (
            <li key={comment.id}>
              <Thread
                place={place}
                comment={comment}
                change={(change) => known.change(comment.id, change)}
                isWhole={whole.has(comment.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {known.shown.length === 0 && !list.isLoading && list.error === undefined && (
        <p class="soft">
          <strong>{said(words).empty}.</strong> {said(words).emptyText}
        </p>
      )}
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      <More list={list} label={said(words).moreComments} />
    </section>
  )
}
