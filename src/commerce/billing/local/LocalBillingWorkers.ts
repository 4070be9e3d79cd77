import { Duration, Layer } from "effect"
import { PeriodClose, periodCloseLayer } from "./PeriodClose.ts"

/** Invoices periods that begin. Still asking for the catalog and the database. */
export const LocalBillingWorkersLayer = periodCloseLayer({ every: Duration.minutes(1) })
  .pipe(Layer.provide(PeriodClose.layer))
