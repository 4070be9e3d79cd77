import { Layer } from "effect"
import { FrontLayer, frontRoutes } from "./FrontHttp.ts"

/** What somebody sees first, and the mails of who develops. */
export const front = { services: Layer.empty, routes: FrontLayer, addresses: frontRoutes, workers: Layer.empty }
