import type { Locale } from "./Locale.ts"

/**
 * In characters of the header, more than browsers send. Every failure reads it, even the refusal of a head that is too
 * large. Reading 64 KB of commas would block the process for tens of milliseconds.
 */
const mostRead = 500

const ours = /^(?:en|pt)(?:-|$)/i

const weigh = (range: string) => {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim())
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  return { tag, weight: weight === undefined ? 1 : Number(weight) }
}

/**
 * The language for an `Accept-Language` header (RFC 9110, 12.5.4): the most wanted of our languages, and of equals the
 * first. English if the header names no language of ours. Any Portuguese is pt-BR.
 */
export const preferredLocale = (header: string | undefined): Locale => {
  const [best] = (header ?? "").slice(0, mostRead).split(",").map(weigh)
    .filter(({ tag, weight }) => ours.test(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return /^pt/i.test(best?.tag ?? "") ? "pt-BR" : "en"
}
