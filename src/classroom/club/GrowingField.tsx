import type { TextareaHTMLAttributes } from "preact"
import { useLayoutEffect } from "preact/hooks"

// A sheet does the same where the browser knows it.
const growsBySheet = CSS.supports("field-sizing", "content")

/** A field for several lines that is as high as its text. Up to a height: from there on it scrolls. */
export const GrowingField = ({ field, ...attributes }: TextareaHTMLAttributes & {
  readonly field: { current: HTMLTextAreaElement | null }
}) => {
  useLayoutEffect(() => {
    const element = field.current
    if (element === null || growsBySheet) return
    element.style.blockSize = "auto"
    element.style.blockSize = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [attributes.value])
  return <textarea {...attributes} class="growing" ref={field} dir="auto" />
}
