import { Marked, type Token, type Tokens } from "marked"
import { html, type Markup } from "../../platform/pages/Html.ts"
import { codeBlock } from "./Code.ts"

// Tokens come from the parser. The template makes all HTML, so a text is never more than text.

const parser = new Marked({ gfm: true })

/** The name of a heading in addresses, as viewers of Markdown form it. */
const anchorOf = (heading: string) =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")

/** A heading with its address on the page. */
export interface Heading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

/** A page as it is written. */
export interface Rendered {
  readonly body: Markup
  readonly headings: ReadonlyArray<Heading>
}

/** Where a link leads on our pages; nothing where it leads to no page of them. */
export type Links = (target: string) => string | undefined

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": "\"",
  "&#39;": "'"
}
const plain = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)

/** The text of tokens without any markup. */
const textOf = (tokens: ReadonlyArray<Token> = []): string =>
  tokens.map((token) => "tokens" in token && token.tokens !== undefined ? textOf(token.tokens) : plain(token.raw))
    .join("").replaceAll("`", "")

class Renderer {
  readonly headings: Array<Heading> = []
  private readonly seen = new Map<string, number>()
  private readonly links: Links

  constructor(links: Links) {
    this.links = links
  }

  inline(tokens: ReadonlyArray<Token> = []): ReadonlyArray<Markup | string> {
    return tokens.map((token) => this.part(token))
  }

  private part(token: Token): Markup | string {
    switch (token.type) {
      case "codespan":
        return html`<code>${plain(String(token["text"]))}</code>`
      case "strong":
        return html`<strong>${this.inline(token["tokens"])}</strong>`
      case "em":
        return html`<em>${this.inline(token["tokens"])}</em>`
      case "del":
        return html`<del>${this.inline(token["tokens"])}</del>`
      case "br":
        return html`<br>`
      case "link":
        return this.link(String(token["href"]), token["tokens"])
      case "html":
        return ""
      default:
        return "tokens" in token && token.tokens !== undefined
          ? html`${this.inline(token.tokens)}`
          : plain("text" in token ? String(token["text"]) : token.raw)
    }
  }

  private link(href: string, tokens: ReadonlyArray<Token> | undefined): Markup {
    const target = /^https?:/.test(href) ? href : this.links(href)
    const text = this.inline(tokens)
    return target === undefined ? html`${text}` : html`<a href="${target}">${text}</a>`
  }

  blocks(tokens: ReadonlyArray<Token>): ReadonlyArray<Markup> {
    return tokens.map((token) => this.block(token))
  }

  private block(token: Token): Markup {
    switch (token.type) {
      case "heading":
        return this.heading(Number(token["depth"]), token["tokens"])
      case "paragraph":
        return html`<p>${this.inline(token["tokens"])}</p>`
      case "text":
        return html`${this.inline(token["tokens"])}`
      case "code":
        return codeBlock(String(token["text"]), String(token["lang"] ?? ""))
      case "blockquote":
        return html`<blockquote>${this.blocks(token["tokens"] ?? [])}</blockquote>`
      case "hr":
        return html`<hr>`
      default:
        return isList(token) ? this.list(token) : isTable(token) ? this.table(token) : html``
    }
  }

  private heading(depth: number, tokens: ReadonlyArray<Token> | undefined): Markup {
    const text = textOf(tokens)
    const base = anchorOf(text)
    const before = this.seen.get(base) ?? 0
    this.seen.set(base, before + 1)
    const anchor = before === 0 ? base : `${base}-${before}`
    this.headings.push({ depth, text, anchor })
    const content = this.inline(tokens)
    if (depth === 1) return html`<h1 id="${anchor}">${content}</h1>`
    const mark = html`<a class="anchor" href="#${anchor}" aria-label="Link to ${text}">#</a>`
    return depth === 2
      ? html`<h2 id="${anchor}">${content} ${mark}</h2>`
      : html`<h3 id="${anchor}">${content} ${mark}</h3>`
  }

  private list({ items, ordered }: Tokens.List): Markup {
    const content = items.map((item) => html`<li>${this.blocks(item.tokens)}</li>`)
    return ordered ? html`<ol>${content}</ol>` : html`<ul>${content}</ul>`
  }

  private table({ header, rows }: Tokens.Table): Markup {
    const head = header.map((cell) => html`<th scope="col">${this.inline(cell.tokens)}</th>`)
    const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${this.inline(cell.tokens)}</td>`)}</tr>`)
    return html`<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
  }
}

const isList = (token: Token): token is Tokens.List => token.type === "list"
const isTable = (token: Token): token is Tokens.Table => token.type === "table"

/** A page of Markdown as HTML. Comments and HTML in it are removed. */
export const renderMarkdown = (text: string, links: Links): Rendered => {
  const renderer = new Renderer(links)
  const body = html`${renderer.blocks(parser.lexer(text))}`
  return { body, headings: renderer.headings }
}

/** A description of a few words, which may name things in backticks. */
export const renderDescription = (text: string): Markup => renderMarkdown(text, () => undefined).body

/** The text of a page under each of its headings, without code. */
export const sectionsOf = (text: string): ReadonlyArray<{ readonly heading: Heading; readonly text: string }> => {
  const sections: Array<{ heading: Heading; text: string }> = []
  const { headings } = renderMarkdown(text, () => undefined)
  for (const token of parser.lexer(text)) {
    if (token.type === "heading") {
      const heading = headings[sections.length]
      if (heading !== undefined) sections.push({ heading, text: "" })
      continue
    }
    const last = sections.at(-1)
    if (last !== undefined && token.type !== "html" && token.type !== "space") {
      last.text += ` ${token.type === "code" ? "" : plain(token.raw).replaceAll(/\]\([^)]*\)|[`*[\]|#]|-{3,}/g, "")}`
    }
  }
  return sections
}
