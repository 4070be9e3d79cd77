import { Layer } from "effect"
import { FrontLayer, frontRoutes } from "./FrontHttp.ts"
import { MailReaders } from "./MailReaders.ts"

/** What somebody sees first, and the mails of who develops. */
export const front = { services: MailReaders.layer, routes: FrontLayer, addresses: frontRoutes, workers: Layer.empty }
