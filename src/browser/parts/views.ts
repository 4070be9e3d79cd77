import type { ComponentType } from "preact"
import { type Lazy, lazy } from "./lazy.tsx"

/** A view, and its address below the page's root: parameters begin with a colon. */
export interface ListedView<P extends object> {
  readonly path: string
  readonly load: () => Promise<{ readonly default: ComponentType<P> }>
}

/** The view of an address, with the parameters in it. */
interface FoundView<P extends object> {
  readonly View: Lazy<P>
  readonly params: Readonly<Record<string, string>>
}

/** The text in a part of an address. Undefined for a part that does not decode. */
const textOf = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Finds the view of an address. The root may have parameters too. Undefined if no view has the address. */
export const findingViews = <P extends object>(root: string, views: ReadonlyArray<ListedView<P>>) => {
  const patterns = views.map(({ load, path }) => ({
    View: lazy(load),
    pattern: new URLPattern({ pathname: path === "" ? root : `${root}/${path}` })
  }))
  return (path: string): FoundView<P> | undefined => {
    const pathname = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
    for (const { View, pattern } of patterns) {
      const found = pattern.exec({ pathname })
      if (found === null) continue
      const params: Record<string, string> = {}
      for (const [name, value = ""] of Object.entries(found.pathname.groups)) {
        const text = textOf(value)
        if (text === undefined) return undefined
        params[name] = text
      }
      return { View, params }
    }
    return undefined
  }
}
