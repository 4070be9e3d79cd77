import type { JsonObject } from "./Schemas.ts"

/** Collects the parts of one kind for a folder of the components: `nameOf` proposes how a part is called. */
export const collector = <Part extends object>(
  folder: string,
  parts: ReadonlyArray<Part>,
  nameOf: (part: Part) => string
) => {
  const seen = new Map<string, number>()
  for (const text of parts.map((part) => JSON.stringify(part))) seen.set(text, (seen.get(text) ?? 0) + 1)
  const names = new Map<string, string>()
  const shared: JsonObject = {}
  const named = (part: Part, text: string) => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = nameOf(part)
    const others = Object.keys(shared).filter((one) => one.replace(/-\d+$/, "") === name).length
    const free = others === 0 ? name : `${name}-${others}`
    names.set(text, free)
    shared[free] = part
    return free
  }
  return {
    shared,
    /** The part itself where it is alone, else a reference to the one that stands for all that are the same. */
    replace: (part: Part) => {
      const text = JSON.stringify(part)
      return (seen.get(text) ?? 0) < 2 ? part : { $ref: `#/components/${folder}/${named(part, text)}` }
    }
  }
}
