import { useSignal } from "@preact/signals"
import { turma } from "../../client/Api.ts"
import { said, spoken } from "../../client/Language.ts"
import { useRead } from "../../client/Reads.ts"
import type { Membership } from "../../client/Session.ts"
import { ofClub } from "../../client/View.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Empty, Shown } from "../../parts/States.tsx"
import { HostedForm } from "./HostedForm.tsx"
import { mediaNote } from "./mediaWords.ts"
import { UploadList } from "./upload/UploadList.tsx"
import type { Media } from "./upload/uploads.ts"

const words = spoken(
  {
    choose: "Choose",
    chooseOf: (title: string) => `Choose ${title}`,
    empty: "There is nothing to choose yet",
    emptyText: "What you upload is listed here as soon as it has arrived.",
    library: "In the library",
    more: "Show more",
    title: "Choose from the library"
  },
  {
    choose: "Escolher",
    chooseOf: (title: string) => `Escolher ${title}`,
    empty: "Ainda não há nada para escolher",
    emptyText: "O que você enviar aparece aqui assim que chegar.",
    library: "Na biblioteca",
    more: "Mostrar mais",
    title: "Escolher da biblioteca"
  }
)

interface MediaPickerProps {
  readonly club: Membership
  /** Videos alone, or everything. */
  readonly kind?: "video"
  /** Files alone: a provider's video cannot be downloaded. */
  readonly isFile?: boolean
  readonly onPick: (media: Media) => void
  readonly onClose: () => void
}

/** What is shown is picked from the library, or uploaded to it first. */
export const MediaPicker = ({ club, isFile = false, kind, onClose, onPick }: MediaPickerProps) => {
  const shown = useSignal(20)
  const media = useRead(
    `${club.organization_id}/media/pick/${kind}`,
    (signal) => turma.media.list({ ...ofClub(club), kind, limit: 100 }, { signal })
  )
  return (
    <Dialog title={said(words).title} onClose={onClose} wide>
      <UploadList club={club} {...(kind === "video" ? { accept: "video/*" } : {})} />
      {!isFile && <HostedForm club={club} onMade={onPick} />}
      <h3>{said(words).library}</h3>
      <Shown read={media}>
        {({ data }) => {
          const ready = data.filter(({ provider, status }) => status === "ready" && (!isFile || provider === "storage"))
          if (ready.length === 0) return <Empty title={said(words).empty}>{said(words).emptyText}</Empty>
          return (
            <>
              <ul class="plain-list stack">
                {ready.slice(0, shown.value).map((one) => (
                  <li key={one.id} class="line">
                    <div class="line-words">
                      <span dir="auto">{one.title}</span>
                      <span class="soft small">{mediaNote(one)}</span>
                    </div>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={said(words).chooseOf(one.title)}
                      onClick={() => onPick(one)}
                    >
                      {said(words).choose}
                    </button>
                  </li>
                ))}
              </ul>
              {ready.length > shown.value && (
                <button type="button" class="quiet" onClick={() => (shown.value += 20)}>{said(words).more}</button>
              )}
            </>
          )
        }}
      </Shown>
    </Dialog>
  )
}
