import { Layer } from "effect"
import { FrontLayer, frontRoutes } from "./FrontHttp.ts"
import { MailReaders } from "./MailReaders.ts"

/** The first page, and the mails for developers. */
export const front = { services: MailReaders.layer, routes: FrontLayer, addresses: frontRoutes, workers: Layer.empty }
