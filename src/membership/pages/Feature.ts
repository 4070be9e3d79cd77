import { Layer } from "effect"
import { PagesLayer } from "./PagesHttp.ts"
import { pageRoutes } from "./Paths.ts"

/** The pages for people with mails from us, if no app elsewhere has them. */
export const pages = {
  services: Layer.empty,
  routes: PagesLayer,
  addresses: pageRoutes,
  workers: Layer.empty
}
