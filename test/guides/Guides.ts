import { readFileSync } from "node:fs"

/** The project's folder. */
export const project = new URL("../../", import.meta.url).pathname

/** The page that a newcomer reads first. */
export const readme = readFileSync(`${project}README.md`, "utf8")

/** The text of a page for users. */
export const guide = (name: string): string => readFileSync(`${project}src/guides/${name}.md`, "utf8")

/** The text between `<!-- name -->` and `<!-- end -->`. */
export const marked = (text: string, name: string, end = `/${name}`): string => {
  const [, after] = text.split(`<!-- ${name} -->`)
  const [inside, rest] = after?.split(`<!-- ${end} -->`) ?? []
  if (inside === undefined || rest === undefined) throw new Error(`Nothing is marked as ${name} until ${end}`)
  return inside
}

/** The blocks of code in this language, in their order. */
export const blocks = (text: string, language: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code]) => code ?? "")
