import { Layer } from "effect"
import { PagesLayer } from "./PagesHttp.ts"
import { pageRoutes } from "./Paths.ts"

/** What people do with the mails that they get, where there is no app elsewhere. */
export const pages = {
  services: Layer.empty,
  routes: PagesLayer,
  addresses: pageRoutes,
  workers: Layer.empty
}
