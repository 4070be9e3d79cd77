import type { Presentation } from "./Storage.ts"

// Types that a browser displays without running scripts: all images but SVG, which may contain scripts.
const displayed = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/

// RFC 8187 lets these stand; all else is percent-encoded. `encodeURIComponent` leaves four of them that it does not.
const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
const encoded = (name: string) => encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percent)

/**
 * `Content-Disposition` (RFC 6266): the name in ASCII for old browsers and in UTF-8 for all others. A page or an SVG is
 * saved even where it was to be shown: it could act in the name of our origin.
 */
export const disposition = ({ file_name, inline, mime }: Presentation): string => {
  const plain = file_name.replace(/[^\x20-\x7e]|["\\%/]/g, "_")
  return `${inline && displayed.test(mime) ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${
    encoded(file_name)
  }`
}
