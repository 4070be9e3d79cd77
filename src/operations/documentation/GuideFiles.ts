import { readdirSync, readFileSync } from "node:fs"
import { ownText } from "../../platform/text/Utf8.ts"
import { type Links, type Rendered, renderMarkdown, sectionsOf } from "./Markdown.ts"

// The guides as files: the facts at the top of each, and its text.

/** A guide, by the name of its file. */
export interface Guide {
  readonly name: string
  readonly title: string
  /** Its place among the guides. */
  readonly order: number
  /** The readers, in words that follow "For". */
  readonly audience: string
  /** The content, in a sentence without a full stop. */
  readonly summary: string
  readonly text: string
}

const folder = new URL("../../guides/", import.meta.url)

const frontMatter = /^---\n(.*?)\n---\n+(.*)$/s

const fieldsOf = (head: string) =>
  new Map(head.split("\n").map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  }))

/** The guide of a file; one that does not say at its top what it is fails. */
export const parseGuide = (name: string, file: string): Guide => {
  const [, head = "", text = ""] = frontMatter.exec(file) ?? []
  const fields = fieldsOf(head)
  const field = (key: string) => {
    const value = fields.get(key)
    if (value === undefined || value === "") throw new Error(`The guide ${name} does not say its ${key}`)
    return value
  }
  const order = Number(field("order"))
  return { name, text, order, title: field("title"), audience: field("audience"), summary: field("summary") }
}

/** All guides, in their order. */
export const readGuides = (): ReadonlyArray<Guide> =>
  readdirSync(folder).filter((file) => file.endsWith(".md"))
    .map((file) => parseGuide(file.slice(0, -".md".length), ownText(readFileSync(new URL(file, folder)))))
    .toSorted((a, b) => a.order - b.order)

/** Links between guides, as they are written for viewers of the files, lead to their pages. Others are text. */
const pagesOf = (guides: ReadonlyArray<Guide>): Links => (target) => {
  if (target.startsWith("#") || target.startsWith("/docs")) return target
  const [, name, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
  return guides.some((guide) => guide.name === name) ? `/docs/guides/${name}${anchor}` : undefined
}

/** The guide as a page. */
export const guideBody = (guide: Guide, guides: ReadonlyArray<Guide>): Rendered =>
  renderMarkdown(guide.text, pagesOf(guides))

/** The text of the guide under each heading, for the search. */
export const guideSections = (guide: Guide) => sectionsOf(guide.text)

/** Where the Markdown of a guide is. */
export const guidePath = ({ name }: Guide): string => `/docs/guides/${name}.md`

/** Code in a text of Markdown: blocks, and what stands in backticks. */
const codeIn = /^```.*?^```$|`[^`]*`/gms

/** Stands where code is while the rest of a text is written anew. */
const hole = "\u{F8FF}"

const outsideCode = (text: string, write: (text: string) => string) => {
  const code = text.match(codeIn) ?? []
  return write(text.replaceAll(codeIn, hole)).replaceAll(hole, () => code.shift() ?? "")
}

/**
 * The guide as Markdown. The comments that mark tested commands are removed, and links hold wherever it is read. A link
 * to a file that is not a page of ours becomes its text.
 */
export const guideText = ({ name, text }: Guide, guides: ReadonlyArray<Guide>, baseUrl: string): string => {
  const target = (href: string) => {
    if (/^https?:/.test(href)) return href
    const [path = "", anchor] = href.split("#")
    const file = path === "" ? `${name}.md` : path
    const guide = guides.find((one) => `${one.name}.md` === file)
    return guide === undefined ? undefined : `${baseUrl}${guidePath(guide)}${anchor === undefined ? "" : `#${anchor}`}`
  }
  const linked = (part: string) =>
    part.replaceAll(/\[([^\][]*)\]\(([^)\s]+)\)/g, (_, shown: string, href: string) => {
      const found = target(href)
      return found === undefined ? shown : `[${shown}](${found})`
    })
  return outsideCode(text, (part) => linked(part.replaceAll(/<!--.*?-->\n*/gs, ""))).trim() + "\n"
}
