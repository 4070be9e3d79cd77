const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" }

const decodedEntity = (whole: string, name: string) => {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  if (hex === undefined && decimal === undefined) return entities[name] ?? whole
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return point > 0x10ffff ? whole : String.fromCodePoint(point)
}

const pattern = (tag: string) => new RegExp(`<${tag}(?:\\s[^>]*)?>([^]*?)</${tag}>`, "g")

/**
 * The content of each element of this name, as it stands there. S3's answers nest no element in one of its own name.
 */
export const elementsIn = (xml: string, tag: string): ReadonlyArray<string> =>
  [...xml.matchAll(pattern(tag))].map(([, inside = ""]) => inside)

/** The text of the first element of this name. */
export const textIn = (xml: string, tag: string): string | undefined =>
  elementsIn(xml, tag)[0]?.replaceAll(/&(#?\w+);/g, decodedEntity)

/** A text as it stands in an element. */
export const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
