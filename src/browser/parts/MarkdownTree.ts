import type { MarkedToken, Token, Tokens } from "marked"

// From the tokens of a Markdown text to the little that a page shows of it. Pure: it neither parses nor shows.

/** A part of a line. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "em" | "del"; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "break" }
  /** `own`: a path of our site. Others lead out of it. */
  | { readonly kind: "link"; readonly to: string; readonly isOwn: boolean; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "image"; readonly mediaId: string; readonly alt: string }

/** A heading's element. */
type Level = 3 | 4 | 5 | 6

/** A part of a text. */
export type Block =
  /** A `line` is a paragraph without room around it. */
  | { readonly kind: "paragraph" | "line"; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "heading"; readonly level: Level; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "quote"; readonly children: ReadonlyArray<Block> }
  | { readonly kind: "rule" }
  | {
    readonly kind: "list"
    /** The number of the first item. Undefined for a list without numbers. */
    readonly start: number | undefined
    readonly items: ReadonlyArray<ReadonlyArray<Block>>
  }
  | {
    readonly kind: "table"
    readonly head: ReadonlyArray<ReadonlyArray<Inline>>
    readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Inline>>>
  }

/** The rules of a text: its set of marks, and the site that it stands on. */
export interface MarkdownRules {
  /** True for posts and comments: headings, images, tables and lines are text there. */
  readonly isSmall: boolean
  /** The origin of our site. */
  readonly origin: string
  /** The path that our links lead to or below. */
  readonly root: string
}

/** Deeper parts are text: no reader follows them, and a stack ends. */
const deepest = 12

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  copy: "©",
  gt: ">",
  hellip: "…",
  lt: "<",
  mdash: "—",
  nbsp: "\u00a0",
  ndash: "–",
  quot: "\"",
  times: "×"
}

const character = (code: number, entity: string) =>
  Number.isInteger(code) && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : entity

const plain = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (entity, decimal, hex, name) => {
    if (typeof decimal === "string") return character(Number(decimal), entity)
    if (typeof hex === "string") return character(Number.parseInt(hex, 16), entity)
    return typeof name === "string" && Object.hasOwn(entities, name) ? entities[name] ?? entity : entity
  })

const known = new Set([
  "blockquote",
  "br",
  "checkbox",
  "code",
  "codespan",
  "def",
  "del",
  "em",
  "escape",
  "heading",
  "hr",
  "html",
  "image",
  "link",
  "list",
  "list_item",
  "paragraph",
  "space",
  "strong",
  "table",
  "text"
])

const isKnown = (token: Token): token is MarkedToken => known.has(token.type)

const outside = new Set(["http:", "https:", "mailto:"])

const addressOf = (text: string) => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Where a link leads. Undefined for an address that no text may lead to: a script, a file, a path of another page. */
const targetOf = (href: string, { origin, root }: MarkdownRules) => {
  const isPath = /^\/(?![/\\])/.test(href)
  const url = addressOf(isPath ? origin + href : href)
  if (url === undefined || !outside.has(url.protocol)) return undefined
  const isOwn = url.origin === origin && (url.pathname === root || url.pathname.startsWith(`${root}/`))
  if (isOwn) return { to: `${url.pathname}${url.search}${url.hash}`, isOwn }
  return isPath ? undefined : { to: url.href, isOwn }
}

const mediaOf = (href: string) => /^media:([\da-f-]{36})$/i.exec(href)?.[1]?.toLowerCase()

/** Makes the tree of one text. */
class TreeMaker {
  private readonly rules: MarkdownRules
  private readonly first: number

  constructor(rules: MarkdownRules, tokens: ReadonlyArray<Token>) {
    this.rules = rules
    this.first = Math.min(...tokens.map((token) => isKnown(token) && token.type === "heading" ? token.depth : 6))
  }

  inline(tokens: ReadonlyArray<Token>, depth: number): ReadonlyArray<Inline> {
    return tokens.flatMap((token) =>
      depth > deepest || !isKnown(token) ? [{ kind: "text", text: token.raw } as const] : this.part(token, depth + 1)
    )
  }

  private part(token: MarkedToken, depth: number): ReadonlyArray<Inline> {
    switch (token.type) {
      case "br":
        return [{ kind: "break" }]
      case "checkbox":
        return [{ kind: "text", text: token.checked ? "☑ " : "☐ " }]
      case "codespan":
        return [{ kind: "code", text: token.text }]
      case "del":
      case "em":
      case "strong":
        return [{ kind: token.type, children: this.inline(token.tokens, depth) }]
      case "escape":
        return [{ kind: "text", text: token.text }]
      case "image":
        return [this.image(token)]
      case "link":
        return this.link(token, depth)
      case "text":
        return token.tokens === undefined
          ? [{ kind: "text", text: plain(token.text) }]
          : this.inline(token.tokens, depth)
      default:
        return [{ kind: "text", text: token.raw }]
    }
  }

  private image({ href, text }: Tokens.Image): Inline {
    const mediaId = this.rules.isSmall ? undefined : mediaOf(href)
    return mediaId === undefined ? { kind: "text", text: plain(text) } : { kind: "image", mediaId, alt: plain(text) }
  }

  private link({ autolink = false, href, text, tokens }: Tokens.Link, depth: number): ReadonlyArray<Inline> {
    // An address in the text stays as it was written.
    const children = autolink ? [{ kind: "text", text } as const] : this.inline(tokens, depth)
    const target = targetOf(autolink ? href : plain(href), this.rules)
    return target === undefined ? children : [{ kind: "link", ...target, children }]
  }

  blocks(tokens: ReadonlyArray<Token>, depth: number): ReadonlyArray<Block> {
    return tokens.flatMap((token) =>
      depth > deepest || !isKnown(token) ? this.words(token.raw) : this.block(token, depth + 1)
    )
  }

  private words(text: string): ReadonlyArray<Block> {
    const words = text.trim()
    return words === "" ? [] : [{ kind: "paragraph", children: [{ kind: "text", text: words }] }]
  }

  private block(token: MarkedToken, depth: number): ReadonlyArray<Block> {
    switch (token.type) {
      case "blockquote":
        return [{ kind: "quote", children: this.blocks(token.tokens, depth) }]
      case "checkbox":
        return [{ kind: "line", children: this.part(token, depth) }]
      case "code":
        return [{ kind: "code", text: token.text }]
      case "def":
      case "space":
        return []
      case "heading":
        return [this.heading(token, depth)]
      case "hr":
        return this.rules.isSmall ? this.words(token.raw) : [{ kind: "rule" }]
      case "list":
        return [this.list(token, depth)]
      case "paragraph":
        return [{ kind: "paragraph", children: this.inline(token.tokens, depth) }]
      case "table":
        return this.rules.isSmall ? this.words(token.raw) : [this.table(token, depth)]
      case "text":
        return [{ kind: "line", children: this.part(token, depth) }]
      default:
        return this.words(token.raw)
    }
  }

  private heading({ depth: own, tokens }: Tokens.Heading, depth: number): Block {
    const children = this.inline(tokens, depth)
    if (this.rules.isSmall) return { kind: "paragraph", children }
    const levels = [3, 4, 5] as const
    return { kind: "heading", level: levels[own - this.first] ?? 6, children }
  }

  private list({ items, ordered, start }: Tokens.List, depth: number): Block {
    return {
      kind: "list",
      start: ordered ? Number(start) : undefined,
      items: items.map(({ tokens }) => this.blocks(tokens, depth))
    }
  }

  private table({ header, rows }: Tokens.Table, depth: number): Block {
    const cells = (row: ReadonlyArray<Tokens.TableCell>) => row.map(({ tokens }) => this.inline(tokens, depth))
    return { kind: "table", head: cells(header), rows: rows.map(cells) }
  }
}

/** The tree of a text. HTML in it becomes its letters. A link to anything but the web or our site becomes its words. */
export const treeOf = (tokens: ReadonlyArray<Token>, rules: MarkdownRules): ReadonlyArray<Block> =>
  new TreeMaker(rules, tokens).blocks(tokens, 0)
