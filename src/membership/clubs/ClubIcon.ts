import { faceColors } from "./Accent.ts"

/** The colour of a club without an accent: ours. */
export const ownAccent = "#1d4ed8"

const escaped: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const characters = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The first letter or digit of a name, in capitals; without either, the first character. */
const initialOf = (name: string): string => {
  const all = [...characters.segment(name.trim())].map(({ segment }) => segment)
  const initial = all.find((segment) => /[\p{L}\p{N}]/u.test(segment)) ?? all[0] ?? ""
  return initial.toLocaleUpperCase("en")
}

/** A square icon of the club's initial on its accent, as SVG. The ground fills the square, for masks of any shape. */
export const clubIcon = (name: string, accent: string | null): string => {
  const { accent: ground, on_accent: ink } = faceColors(accent ?? ownAccent).light
  const letter = initialOf(name).replace(/[&<>"]/g, (character) => escaped[character] ?? "")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="${ground}"/>` +
    `<text x="256" y="256" dy="0.36em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="256" ` +
    `font-weight="600" fill="${ink}">${letter}</text></svg>`
}
