import { startOfDay } from "../../../browser/client/Time.ts"

// The filter of the audit log, as the address has it. Pure.

/** The filters of the audit log's route. */
export interface AuditFilter {
  readonly user_id?: string
  readonly operation?: string
  readonly outcome?: "done" | "refused"
  readonly since?: string
  readonly until?: string
}

const operationShape = /^[A-Za-z]{1,60}\.[A-Za-z]{1,39}$/

/** The filter in an address. Values that the API would refuse drop out. Both days are whole. */
export const filterIn = (query: URLSearchParams): AuditFilter => {
  const [person, operation, outcome] = [query.get("person"), query.get("operation"), query.get("outcome")]
  const [since, until] = [startOfDay(query.get("since") ?? ""), startOfDay(query.get("until") ?? "", 1)]
  return {
    ...person === null || person === "" ? {} : { user_id: person },
    ...operation === null || !operationShape.test(operation) ? {} : { operation },
    ...outcome === "done" || outcome === "refused" ? { outcome } : {},
    ...since === undefined ? {} : { since },
    ...until === undefined ? {} : { until }
  }
}
