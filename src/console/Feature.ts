import { Effect, Layer } from "effect"
import { ConsoleLayer } from "./server/ConsoleHttp.ts"
import { consoleRoutes } from "./server/ConsolePaths.ts"
import { consoleRewrite } from "./server/ConsoleRewrite.ts"

/** The administrators' console: a page that uses the API, and the cookie that holds their session for it. */
export const console = {
  services: Layer.empty,
  routes: ConsoleLayer,
  addresses: Effect.succeed(consoleRoutes),
  rewrite: consoleRewrite,
  workers: Layer.empty
}
