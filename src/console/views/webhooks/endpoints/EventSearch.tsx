import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { idIn } from "../../../club/Ids.ts"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"

const words = spoken(
  {
    find: "Find",
    label: "Event id",
    place: "webhook-id of a request, or a whole line of a log",
    wrong: "It contains no id. An id looks like 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"
  },
  {
    find: "Buscar",
    label: "Id do evento",
    place: "webhook-id de uma requisição ou uma linha inteira de log",
    wrong: "Não há um id aqui. Um id é assim: 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"
  }
)

/** Finds an event by its id, wherever that was copied from. */
export const EventSearch = ({ club }: { readonly club: Membership }) => {
  const text = useSignal("")
  const isWrong = useSignal(false)
  const id = useId()
  const search = (event: Event) => {
    event.preventDefault()
    const found = idIn(text.peek())
    isWrong.value = found === undefined
    if (found !== undefined) go(clubPage(club, "webhooks", "events", found))
  }
  return (
    <form class="search-event" role="search" onSubmit={search}>
      <div class="field">
        <label for={id}>{said(words).label}</label>
        <input
          id={id}
          type="search"
          autocomplete="off"
          placeholder={said(words).place}
          value={text}
          aria-invalid={isWrong.value}
          aria-describedby={isWrong.value ? `${id}-wrong` : undefined}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        {isWrong.value && <p class="wrong" id={`${id}-wrong`} role="alert">{said(words).wrong}</p>}
      </div>
      <button type="submit" class="quiet">{said(words).find}</button>
    </form>
  )
}
