import { said, spoken } from "../../browser/client/Language.ts"
import { Icon } from "../../browser/parts/Icon.tsx"
import { imageTypes } from "./images.ts"
import type { Images } from "./useImages.ts"

const words = spoken(
  { attach: "Add an image", remove: (name: string) => `Remove ${name}`, sending: "Sending" },
  { attach: "Adicionar imagem", remove: (name: string) => `Remover ${name}`, sending: "Enviando" }
)

/** The images that go with a text, each with a way out. */
export const ChosenImages = ({ images }: { readonly images: Images }) =>
  images.all.length === 0 ? null : (
    <ul class="chosen-images">
      {images.all.map(({ key, mediaId, name, preview }) => (
        <li key={key}>
          <img src={preview} alt={name} />
          {mediaId === undefined && <span class="small" role="status">{said(words).sending}</span>}
          <button
            type="button"
            class="quiet square"
            aria-label={said(words).remove(name)}
            onClick={() => images.remove(key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )

/** A button that chooses images. */
export const AddImages = ({ images }: { readonly images: Images }) => (
  <label class="attach" title={said(words).attach}>
    <input
      class="visually-hidden"
      type="file"
      accept={imageTypes}
      multiple
      aria-label={said(words).attach}
      onChange={({ currentTarget }) => {
        images.add(currentTarget.files ?? [])
        currentTarget.value = ""
      }}
    />
    <Icon name="image" />
  </label>
)
