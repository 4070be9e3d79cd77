import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { More } from "../../../browser/parts/More.tsx"
import { Failure, Loading } from "../../../browser/parts/States.tsx"
import { clubId } from "../View.ts"
import { firstComments, keyOf, pinnedComments, type Place } from "./calls.ts"
import { type Comment, eachOnce } from "./comments.ts"
import { Composer } from "./Composer.tsx"
import { Thread } from "./Thread.tsx"
import { useComments } from "./useComments.ts"
import { useSought } from "./useSought.ts"
import { words } from "./words.ts"
import { write } from "./write.ts"

/**
 * The comments on a lesson or a post, the newest first. Above them are pinned ones, and first of all the thread that the
 * address leads to.
 */
export const Discussion = ({ place }: { readonly place: Place }) => {
  const id = useId()
  const isSent = useSignal(false)
  const key = keyOf(place)
  const list = useList<Comment>(`${clubId}/${key}`, firstComments(place))
  const sought = useSought(place)
  const pinned = useRead(`${clubId}/${key}/pinned`, (signal) => pinnedComments(place, signal))
  const newest = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((one) => one !== undefined)
  // All at once, so that nothing moves what is read already.
  const isReady = !sought.isLoading && (pinned.data !== undefined || pinned.error !== undefined)
  const read = eachOnce([...sought.thread === undefined ? [] : [sought.thread], ...pinned.data ?? [], ...newest])
  const known = useComments(isReady ? read : [], "first")
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
      {(list.rows === 0 && list.isLoading || !isReady) && <Loading />}
      {known.shown.length > 0 && (
        <ul class="plain-list threads">
          {known.shown.map((comment) => (
            <li key={comment.id}>
              <Thread
                place={place}
                comment={comment}
                change={(change) => known.change(comment.id, change)}
              />
            </li>
          ))}
        </ul>
      )}
      {known.shown.length === 0 && isReady && !list.isLoading && list.error === undefined && (
        <p class="soft">
          <strong>{said(words).empty}.</strong> {said(words).emptyText}
        </p>
      )}
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      {isReady && <More list={list} label={said(words).moreComments} />}
    </section>
  )
}
