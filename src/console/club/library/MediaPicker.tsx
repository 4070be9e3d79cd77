import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { matchingItems } from "../../../browser/client/FullPages.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SearchField } from "../../../browser/parts/SearchField.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import type { Membership } from "../Session.ts"
import { ofClub } from "../View.ts"
import { HostedForm } from "./HostedForm.tsx"
import { libraryWords, mediaNote } from "./mediaWords.ts"
import { UploadList } from "./upload/UploadList.tsx"
import type { Media } from "./upload/uploads.ts"

const words = spoken(
  {
    choose: "Choose",
    chooseOf: (title: string) => `Choose ${title}`,
    empty: "There is nothing to choose yet",
    emptyText: "Your uploads appear here as soon as they are complete.",
    library: "In the library",
    more: "Show more",
    title: "Choose from the library"
  },
  {
    choose: "Escolher",
    chooseOf: (title: string) => `Escolher ${title}`,
    empty: "Ainda não há nada para escolher",
    emptyText: "O que você enviar aparece aqui assim que o envio terminar.",
    library: "Na biblioteca",
    more: "Mostrar mais",
    title: "Escolher da biblioteca"
  }
)

interface MediaPickerProps {
  readonly club: Membership
  /** Media of this kind alone. Without it everything. */
  readonly kind?: "image" | "video"
  /** Files alone: a provider's video cannot be downloaded. */
  readonly isFile?: boolean
  readonly onPick: (media: Media) => void
  readonly onClose: () => void
}

/** Number shown at first, and with each “more”. */
const step = 20

const Item = ({ media, pick }: { readonly media: Media; readonly pick: () => void }) => (
  <li class="line">
    <div class="line-words">
      <span dir="auto">{media.title}</span>
      <span class="soft small">{mediaNote(media)}</span>
    </div>
    <button type="button" class="quiet" aria-label={said(words).chooseOf(media.title)} onClick={pick}>
      {said(words).choose}
    </button>
  </li>
)

/** Picks media from the library, or uploads them to it first. */
export const MediaPicker = ({ club, isFile = false, kind, onClose, onPick }: MediaPickerProps) => {
  const shown = useSignal(step)
  const search = useSignal("")
  const suits = ({ provider, status }: Media) => status === "ready" && (!isFile || provider === "storage")
  const wanted = { kind, search: search.value || undefined }
  const list = useList<Media>(
    `${club.organization_id}/media/pick?${JSON.stringify({ ...wanted, isFile })}`,
    matchingItems(
      ({ cursor, limit, signal }) => turma.media.list({ ...ofClub(club), ...wanted, cursor, limit }, { signal }),
      suits
    )
  )
  const rows = Math.min(shown.value, list.rows)
  const known = Array.from({ length: rows }, (_, row) => list.item(row)).filter((one) => one !== undefined)
  const hasMore = list.rows > shown.value || (list.rows > 0 && list.item(list.rows - 1) === undefined)
  const find = (text: string) => {
    search.value = text
    shown.value = step
  }
  return (
    <Dialog title={said(words).title} onClose={onClose} wide>
      <UploadList club={club} {...(kind === undefined ? {} : { accept: `${kind}/*` })} />
      {!isFile && kind !== "image" && <HostedForm club={club} onMade={onPick} />}
      <h3>{said(words).library}</h3>
      <SearchField label={said(libraryWords).search} value={search.value} change={find} />
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      {list.rows === 0 && list.isLoading && <Loading />}
      {list.rows === 0 && !list.isLoading && list.error === undefined && (
        search.value === ""
          ? <Empty title={said(words).empty}>{said(words).emptyText}</Empty>
          : <Empty title={said(libraryWords).none} />
      )}
      <ul class="plain-list stack">
        {known.map((one) => <Item key={one.id} media={one} pick={() => onPick(one)} />)}
      </ul>
      {hasMore && (
        <button
          type="button"
          class="quiet"
          aria-busy={list.isLoading}
          onClick={() => {
            list.look(shown.value, shown.value + step)
            shown.value += step
          }}
        >
          {said(words).more}
        </button>
      )}
    </Dialog>
  )
}
