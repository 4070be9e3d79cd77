import { readFileSync } from "node:fs"

/** The project's folder. */
export const project = new URL("../../", import.meta.url).pathname

const readme = readFileSync(`${project}README.md`, "utf8")

/** A section of the README, from its heading to the next of the same level. */
export const section = (heading: string): string => {
  const start = readme.indexOf(`\n## ${heading}\n`)
  if (start === -1) throw new Error(`The README has no section ${heading}`)
  const end = readme.indexOf("\n## ", start + 1)
  return readme.slice(start, end === -1 ? undefined : end)
}

/** The blocks of code in this language, in their order. */
export const blocks = (text: string, language: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code]) => code ?? "")
