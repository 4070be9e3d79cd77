import { site } from "../../browser/client/Site.ts"
import { findingViews, type ListedView } from "../../browser/parts/views.ts"
import type { ViewProps } from "../club/View.ts"

const views: ReadonlyArray<ListedView<ViewProps>> = [
  { path: "", load: () => import("../views/home/Home.tsx") }
]

/** The view of an address, with its parameters. Undefined if no view has the address. */
export const viewAt = findingViews(site.root, views)
