import type { Field, Inside, Kind, Rule, Shape } from "./Shape.ts"

// The shape of a value as Markdown: a list with what is inside of a field indented below it.

/** Text as code, whatever it contains. */
export const codeSpan = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = "`".repeat(longest + 1)
  const padding = /^`|`$|^ .* $/.test(text) || text === "" ? " " : ""
  return `${fence}${padding}${text}${padding}${fence}`
}

/** A block of code. */
export const codeFence = (code: string, language: string): string => `\`\`\`${language}\n${code}\n\`\`\``

/** A description in one line. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** A sentence with an end. */
export const sentence = (text: string): string => /[.!?:]$|^$/.test(text) ? text : `${text}.`

const ruleText = ({ values, words }: Rule) =>
  [words, values.map(codeSpan).join(", ")].filter((one) => one !== "").join(" ")

/** `title (string, required, 1 to 40 characters): What it is.` */
const factsOf = (name: string, { description, rules, type }: Shape, notes: ReadonlyArray<string>) => {
  const facts = [type, ...notes, ...rules.map(ruleText)].join(", ")
  return `${codeSpan(name)} (${facts})${description === undefined ? "" : `: ${sentence(oneLine(description))}`}`
}

const titleText = (title: Kind["title"]) =>
  typeof title === "string" ? `${title}:` : `With ${codeSpan(title.field)} ${codeSpan(title.value)}:`

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)

const itemLines = (name: string, shape: Shape, notes: ReadonlyArray<string>): ReadonlyArray<string> => [
  `- ${factsOf(name, shape, notes)}`,
  ...shape.inside === undefined ? [] : indented(insideLines(shape.inside))
]

const fieldLines = (field: Field) => itemLines(field.name, field, field.required ? ["required"] : [])

const insideLines = (inside: Inside): ReadonlyArray<string> => {
  switch (inside.is) {
    case "again":
      return [`- A ${inside.name}, as above.`]
    case "kinds":
      return inside.kinds.flatMap((kind) => [`- ${titleText(kind.title)}`, ...indented(insideLines(kind.inside))])
    case "fields":
      return inside.fields.flatMap(fieldLines)
  }
}

/** A named value with its description, and the values inside of it. */
export const fieldText = (name: string, shape: Shape, notes: ReadonlyArray<string>): string =>
  itemLines(name, shape, notes).join("\n")

/** The fields of a body. */
export const bodyText = (shape: Shape): string => {
  const { description, inside, rules, type } = shape
  if (inside !== undefined) return insideLines(inside).join("\n")
  const facts = [type, ...rules.map(ruleText)].join(", ")
  return sentence(description === undefined ? facts : `${facts}: ${oneLine(description)}`)
}
