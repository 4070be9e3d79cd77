/** How a body may be sent, the better first: at equal cost brotli makes it a tenth shorter than gzip. */
const codings = ["br", "gzip"] as const

export type ContentCoding = typeof codings[number]

const member = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** The weight of each coding in `Accept-Encoding`, from 0 to 1. Malformed members are ignored. */
const weightsOf = (header: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const part of header.split(",")) {
    const [, name, weight = "1"] = member.exec(part) ?? []
    if (name === undefined) continue
    const coding = name.toLowerCase()
    weights.set(coding === "x-gzip" ? "gzip" : coding, Number(weight))
  }
  return weights
}

/**
 * The coding that an answer is sent in (RFC 9110, 12.5.3): the most wanted of ours. Undefined if the client accepts no
 * coding of ours, or prefers the answer as it is.
 */
export const codingFor = (acceptEncoding: string): ContentCoding | undefined => {
  const weights = weightsOf(acceptEncoding)
  const asItIs = weights.get("identity") ?? 0
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0
  const best = weightOf("gzip") > weightOf("br") ? "gzip" : "br"
  return weightOf(best) > 0 && weightOf(best) >= asItIs ? best : undefined
}
