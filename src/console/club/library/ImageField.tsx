import { useSignal } from "@preact/signals"
import type { ComponentChildren, JSX } from "preact"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import type { Form } from "../../../browser/parts/Form.ts"
import { RefusalText } from "../../../browser/parts/RefusalText.tsx"
import type { Membership } from "../Session.ts"
import { ofClub } from "../View.ts"
import { MediaPicker } from "./MediaPicker.tsx"

const words = spoken(
  { change: "Choose another", choose: "Choose an image", none: "No image", remove: "Remove" },
  { change: "Escolher outra", choose: "Escolher uma imagem", none: "Sem imagem", remove: "Tirar" }
)

interface ImageFieldProps {
  readonly club: Membership
  readonly form: Form
  /** The field holds the id of a media record, or nothing. */
  readonly name: string
  readonly label: string
  readonly hint: string
}

/** An image of the library that a form names by its id. The dialog that picks it stands outside of the form. */
export const useImageField = (
  { club, form, hint, label, name }: ImageFieldProps
): { readonly field: JSX.Element; readonly dialog: ComponentChildren; readonly url: string | undefined } => {
  const isPicking = useSignal(false)
  const id = form.value(name)
  const shown = useRead(
    id === "" ? undefined : `${club.organization_id}/media/one/${id}/shown`,
    (signal) => turma.media.download({ ...ofClub(club), mediaId: id }, { signal })
  )
  const url = id === "" ? undefined : shown.data?.data.url
  const wrong = form.wrong(name)
  return {
    url,
    field: (
      <div class="field" role="group" aria-label={label}>
        <span class="label">{label}</span>
        <div class="image-field">
          {url === undefined ? <span class="soft small">{said(words).none}</span> : <img src={url} alt="" />}
          <div class="actions">
            <button type="button" class="quiet" onClick={() => (isPicking.value = true)}>
              {id === "" ? said(words).choose : said(words).change}
            </button>
            {id !== "" && (
              <button type="button" class="link" onClick={() => form.set(name, "")}>{said(words).remove}</button>
            )}
          </div>
        </div>
        <p class="hint">{hint}</p>
        {wrong !== undefined && (
          <p class="wrong">
            <RefusalText of={wrong} />
          </p>
        )}
      </div>
    ),
    dialog: isPicking.value && (
      <MediaPicker
        club={club}
        kind="image"
        isFile
        onPick={(picked) => {
          form.set(name, picked.id)
          isPicking.value = false
        }}
        onClose={() => (isPicking.value = false)}
      />
    )
  }
}
