import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { tellFailure } from "../../browser/parts/Toasts.tsx"
import { sendImage } from "./images.ts"

/** An image that goes with a text. */
interface ChosenImage {
  readonly key: number
  readonly name: string
  /** An address of this page alone. */
  readonly preview: string
  /** Undefined until it has been sent. */
  readonly mediaId: string | undefined
}

/** The images that go with a text. */
export interface Images {
  readonly all: ReadonlyArray<ChosenImage>
  readonly isSending: boolean
  readonly add: (files: Iterable<File>) => void
  readonly remove: (key: number) => void
  readonly clear: () => void
}

let last = 0

/** The images that somebody chooses for a text. Each is sent at once, so that the text can follow without a wait. */
export const useImages = (purpose: "comment" | "ask", most: number): Images => {
  const all = useSignal<ReadonlyArray<ChosenImage>>([])
  const sending = useRef(new Map<number, AbortController>())
  const remove = (key: number) => {
    sending.current.get(key)?.abort()
    const gone = all.peek().find((one) => one.key === key)
    if (gone !== undefined) URL.revokeObjectURL(gone.preview)
    all.value = all.peek().filter((one) => one.key !== key)
  }
  const clear = () => all.peek().forEach(({ key }) => remove(key))
  const send = async (key: number, file: File) => {
    const controller = new AbortController()
    sending.current.set(key, controller)
    try {
      const mediaId = await sendImage(file, purpose, controller.signal)
      all.value = all.peek().map((one) => one.key === key ? { ...one, mediaId } : one)
    } catch (thrown) {
      if (controller.signal.aborted) return
      remove(key)
      tellFailure(thrown)
    } finally {
      sending.current.delete(key)
    }
  }
  useEffect(() => clear, [])
  return {
    all: all.value,
    isSending: all.value.some(({ mediaId }) => mediaId === undefined),
    add: (files) => {
      for (const file of [...files].slice(0, most - all.peek().length)) {
        const key = ++last
        all.value = [...all.peek(), { key, name: file.name, preview: URL.createObjectURL(file), mediaId: undefined }]
        void send(key, file)
      }
    },
    remove,
    clear
  }
}
