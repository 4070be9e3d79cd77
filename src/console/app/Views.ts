import type { ClubView } from "../client/View.ts"

/** A view of a club, loaded when somebody goes there. */
export interface ViewRoute {
  /** Below the club's address, as `URLPattern` has it. */
  readonly path: string
  readonly load: () => Promise<{ readonly default: ClubView }>
}

/** Every view of a club. The first whose address fits is shown. */
export const views: ReadonlyArray<ViewRoute> = [
  { path: "", load: () => import("../views/home/Home.tsx") },
  { path: "members", load: () => import("../views/members/Members.tsx") },
  { path: "keys", load: () => import("../views/keys/Keys.tsx") },
  { path: "keys/:key", load: () => import("../views/keys/Key.tsx") },
  { path: "settings", load: () => import("../views/settings/Settings.tsx") },
  { path: "settings/audit", load: () => import("../views/settings/Audit.tsx") }
]

interface Found {
  readonly route: ViewRoute
  readonly params: Readonly<Record<string, string>>
}

const patterns = views.map((route) => ({
  route,
  pattern: new URLPattern({ pathname: `/console/:club${route.path === "" ? "" : `/${route.path}`}` })
}))

/** Which club's which view an address is; undefined where there is none. */
export const viewAt = (path: string): Found | undefined => {
  const pathname = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  for (const { pattern, route } of patterns) {
    const found = pattern.exec({ pathname })
    if (found === null) continue
    const params = Object.entries(found.pathname.groups).map(([name, value = ""]) => [name, decodeURIComponent(value)])
    return { route, params: Object.fromEntries(params) }
  }
  return undefined
}
