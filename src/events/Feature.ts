import { Layer } from "effect"
import { Events } from "./Events.ts"

/** Facts, and what becomes of them. */
export const events = { services: Events.layer, routes: Layer.empty, workers: Layer.empty }
