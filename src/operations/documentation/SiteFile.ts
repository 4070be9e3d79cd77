import { createHash } from "node:crypto"

/** The file at one address. */
export interface SiteFile {
  readonly address: string
  readonly contentType: string
  readonly bytes: Uint8Array
  /** True if the address names the content, so that it may be kept for ever. */
  readonly immutable: boolean
  /** Where the same is as Markdown, for a page. */
  readonly markdown?: string | undefined
}

/** A file of this text. */
export const siteFile = (address: string, contentType: string, text: string): SiteFile => ({
  address,
  contentType,
  bytes: new TextEncoder().encode(text),
  immutable: false
})

/** A file that pages load, at an address that names its content: `/docs/assets/docs.<hash>.css`. */
export const assetFile = (name: string, extension: string, contentType: string, text: string): SiteFile => {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 12)
  return { ...siteFile(`/docs/assets/${name}.${hash}.${extension}`, contentType, text), immutable: true }
}
