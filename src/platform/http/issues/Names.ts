import { editDistance } from "../../text/EditDistance.ts"

/** The steps of a name: keys of objects and positions in lists. */
export type Path = ReadonlyArray<PropertyKey>

/** In characters: an unknown key is the client's, and as long as it likes. */
const longestKey = 64

/** In characters: what a schema declares is shorter. */
const longestName = 200

const cut = (text: string, most: number) => text.length > most ? `${text.slice(0, most)}…` : text

/** A client's text for display: cut, and without characters that a terminal or a page could execute. */
export const shown = (key: PropertyKey) =>
  cut(String(key), longestKey).toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, "\uFFFD")

/** `["levels", 2, "name"]` as a person writes it: `levels[2].name`. */
export const nameOf = (path: Path): string =>
  cut(
    path.reduce<string>(
      (name, key) => typeof key === "number" ? `${name}[${key}]` : name === "" ? shown(key) : `${name}.${shown(key)}`,
      ""
    ),
    longestName
  ).toWellFormed()

/** `publishedAt`, `published-at` and `published_at` become the same. */
const folded = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, "")

const mostTypos = (name: string) => name.length <= 3 ? 1 : 2

/** The known name that was probably meant. */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > longestKey) return undefined
  const sent = folded(name)
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= longestKey / 4)
    .map((candidate) => ({ candidate, typos: editDistance(sent, folded(candidate)) }))
    .filter(({ candidate, typos }) => typos <= mostTypos(candidate) && typos < candidate.length)
    .toSorted((one, another) => one.typos - another.typos)
  return best?.candidate
}
