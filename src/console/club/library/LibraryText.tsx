import { useSignal } from "@preact/signals"
import type { ComponentChildren, JSX } from "preact"
import { turma } from "../../../browser/client/Api.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import type { Form } from "../../../browser/parts/Form.ts"
import type { TextImage } from "../../../browser/parts/Markdown.tsx"
import { MarkdownField } from "../../../browser/parts/MarkdownField.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { imageOf, imagesIn } from "../../../browser/parts/writing.ts"
import type { Membership } from "../Session.ts"
import { ofClub } from "../View.ts"
import { MediaPicker } from "./MediaPicker.tsx"
import { uploadOne } from "./upload/uploads.ts"

const none: ReadonlyArray<TextImage> = []

/** The images of the library that a text names, with addresses that work now. Omits an image that is not there. */
export const useTextImages = (club: Membership, text: string): ReadonlyArray<TextImage> => {
  const ids = imagesIn(text)
  const { data } = useRead(
    ids.length === 0 ? undefined : `${club.organization_id}/media/shown/${ids.join(",")}`,
    (signal) =>
      Promise.all(ids.map((mediaId) =>
        turma.media.download({ ...ofClub(club), mediaId }, { signal }).then(
          ({ data: { url } }) => [{ media_id: mediaId, media: { url } }],
          () => []
        )
      ))
  )
  return data?.flat() ?? none
}

interface LibraryTextProps {
  readonly club: Membership
  readonly form: Form
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly rows?: number
  readonly maxLength: number
  readonly required?: boolean
}

/**
 * A text in Markdown, with images of the library. A pasted image goes to the library first. The dialog that picks an image
 * stands outside of the form, which would take its keys.
 */
export const useLibraryText = (
  { club, ...field }: LibraryTextProps
): { readonly field: JSX.Element; readonly dialog: ComponentChildren } => {
  const insertion = useSignal<((image: string) => void) | undefined>(undefined)
  const images = useTextImages(club, field.form.value(field.name))
  const send = (files: ReadonlyArray<File>, insert: (image: string) => void) => {
    for (const file of files) {
      void attempt(async () => {
        const { id } = await uploadOne(club.organization_id, file)
        insert(imageOf(file.name, id))
      })
    }
  }
  const close = () => (insertion.value = undefined)
  return {
    field: (
      <MarkdownField {...field} images={images} pickImage={(insert) => (insertion.value = insert)} takeFiles={send} />
    ),
    dialog: insertion.value !== undefined && (
      <MediaPicker
        club={club}
        kind="image"
        isFile
        onPick={({ id, title }) => {
          insertion.value?.(imageOf(title, id))
          close()
        }}
        onClose={close}
      />
    )
  }
}
