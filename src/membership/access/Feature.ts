import { Duration, Layer } from "effect"
import { accessEraser } from "./AccessEraser.ts"
import { accessEvents } from "./AccessEvents.ts"
import { Enrollments } from "./Enrollments.ts"
import { FreeDeliveriesLayer } from "./FreeDeliveries.ts"
import { EnrollmentsHttp } from "./Http.ts"
import { Lapses, lapsesLayer } from "./Lapses.ts"

/** The access of students to deliveries, with its start and end. */
export const access = {
  services: Enrollments.layer,
  routes: EnrollmentsHttp,
  workers: Layer.mergeAll(
    FreeDeliveriesLayer,
    lapsesLayer({ every: Duration.minutes(1) }).pipe(Layer.provide(Lapses.layer))
  ),
  erasers: [accessEraser],
  eventSources: accessEvents
}
