import { mapValues } from "./Schemas.ts"

/** Alternatives: any of these schemes will do. */
export type Security = ReadonlyArray<Record<string, ReadonlyArray<string>>>

interface Operation {
  readonly security?: Security
}

/**
 * The document's own `security` applies to operations without one. It is the most frequent one; operations with another
 * keep theirs.
 */
export const withUsualSecurity = <One extends Operation>(paths: Record<string, Record<string, One>>) => {
  const all = Object.values(paths).flatMap((item) => Object.values(item).map(({ security = [] }) => security))
  const counted = [...Map.groupBy(all, (security) => JSON.stringify(security)).values()]
  const usual = counted.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? []
  const told = (operation: One) => {
    const { security = [], ...others } = operation
    return JSON.stringify(security) === JSON.stringify(usual) ? others : { ...others, security }
  }
  return { paths: mapValues(paths, (item) => mapValues(item, told)), security: usual }
}
