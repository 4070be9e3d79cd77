/**
 * HTML that is safe to send: our own templates, with everything that people entered escaped. Only `html` makes it, so
 * plain texts cannot become a page.
 */
export class Markup {
  /** The HTML. */
  readonly text: string
  // A text from elsewhere is not markup: the type has a private part, and no other code can call this.
  private constructor(text: string) {
    this.text = text
  }

  /** What `html` does. */
  static readonly of = (strings: TemplateStringsArray, holes: ReadonlyArray<Hole>): Markup => {
    const places = placesOf(strings)
    return new Markup(strings.reduce((text, literal, index) => {
      const [place, hole] = [places[index - 1] ?? "content", holes[index - 1]]
      return text + (place === "address" ? addressOf(hole) : render(hole)) + literal
    }))
  }
}

/** A value in a template. Absent values render as nothing. */
export type Hole = Markup | string | number | null | undefined | false | ReadonlyArray<Hole>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

const escapeText = (text: string) => text.toWellFormed().replace(/[&<>"']/gu, (character) => entities[character] ?? "")

const isMany = (hole: Hole): hole is ReadonlyArray<Hole> => Array.isArray(hole)

const render = (hole: Hole): string => {
  if (hole === null || hole === undefined || hole === false) return ""
  if (hole instanceof Markup) return hole.text
  return isMany(hole) ? hole.map(render).join("") : escapeText(String(hole))
}

/**
 * Addresses of this site or of the web; never a script, nor another site's address that looks like one of ours (`//`).
 * Browsers skip controls, so these are excluded too.
 */
const followed = /^(?:https?:\/\/|mailto:|\/(?![/\\])|\.{1,2}\/|[#?]|$)\P{Cc}*$/iu

/** An address that a browser may be sent to; any other leads nowhere. */
const addressOf = (hole: Hole): string => typeof hole === "string" && followed.test(hole) ? escapeText(hole) : "#"

type Place = "content" | "address"

const attributeWithoutQuotes = /=\s*$/
const inCode = /<(?:script|style)\b[^>]*>[^<]*$/i
const addressAttribute = /\s(?:href|src|action|formaction)="$/i

const placeOf = (before: string): Place => {
  if (attributeWithoutQuotes.test(before)) throw new TypeError(`An attribute without quotes: …${before.slice(-40)}`)
  if (inCode.test(before)) throw new TypeError("No value goes into a script or a style sheet")
  return addressAttribute.test(before) ? "address" : "content"
}

const known = new WeakMap<TemplateStringsArray, ReadonlyArray<Place>>()

/** Where the holes of a template are. Of each template it is found out once. */
const placesOf = (strings: TemplateStringsArray): ReadonlyArray<Place> => {
  const before = known.get(strings)
  if (before !== undefined) return before
  const places = strings.slice(0, -1).map(placeOf)
  known.set(strings, places)
  return places
}

/**
 * A template of HTML. Texts are escaped wherever they stand, other markup stays as it is, and lists are joined.
 * Attributes are in double quotes. In `href`, `src` and `action`, a value that is not an address of the web becomes
 * `#`. A template that cannot be safe throws whenever it is used.
 */
export const html = (strings: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Markup => Markup.of(strings, holes)
