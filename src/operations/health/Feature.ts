import { Layer } from "effect"
import { Health } from "./Health.ts"
import { HealthHttp } from "./Http.ts"

/** True if this process can serve. */
export const health = { services: Health.layer, routes: HealthHttp, workers: Layer.empty }
