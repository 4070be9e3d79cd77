import { Markdown } from "../../browser/parts/Markdown.tsx"

/** A name that no mark of Markdown is in. */
const plainName = /^[\p{L}\p{N} .'’-]+$/u

/** With the names of the mentioned people in bold. */
const withNames = (text: string, names: ReadonlyArray<string>) =>
  names.filter((name) => plainName.test(name)).reduce(
    (written, name) => written.replaceAll(`@${name}`, `**@${name}**`),
    text
  )

/** The words that a person wrote, in the small set of Markdown. */
export const Written = ({ mentions = [], text }: {
  readonly text: string
  readonly mentions?: ReadonlyArray<{ readonly name: string }>
}) => <Markdown text={withNames(text, mentions.map(({ name }) => name))} small />
