import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/** Something that a button opens over the page. */
interface Layer<E extends HTMLElement> {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly close: () => void
  /** Around the button and what it opens. */
  readonly around: RefObject<E | null>
  readonly opener: RefObject<HTMLButtonElement | null>
}

/**
 * Opens something over the page. Escape closes it and leads back to the button. A click or the focus elsewhere closes
 * it too.
 */
export const useLayer = <E extends HTMLElement>(): Layer<E> => {
  const isOpen = useSignal(false)
  const around = useRef<E>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    isOpen.value = false
  }
  useLayoutEffect(() => {
    if (!isOpen.value) return undefined
    const beside = ({ target }: Event) => {
      if (!(target instanceof Node) || around.current?.contains(target) !== true) close()
    }
    const escape = (event: KeyboardEvent) => {
      // A dialog above it takes the key first.
      if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return
      close()
      opener.current?.focus()
    }
    document.addEventListener("pointerdown", beside)
    document.addEventListener("focusin", beside)
    document.addEventListener("keydown", escape)
    return () => {
      document.removeEventListener("pointerdown", beside)
      document.removeEventListener("focusin", beside)
      document.removeEventListener("keydown", escape)
    }
  }, [isOpen.value])
  return { isOpen: isOpen.value, toggle: () => (isOpen.value = !isOpen.peek()), close, around, opener }
}
