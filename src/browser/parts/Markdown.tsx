import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { said, spoken } from "../client/Language.ts"
import { site } from "../client/Site.ts"
import { steadyAddress } from "../client/SteadyAddress.ts"
import type { readMarkdown } from "./MarkdownReader.ts"
import type { Block, Inline } from "./MarkdownTree.ts"
import { SafeLink } from "./SafeLink.tsx"

const words = spoken({ code: "Code", table: "Table" }, { code: "Código", table: "Tabela" })

/** An image that a text names, as the API answers it beside the text. */
export interface TextImage {
  readonly media_id: string
  readonly media: {
    readonly url: string
    /** Absent for an address that is used at once. */
    readonly expires_at?: string | null
    readonly width?: number | null
    readonly height?: number | null
  }
}

const reader = signal<typeof readMarkdown | undefined>(undefined)
let isAsked = false

/** Brings the parser along, for a view that nearly always shows texts. */
export const withMarkdown = (parser: typeof readMarkdown): void => {
  reader.value = parser
}

/** Loads the parser, if that has not begun: a view that is going to show texts does so beside its own reads. */
export const loadMarkdown = (): void => {
  if (isAsked || reader.peek() !== undefined) return
  isAsked = true
  import("./MarkdownReader.ts").then(
    (module) => {
      reader.value = module.readMarkdown
    },
    () => {
      // Texts stay as they were written, until the next one is shown.
      isAsked = false
    }
  )
}

interface Shows {
  readonly image: (mediaId: string, alt: string) => ComponentChildren
}

const isOfPage = (path: string) => path === site.root || path.startsWith(`${site.root}/`)

const inlineOf = (part: Inline, shows: Shows): ComponentChildren => {
  switch (part.kind) {
    case "text":
      return part.text
    case "code":
      return <code>{part.text}</code>
    case "strong":
      return <strong>{lineOf(part.children, shows)}</strong>
    case "em":
      return <em>{lineOf(part.children, shows)}</em>
    case "del":
      return <del>{lineOf(part.children, shows)}</del>
    case "break":
      return <br />
    case "image":
      return shows.image(part.mediaId, part.alt)
    case "link":
      return linkOf(part, shows)
  }
}

const linkOf = ({ children, isOwn, to }: Extract<Inline, { kind: "link" }>, shows: Shows) => {
  const text = lineOf(children, shows)
  if (isOwn) return <a href={to} {...isOfPage(to) ? {} : { target: "_blank" }}>{text}</a>
  // An address of mail, and one without encryption, leads away as a safe one does.
  return to.startsWith("https:")
    ? <SafeLink to={to}>{text}</SafeLink>
    : <a href={to} target="_blank" rel="noopener noreferrer">{text}</a>
}

const lineOf = (parts: ReadonlyArray<Inline>, shows: Shows): ComponentChildren =>
  parts.map((part) => inlineOf(part, shows))

const tableOf = ({ head, rows }: Extract<Block, { kind: "table" }>, shows: Shows) => (
  <div class="text-table" role="region" aria-label={said(words).table} tabIndex={0}>
    <table>
      <thead>
        <tr>{head.map((cell) => <th scope="col" dir="auto">{lineOf(cell, shows)}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map((row) => <tr>{row.map((cell) => <td dir="auto">{lineOf(cell, shows)}</td>)}</tr>)}
      </tbody>
    </table>
  </div>
)

const headingOf = ({ children, level }: Extract<Block, { kind: "heading" }>, shows: Shows) => {
  const text = lineOf(children, shows)
  switch (level) {
    case 3:
      return <h3 dir="auto">{text}</h3>
    case 4:
      return <h4 dir="auto">{text}</h4>
    case 5:
      return <h5 dir="auto">{text}</h5>
    case 6:
      return <h6 dir="auto">{text}</h6>
  }
}

const blockOf = (block: Block, shows: Shows): ComponentChildren => {
  switch (block.kind) {
    case "paragraph":
      return <p dir="auto">{lineOf(block.children, shows)}</p>
    case "line":
      return <span dir="auto">{lineOf(block.children, shows)}</span>
    case "heading":
      return headingOf(block, shows)
    case "code":
      return (
        <pre role="region" aria-label={said(words).code} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case "quote":
      return <blockquote>{blocksOf(block.children, shows)}</blockquote>
    case "rule":
      return <hr />
    case "list": {
      const items = block.items.map((item) => <li>{blocksOf(item, shows)}</li>)
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case "table":
      return tableOf(block, shows)
  }
}

const blocksOf = (blocks: ReadonlyArray<Block>, shows: Shows): ComponentChildren =>
  blocks.map((block) => blockOf(block, shows))

const showing = (images: ReadonlyArray<TextImage>): Shows => ({
  image: (mediaId, alt) => {
    const media = images.find(({ media_id }) => media_id === mediaId)?.media
    if (media === undefined) return alt
    const { expires_at, height, url, width } = media
    // With its size known, an image has its room before it comes.
    const size = typeof height === "number" && typeof width === "number" ? { height, width } : {}
    const address = expires_at === undefined ? url : steadyAddress(mediaId, { url, expires_at })
    return <img src={address} alt={alt} loading="lazy" decoding="async" {...size} />
  }
})

const noImages: ReadonlyArray<TextImage> = []

/**
 * A text that somebody wrote, in Markdown. Its HTML shows as letters. It shows no image but the ones in `images`. `small`
 * is for posts and comments. Until the parser has come the text shows as it was written.
 */
export const Markdown = ({ images = noImages, small = false, text }: {
  readonly text: string
  readonly images?: ReadonlyArray<TextImage>
  readonly small?: boolean
}) => {
  useEffect(loadMarkdown, [])
  const read = reader.value
  const tree = useMemo(
    () => read?.(text, { isSmall: small, origin: location.origin, root: "/classroom" }),
    [read, text, small]
  )
  const shows = useMemo(() => showing(images), [images])
  return tree === undefined
    ? <div class="text as-written" dir="auto">{text}</div>
    : <div class={small ? "text small-set" : "text"}>{blocksOf(tree, shows)}</div>
}
