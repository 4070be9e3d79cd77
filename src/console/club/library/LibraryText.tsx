import { useSignal } from "@preact/signals"
import type { ComponentChildren, JSX } from "preact"
import type { Form } from "../../../browser/parts/Form.ts"
import type { TextImage } from "../../../browser/parts/Markdown.tsx"
import { MarkdownField } from "../../../browser/parts/MarkdownField.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { imageOf, imagesIn } from "../../../browser/parts/writing.ts"
import type { Membership } from "../Session.ts"
import { MediaPicker } from "./MediaPicker.tsx"
import { uploadOne } from "./upload/uploads.ts"
import { useImages } from "./useImages.ts"

/** The images of the library that a text names, with addresses that work now. Omits an image that is not there. */
export const useTextImages = (club: Membership, text: string): ReadonlyArray<TextImage> =>
  useImages(club, imagesIn(text))

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
