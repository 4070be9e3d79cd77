/**
 * HTML that is safe to send: written by us, with whatever anybody entered escaped. Only `html` makes it, so a page cannot
 * be put together from plain texts.
 */
export class Markup {
  /** The HTML. */
  readonly text: string
  // A text that was made elsewhere is no markup: the type has a private part, and nobody else can call this.
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

/** What may stand in a template. Nothing is rendered of what is absent. */
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
 * Of this site or of the web; never a script, nor another site's that looks like one of ours (`//`, and what browsers read
 * as that: they skip controls).
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
 * A template of HTML. Texts are escaped wherever they stand, other markup is taken as it is, lists are put one after the
 * other. Attributes are in double quotes; in `href`, `src` and `action` what is no address of the web becomes `#`. A template
 * that could not be made safe throws whenever it is used.
 */
export const html = (strings: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Markup => Markup.of(strings, holes)
