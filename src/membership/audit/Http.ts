import { Effect } from "effect"
import { AuditLog } from "../../identity/audit/AuditLog.ts"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { group } from "../../platform/http/server/group.ts"
import { AuditLogApi } from "./Api.ts"

/** The actions in a club, and the reads by keys. */
export const AuditLogHttp = group(
  versioned(AuditLogApi),
  "auditLog",
  Effect.fn(function*(handlers) {
    const log = yield* AuditLog
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => log.list(club.id, query)),
      reads: asMember(({ query }, { club }) => log.reads(club.id, query))
    })
  })
)
