import { startOfDay } from "../../client/Time.ts"

// What of the audit log is looked at, as the address has it. Pure.

/** The filters of the audit log's route. */
export interface AuditFilter {
  readonly user_id?: string
  readonly operation?: string
  readonly outcome?: "done" | "refused"
  readonly since?: string
  readonly until?: string
}

const operationShape = /^[A-Za-z]{1,60}\.[A-Za-z]{1,39}$/

/** The filters that an address says; what the API would not take is left out. Both days are whole. */
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
